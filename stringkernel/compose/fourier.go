package compose

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/elementary"
	"github.com/seqsvm/seqsvm/internal/hash"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/simd"
	"github.com/seqsvm/seqsvm/internal/stored"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// MaxFeatures is the greatest number of Features of a [Fourier] kernel.
const MaxFeatures = 1 << 16

// Fourier approximates the Gaussian of a kernel's distance, [RBF], by random Fourier features (Rahimi & Recht 2007).
// For a kernel with a list of features φ (a [stringkernel.Enumerator]), and w_1 … w_m of independent normal numbers
// with variance 2γ, one for each feature,
//
//	z(x) = √(1/m)·(cos ⟨w_1, φ(x)⟩, sin ⟨w_1, φ(x)⟩, …, cos ⟨w_m, φ(x)⟩, sin ⟨w_m, φ(x)⟩)
//
// so that ⟨z(x), z(y)⟩ = (1/m) Σ_j cos ⟨w_j, φ(x) − φ(y)⟩ has the mean k(x, y) = exp(−γ·|φ(x) − φ(y)|²), the standard
// deviation (1 − k²)/√(2m), and is 1 for x and itself; a sequence without features has the value 0 with every other, as
// in RBF. The numbers are made of the names of the features, the seed and j, so that they depend on no data and are the
// same everywhere.
//
// It depends on no records, its Gram is not larger than n rows of Features numbers, and a scorer is Features weights
// for each output. A row takes m operations for each feature of the sequence, and a normal number, 15 ns, for each
// distinct one of a batch of records: of a single query, for each that it has. [LowRank], which looks at the data,
// needs fewer numbers for the same error.
type Fourier struct {
	Kernel   stringkernel.Kernel
	Gamma    float64 // γ > 0
	Features int     // 2m, even
	Seed     uint64
}

// Check checks the parameters and the wrapped kernel.
func (k Fourier) Check() error {
	_, err := k.Compile()
	return err
}

// Traits says that the wrapped kernel is compiled.
func (k Fourier) Traits() stringkernel.Traits { return stringkernel.Traits{Compile: k.Compile} }

// Compile checks the parameters and compiles the wrapped kernel.
func (k Fourier) Compile() (stringkernel.Kernel, error) {
	if !(k.Gamma > 0) || math.IsInf(k.Gamma, 0) {
		return nil, fmt.Errorf("fourier: gamma = %v, want a finite number > 0", k.Gamma)
	}
	if k.Features < 2 || k.Features > MaxFeatures || k.Features%2 != 0 {
		return nil, fmt.Errorf("fourier = %d, want an even number from 2 to %d", k.Features, MaxFeatures)
	}
	if err := compileInside("fourier", &k.Kernel); err != nil {
		return nil, err
	}
	if stringkernel.EnumeratorOf(k.Kernel) == nil {
		return nil, errors.New("fourier: the kernel has no list of features, which words, spectrum, gapped with " +
			"filter=gapped and trees of bounded size have; rank is for any kernel")
	}
	return k, nil
}

func (k Fourier) leaves() int { return leaves(k.Kernel) }

// Eval returns ⟨z(x), z(y)⟩.
func (k Fourier) Eval(x, y []byte) float64 { return vectors.Dot(k.features(x), k.features(y)) }

// SelfEval returns 1, or 0 for a sequence without features.
func (k Fourier) SelfEval(x []byte) float64 { return unit(inverseRoot(k.Kernel.SelfEval(x))) }

// features returns z(x).
func (k Fourier) features(x []byte) []float64 {
	z := make([]float64, k.Features)
	k.write(context.Background(), z, []listed{k.list(x)})
	return z
}

// Fitter fits the wrapped kernel.
func (k Fourier) Fitter() stringkernel.Fitter {
	return given(stringkernel.FitterOf(k.Kernel), stringkernel.Fitter(k))
}

// Fit fits the wrapped kernel.
func (k Fourier) Fit(ctx context.Context, c *stringkernel.Corpus) (_ stringkernel.Kernel, err error) {
	k.Kernel, err = stringkernel.Fit(ctx, k.Kernel, c)
	return k, err
}

// Reference returns the corpus the wrapped kernel was fitted to.
func (k Fourier) Reference() *stringkernel.Corpus { return stringkernel.Reference(k.Kernel) }

// SelfContained reports false: the stored weights have no names.
func (k Fourier) SelfContained() bool { return false }

// batch is the number of records whose features are listed at a time.
const batch = 4096

// Gram has z of every record. The error is that of ctx, or a [*memory.Error] if the rows take too much.
func (k Fourier) Gram(ctx context.Context, c *stringkernel.Corpus) (g stringkernel.Gram, err error) {
	defer cancel.Catch(&err)
	if err := stringkernel.Prepare(ctx, k.Kernel); err != nil {
		return nil, err
	}
	if err := checkRows("fourier", c.Len(), k.Features); err != nil {
		return nil, err
	}
	gram := &explicitGram{c.Len(), k.Features, make([]float64, c.Len()*k.Features), k.approximation()}
	k.eachBatch(ctx, c, func(lo, hi int) []float64 { return gram.rows[lo*k.Features : hi*k.Features] })
	return gram, nil
}

func (k Fourier) approximation() stringkernel.Approximation {
	return stringkernel.Approximation{Rank: k.Features, Deviation: 1 / math.Sqrt(float64(k.Features))}
}

// eachBatch writes z of the records lo to hi − 1 where rows says, batch by batch.
func (k Fourier) eachBatch(ctx context.Context, c *stringkernel.Corpus, rows func(lo, hi int) []float64) {
	for lo := 0; lo < c.Len(); lo += batch {
		list := make([]listed, min(batch, c.Len()-lo))
		parallel.EachContext(ctx, len(list), func(i int) { list[i] = k.list(c.Seq(lo + i)) })
		k.write(ctx, rows(lo, lo+len(list)), list)
	}
}

// Merge adds up z of the support vectors for each output.
func (k Fourier) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (s stringkernel.Scorer, err error) {
	defer cancel.Catch(&err)
	if err := c.Check(sv); err != nil {
		return nil, fmt.Errorf("fourier: %w", err)
	}
	if err := stringkernel.Prepare(ctx, k.Kernel); err != nil {
		return nil, err
	}
	weights := scratch.Vectors(c.Outputs, k.Features)
	var z []float64
	from := 0
	add := func() {
		for i := range len(z) / k.Features {
			outputs, values := c.Row(from + i)
			for e, m := range outputs {
				vectors.AddScaled(weights[m], values[e], z[i*k.Features:(i+1)*k.Features])
			}
		}
	}
	k.eachBatch(ctx, sv, func(lo, hi int) []float64 {
		add()
		from, z = lo, scratch.Resize(z, (hi-lo)*k.Features)
		return z
	})
	add()
	return &fourierScorer{k, weights}, nil
}

// listed is φ of a sequence: keys of the names of its features, and their values in turns, √(2γ)/2π as large.
type listed struct {
	keys   []uint64
	values []float64
}

// list lists the features of x; none if x has no norm.
func (k Fourier) list(x []byte) (l listed) {
	if k.SelfEval(x) == 0 {
		return l
	}
	scale := math.Sqrt(2*k.Gamma) / (2 * math.Pi)
	stringkernel.EnumeratorOf(k.Kernel).EachFeature(x, func(name string, value float64) {
		h := fnv.New64a()
		_, _ = h.Write([]byte(name))
		l.keys = append(l.keys, hash.SplitMix(h.Sum64()+hash.SplitMix(k.Seed)))
		l.values = append(l.values, float64(value*scale))
	})
	return l
}

// mostNumbers bounds the normal numbers of a batch that are held at a time: 32 MB.
const mostNumbers = 1 << 22

// normals writes the numbers w_j of a feature for j from 2·pair on, of variance 1 (Box & Muller 1958).
func normals(dst []float64, key uint64, pair int) {
	for p := 0; p < len(dst); p += 2 {
		at := key + uint64(pair+p/2)*2*hash.Golden
		const toUnit = 1. / (1 << 53)
		u := float64(float64(hash.SplitMix(at)>>11+1) * toUnit) // 0 < u ≤ 1
		v := float64(float64(hash.SplitMix(at+hash.Golden)>>11) * toUnit)
		r := math.Sqrt(float64(-2 * elementary.Log(u)))
		cos, sin := elementary.CosSin(v)
		dst[p], dst[p+1] = float64(r*cos), float64(r*sin)
	}
}

// write writes z of some sequences, one after another, into dst.
func (k Fourier) write(ctx context.Context, dst []float64, list []listed) {
	numbers, ids := map[uint64]uint32{}, make([][]uint32, len(list))
	var keys []uint64
	for i, l := range list {
		cancel.Check(ctx)
		ids[i] = make([]uint32, len(l.keys))
		for e, key := range l.keys {
			id, known := numbers[key]
			if !known {
				id = uint32(len(keys))
				numbers[key], keys = id, append(keys, key)
			}
			ids[i][e] = id
		}
	}
	m := k.Features / 2
	width := max(simd.RowWidth, min(mostNumbers/max(1, len(keys)), m+simd.RowWidth-1)/simd.RowWidth*simd.RowWidth)
	table := make([]float64, len(keys)*width)
	amplitude := math.Sqrt(1 / float64(m))
	each := func(n int, do func(i int)) {
		for i := range n {
			do(i)
		}
	}
	if len(list) > 1 {
		each = func(n int, do func(i int)) { parallel.EachContext(ctx, n, do) }
	}
	for from := 0; from < m; from += width {
		each(len(keys), func(f int) { normals(table[f*width:(f+1)*width], keys[f], from/2) })
		each(len(list), func(i int) {
			z := dst[i*k.Features+2*from : min((i+1)*k.Features, i*k.Features+2*(from+width))]
			if len(ids[i]) == 0 {
				clear(z)
				return
			}
			turns := make([]float64, width)
			simd.GatherRows(turns, table, ids[i], list[i].values)
			for j := range len(z) / 2 {
				cos, sin := elementary.CosSin(turns[j])
				z[2*j], z[2*j+1] = float64(amplitude*cos), float64(amplitude*sin)
			}
		})
	}
}

// fourierScorer is ⟨w_m, z(x)⟩.
type fourierScorer struct {
	kernel  Fourier
	weights [][]float64
}

func (s *fourierScorer) Outputs() int { return len(s.weights) }

func (s *fourierScorer) ScoreTo(dst []float64, x []byte) {
	z := s.kernel.features(x)
	for m, w := range s.weights {
		dst[m] = vectors.Dot(w, z)
	}
}

const arrayWeights = "weights" // features × outputs

// Arrays returns the weights.
func (k Fourier) Arrays(scorer stringkernel.Scorer) []stringkernel.Array {
	s := scorer.(*fourierScorer)
	table := make([]float64, 0, len(s.weights)*k.Features)
	for f := range k.Features {
		for _, w := range s.weights {
			table = append(table, w[f])
		}
	}
	return []stringkernel.Array{stored.Outputs(len(s.weights)), {Name: arrayWeights, Data: table}}
}

// Restore checks the weights.
func (k Fourier) Restore(arrays []stringkernel.Array) (stringkernel.Scorer, error) {
	return stored.Restore(k, "fourier", arrays, func(a *stored.Arrays) (stringkernel.Scorer, error) {
		outputs := a.Outputs()
		table := a.Table(arrayWeights, k.Features, outputs)
		if err := a.Close(); err != nil {
			return nil, err
		}
		weights := scratch.Vectors(outputs, k.Features)
		for f := range k.Features {
			for m := range weights {
				weights[m][f] = table[f*outputs+m]
			}
		}
		return &fourierScorer{k, weights}, nil
	})
}
