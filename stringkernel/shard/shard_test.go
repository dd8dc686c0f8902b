package shard_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats/scalar"
	"gonum.org/v1/gonum/mat"

	"github.com/seqsvm/seqsvm/internal/drawn"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/spectrum/gapped"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/shard"
	"github.com/seqsvm/seqsvm/stringkernel/shard/packed"
)

func compiled(t *testing.T, k stringkernel.Kernel) stringkernel.Kernel {
	t.Helper()
	k = must.Get(stringkernel.Compile(k))(t)
	return k
}

// kernels have spaces of one and of two strands, with and without a filter and norms.
func kernels(t *testing.T) map[string]stringkernel.Kernel {
	dna := stringkernel.DNA
	three := spectrum.Kernel{K: 3, Alphabet: dna}
	kernel := gapped.Kernel{L: 4, K: 2, D: 2, Filter: gapped.Plain, Alphabet: dna}
	centred := kernel
	centred.Center = "5:2"
	all := map[string]stringkernel.Kernel{
		"spectrum":          three,
		"spectrum, rc":      compose.BothStrands(three, dna),
		"spectrum, norm":    compose.Normalized(three),
		"gapped":            kernel,
		"gapped, rc, norm":  compose.Normalized(kernel.BothStrands()),
		"gapped, rc, place": centred.BothStrands(),
		"mismatch, norm":    compose.Normalized(gapped.Mismatch{K: 4, M: 1, Alphabet: dna}),
	}
	for name, k := range all {
		all[name] = compiled(t, k)
	}
	return all
}

// randomCorpus has records with letters outside the alphabet, and empty ones.
func randomCorpus(t *testing.T, rng *rand.Rand, n int) *stringkernel.Corpus {
	t.Helper()
	seqs := make([][]byte, n)
	for i := range seqs {
		x := drawn.Text(rng, "ACGTACGTACGTN", rng.IntN(40))
		seqs[i] = x
	}
	return must.Get(stringkernel.NewCorpus(seqs, nil))(t)
}

func divided(t *testing.T, k stringkernel.Kernel, c *stringkernel.Corpus, parts int) shard.List {
	t.Helper()
	list := make(shard.List, parts)
	for i := range list {
		part := c.Slice(i*c.Len()/parts, (i+1)*c.Len()/parts)
		list[i] = must.Get(packed.Pack(t.Context(), k, stringkernel.DNA, part))(t)
	}
	return list
}

func near(got, want float64) bool { return scalar.EqualWithinAbsOrRel(got, want, 1e-11, 1e-11) }

// TestProducts compares products, norms and inner products of tables with those of the dense matrix of Eval.
func TestProducts(t *testing.T) {
	const n, outputs = 30, 3
	rng := rand.New(rand.NewPCG(1, 2))
	c := randomCorpus(t, rng, n)
	v := make([][]float64, outputs)
	for m := range v {
		v[m] = make([]float64, n)
		for i := range v[m] {
			v[m][i] = rng.NormFloat64()
		}
	}
	for name, k := range kernels(t) {
		space := compose.SpaceOf(k)
		matrix := mat.NewDense(n, n, nil)
		for i := range n {
			for j := range n {
				matrix.Set(i, j, k.Eval(c.Seq(i), c.Seq(j)))
			}
		}
		for _, parts := range []int{1, 2, 7} {
			records := divided(t, k, c, parts)
			if records.Len() != n {
				t.Fatalf("%d records, want %d", records.Len(), n)
			}
			dst := make([][]float64, outputs)
			for m := range dst {
				dst[m] = make([]float64, n)
			}
			product(t, space, records, dst, v)
			for m := range dst {
				var want mat.VecDense
				want.MulVec(matrix, mat.NewVecDense(n, v[m]))
				for i, got := range dst[m] {
					if !near(got, want.AtVec(i)) {
						t.Fatalf("%s, %d parts: (Kv)_%d = %v, want %v", name, parts, i, got, want.AtVec(i))
					}
				}
			}
			norms := make([]float64, n)
			must.Succeed(t, records.Norms(t.Context(), norms))
			for i, got := range norms {
				if !near(got, matrix.At(i, i)) {
					t.Fatalf("%s: norm %d = %v, want %v", name, i, got, matrix.At(i, i))
				}
			}
			testInner(t, name, space, records, matrix, v)
			testSquares(t, name, space, records, matrix, v)
		}
	}
}

// product writes K·v[m] into dst[m].
func product(t *testing.T, space compose.Space, s shard.Shard, dst, v [][]float64) {
	t.Helper()
	tables := scratch.Vectors(len(v), space.Size())
	must.Succeed(t, s.Add(t.Context(), tables, v))
	for _, table := range tables {
		must.Succeed(t, space.Filter(t.Context(), table))
	}
	must.Succeed(t, s.Score(t.Context(), dst, tables))
}

func testInner(t *testing.T, name string, space compose.Space, s shard.Shard, matrix mat.Matrix, v [][]float64) {
	t.Helper()
	tables := [][]float64{make([]float64, space.Size()), make([]float64, space.Size())}
	must.Succeed(t, s.Add(t.Context(), tables, v[:2]))
	must.Succeed(t, space.Filter(t.Context(), tables[1]))
	want := mat.Inner(mat.NewVecDense(len(v[0]), v[0]), matrix, mat.NewVecDense(len(v[1]), v[1]))
	if got := vectors.Dot(tables[0], tables[1]); !near(got, want) {
		t.Fatalf("%s: inner product %v, want %v", name, got, want)
	}
}

// testSquares compares vᵀ·K·D·K·u, D a diagonal of weights, with that of the dense matrix.
func testSquares(t *testing.T, name string, space compose.Space, s shard.Shard, matrix mat.Matrix, v [][]float64) {
	t.Helper()
	tables := [][]float64{make([]float64, space.Size()), make([]float64, space.Size())}
	must.Succeed(t, s.Add(t.Context(), tables, v[:2]))
	for _, table := range tables {
		must.Succeed(t, space.Filter(t.Context(), table))
	}
	squares := make([]float64, space.Size())
	must.Succeed(t, shard.AddSquares(t.Context(), s, squares, tables[1], v[2]))
	var left, right, weighted mat.VecDense
	left.MulVec(matrix, mat.NewVecDense(len(v[0]), v[0]))
	right.MulVec(matrix, mat.NewVecDense(len(v[1]), v[1]))
	weighted.MulElemVec(&right, mat.NewVecDense(len(v[2]), v[2]))
	if got, want := vectors.Dot(tables[0], squares), mat.Dot(&left, &weighted); !near(got, want) {
		t.Fatalf("%s: vᵀKDKu = %v, want %v", name, got, want)
	}
}

// TestThreadsChangeNoBit adds shards on different numbers of threads.
func TestThreadsChangeNoBit(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	c, k := randomCorpus(t, rng, 200), kernels(t)["gapped, rc, norm"]
	records, v := divided(t, k, c, 11), make([]float64, 200)
	for i := range v {
		v[i] = rng.NormFloat64()
	}
	var first []float64
	for _, threads := range []int{1, 2, 5} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
		dst := make([]float64, len(v))
		product(t, compose.SpaceOf(k), records, [][]float64{dst}, [][]float64{v})
		if first == nil {
			first = dst
		}
		if !slices.Equal(dst, first) {
			t.Errorf("%d threads have other bits", threads)
		}
	}
}

// failing is a shard that cannot be read.
type failing struct{ shard.Shard }

var errFailing = errors.New("shard 3 cannot be read")

func (failing) Add(context.Context, [][]float64, [][]float64) error { return errFailing }

func TestErrors(t *testing.T) {
	c, k := randomCorpus(t, rand.New(rand.NewPCG(5, 6)), 100), kernels(t)["spectrum"]
	records := divided(t, k, c, 9)
	table, v := [][]float64{make([]float64, 64)}, [][]float64{make([]float64, 100)}
	v[0][0] = 1
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := records.Add(ended, table, v); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled Add returns %v", err)
	}
	if err := records.Score(ended, v, table); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled Score returns %v", err)
	}
	records[3] = failing{records[3]}
	if err := records.Add(t.Context(), table, v); err != nil {
		t.Errorf("a shard without a weight is read: %v", err)
	}
	v[0][3*100/9] = 1
	if err := records.Add(t.Context(), table, v); !errors.Is(err, errFailing) {
		t.Errorf("a shard's error becomes %v", err)
	}
	long := spectrum.Kernel{K: 20, Alphabet: stringkernel.DNA}
	if _, err := packed.Pack(t.Context(), long, long.Alphabet, c); err == nil || !strings.Contains(err.Error(), "fold") {
		t.Errorf("20-mers: %v", err)
	}
}
