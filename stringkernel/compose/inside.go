package compose

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// given returns the option outside, that of a wrapper, if what is wrapped has its own, else nil.
func given[O comparable](inside, outside O) O {
	var none O
	if inside == none {
		return none
	}
	return outside
}

// givenAll returns the option outside, that of a wrapper, if all that is wrapped has it, else nil.
func givenAll[T any, O comparable](inside []T, optionOf func(T) O, outside O) O {
	for _, t := range inside {
		outside = given(optionOf(t), outside)
	}
	return outside
}

// selfScorer is a scorer with the way to k(x, x) that it has: the kernel may not know it.
type selfScorer struct {
	stringkernel.Scorer
	kernel stringkernel.Kernel
	own    func(dst []float64, x []byte) float64 // nil if it has none
}

// SelfScoreTo is ScoreTo and returns k(x, x).
func (s *selfScorer) SelfScoreTo(dst []float64, x []byte) float64 {
	if s.own != nil {
		return s.own(dst, x)
	}
	s.ScoreTo(dst, x)
	return s.kernel.SelfEval(x)
}

// self returns k(x, x).
func (s *selfScorer) self(x []byte) float64 {
	if s.own != nil {
		return s.own(make([]float64, s.Outputs()), x)
	}
	return s.kernel.SelfEval(x)
}

// referenceOf returns the corpus that kernels were fitted to, nil if none was.
func referenceOf(kernels []stringkernel.Kernel) *stringkernel.Corpus {
	for _, k := range kernels {
		if c := stringkernel.Reference(k); c != nil {
			return c
		}
	}
	return nil
}

// compileInside compiles what a wrapper with a name wraps.
func compileInside(wrapper string, inner *stringkernel.Kernel) (err error) {
	if *inner == nil {
		return fmt.Errorf("%s: no kernel inside", wrapper)
	}
	*inner, err = stringkernel.Compile(*inner)
	return err
}

// shareInside indexes a corpus once for each of some kernels, and those in their place in the members of a family.
func shareInside[K stringkernel.Kernel](
	ctx context.Context, x *stringkernel.Indexes, kernels, members []stringkernel.Kernel,
	of func(member K) []stringkernel.Kernel,
) ([]stringkernel.Shared, error) {
	return ofParts("kernel", kernels, func(t int, k stringkernel.Kernel) (stringkernel.Shared, error) {
		inner := make([]stringkernel.Kernel, len(members))
		for i, m := range members {
			inner[i] = of(m.(K))[t]
		}
		return x.ShareBy(ctx, k, inner)
	})
}

// ofEach returns a value of each sequence by a kernel, computed on all processors. The error is that of ctx.
func ofEach(
	ctx context.Context, k stringkernel.Kernel, c *stringkernel.Corpus, value func(x []byte) float64,
) (values []float64, err error) {
	defer cancel.Catch(&err)
	if err := stringkernel.Prepare(ctx, k); err != nil {
		return nil, err
	}
	all := make([]float64, c.Len())
	parallel.EachContext(ctx, c.Len(), func(i int) { all[i] = value(c.Seq(i)) })
	return all, nil
}

// applyRows calls apply with each of some rows of n numbers, the first of which is that of record from. The error is
// that of ctx.
func applyRows(ctx context.Context, dst []float64, n, from int, apply func(row []float64, i int)) (err error) {
	defer cancel.Catch(&err)
	parallel.EachContext(ctx, len(dst)/max(n, 1), func(r int) { apply(dst[r*n:(r+1)*n], from+r) })
	return nil
}

// leaves returns the number of kernels of which a kernel is composed, in the order in which they are written.
func leaves(k stringkernel.Kernel) int {
	if composed, is := k.(interface{ leaves() int }); is {
		return composed.leaves()
	}
	return 1
}

func leavesOf(kernels []stringkernel.Kernel) (n int) {
	for _, k := range kernels {
		n += leaves(k)
	}
	return n
}

// ofParts collects something of each part of a composed kernel, numbered from 0; errors say which of several.
func ofParts[T any](
	part string, kernels []stringkernel.Kernel, of func(i int, k stringkernel.Kernel) (T, error),
) ([]T, error) {
	list := make([]T, len(kernels))
	for i, k := range kernels {
		var err error
		if list[i], err = of(i, k); err != nil && len(kernels) > 1 {
			err = fmt.Errorf("%s %d: %w", part, i+1, err)
		}
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// familiesOf names those of kernels, in order.
func familiesOf(kernels []stringkernel.Kernel) string {
	families := make([]string, len(kernels))
	for i, k := range kernels {
		families[i] = stringkernel.FamilyOf(k)
	}
	return strings.Join(families, "; ")
}

// prepareAll prepares the terms.
func prepareAll[T any](ctx context.Context, terms []T) error {
	for _, t := range terms {
		if err := stringkernel.Prepare(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

// denseCost adds up the costs of matrices. Which of several is too expensive is not known before all are.
func denseCost(ctx context.Context, grams []stringkernel.Gram, products float64) (matrix, product float64, err error) {
	if len(grams) > 1 {
		products = math.Inf(1)
	}
	for _, g := range grams {
		m, p, err := stringkernel.DenseOf(g).DenseCost(ctx, products)
		if err != nil {
			return 0, 0, err
		}
		matrix, product = matrix+m, product+p
	}
	return matrix, product, nil
}
