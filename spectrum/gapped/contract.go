package gapped

import (
	"cmp"
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// What Kernel and Mismatch do alike: their methods are those of an engine, which is made of their parameters.

// ready returns the engine of a kernel with a name: the one compiled, or what build makes of parameters that pass.
func ready(name string, compiled *engine, check func() error, build func() (*engine, error)) (*engine, error) {
	if compiled != nil {
		return compiled, nil
	}
	err := check()
	if err == nil {
		compiled, err = build()
		err = cmp.Or(err, compiled.checkMasks())
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return compiled, nil
}

// with applies a method of the engine of a kernel, which package cancel may end.
func with[T any](k interface{ ready() (*engine, error) }, method func(*engine) (T, error)) (result T, err error) {
	defer cancel.Catch(&err)
	e, err := k.ready()
	if err != nil {
		return result, err
	}
	return method(e)
}

// traits are those of a kernel on k-mers: scores through a function are not sums over them.
func traits(k interface {
	stringkernel.Kernel
	Compile() (stringkernel.Kernel, error)
	engine() *engine
}, length int, count stringkernel.Count, subst []string) stringkernel.Traits {
	t := stringkernel.Traits{
		Compile:   k.Compile,
		MinLength: length,
		Compare: func(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Comparison, error) {
			if engine := k.engine(); engine.tabular() {
				return engine.compare(ctx, c) // by one product
			}
			return stringkernel.DirectComparison(k, c), nil
		},
		SelfSubstituteTo: func(dst []float64, x, letters []byte) []int {
			return k.engine().selfSubstituteTo(dst, x, letters)
		},
		Fold:         func(outputs int) (*stringkernel.Table, error) { return k.engine().fold(outputs) },
		CheckOutputs: func(outputs int) error { return k.engine().checkOutputs(outputs) },
		MergeBytes: func(sequences, letters, outputs int) float64 {
			return k.engine().mergeBytes(sequences, letters, outputs)
		},
	}
	if count.Linear() {
		t.KmerLength = length
		t.TrackSelf = func(dst []float64, x []byte, window int) { k.engine().trackSelf(dst, x, window) }
		// The reverse complements of k-mers are as far apart; where letters resemble, sums depend on their order.
		t.StrandSymmetric = len(subst) == 0
	}
	return t
}

// gram indexes a corpus for the engine with faster products.
func (e *engine) gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	if e.wide() {
		return stringkernel.DirectGram{Kernel: wideKernel{e}, Corpus: c}, nil
	}
	if e.tabular() && (e.alike != nil || !e.masksPay(c.Letters())) {
		if err := e.checkTable(c); err != nil {
			return nil, err
		}
		g := newTableGram(ctx, e, c)
		g.diag = e.selfValues(ctx, c)
		return g, nil
	}
	return newMaskGram(ctx, e, c)
}

// cheapMask bounds the letters of a corpus times masks, as a share of the l σ^l steps of a convolution, for products by
// masks: a step of either takes as long, but the index of masks costs as much as 50 products.
const cheapMask = 0.1

// masksPay reports whether a product over masks is faster than by a table.
func (e *engine) masksPay(letters int) bool {
	return e.maskCount()*float64(letters) < cheapMask*float64(e.coder.length)*float64(e.coder.size)
}
