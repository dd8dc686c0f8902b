package gapped

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
)

const aminoAcids = "ACDEFGHIKLMNPQRSTVWY"

// TestDenseConforms runs the suite, which compares whole matrices with Eval, on what wraps these kernels.
func TestDenseConforms(t *testing.T) {
	plain := Kernel{L: 3, K: 2, D: 1, Filter: Plain, Alphabet: stringkernel.Protein}
	near := Mismatch{K: 3, M: 1, Alphabet: stringkernel.Protein}
	for name, k := range map[string]stringkernel.Kernel{
		"table":      tabled{plain},
		"masks":      masked{plain},
		"normalised": compose.Normalized{Kernel: plain},
		"rbf":        compose.RBF{Kernel: compose.Normalized{Kernel: near}, Gamma: 0.5},
		"sum":        compose.Mean{Terms: []stringkernel.Kernel{compose.Normalized{Kernel: plain}, near}},
	} {
		g, err := k.Gram(t.Context(), relatives(rand.New(rand.NewPCG(51, 1)), 5, 30, aminoAcids))
		if err != nil {
			t.Fatal(err)
		}
		matrix, product, _ := stringkernel.DenseOf(g).DenseCost(context.Background(), math.Inf(1))
		if math.IsInf(matrix, 1) || !(product > 0) {
			t.Errorf("%s: a matrix in %v ns, a product in %v", name, matrix, product)
		}
		t.Run(name, func(t *testing.T) { kerneltest.Run(t, k, kerneltest.Options{Letters: aminoAcids, Breaks: "X*"}) })
	}
}

// TestDenseOfManyRecords compares whole matrices, of more rows than a task has and to the last bit for any number of
// processors, with rows.
func TestDenseOfManyRecords(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for name, k := range map[string]Kernel{
		"protein":            {L: 4, K: 2, D: 2, Filter: Plain, Alphabet: stringkernel.Protein},
		"weighted":           {L: 4, K: 2, D: 2, Filter: Plain, Center: "255:0.5", Alphabet: stringkernel.Protein},
		"dna, both strands":  {L: 6, K: 4, D: 2, Filter: Full, Alphabet: stringkernel.DNA, rc: true},
		"dna beyond a table": {L: 14, K: 12, D: 2, Filter: Truncated, Alphabet: stringkernel.DNA},
	} {
		letters := aminoAcids
		if k.Alphabet == stringkernel.DNA {
			letters = "ACGT"
		}
		c := relatives(rand.New(rand.NewPCG(51, 2)), 3*rowsAtOnce+7, 60, letters)
		g, err := k.Gram(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		n, tolerance := c.Len(), 1e-12*(1+k.engine().cancellation())
		diag, row := make([]float64, n), make([]float64, n)
		g.Diag(diag)
		var first []float64
		for _, procs := range []int{1, 3} {
			runtime.GOMAXPROCS(procs)
			all := make([]float64, n*n)
			stringkernel.DenseOf(g).DenseTo(context.Background(), all)
			if first == nil {
				first = all
			}
			for i := range n {
				g.Row(row, i)
				for j, want := range row {
					got := all[i*n+j]
					if math.Abs(got-want) > tolerance*math.Sqrt(diag[i]*diag[j]) {
						t.Fatalf("%s: (%d, %d) is %v, of the row %v", name, i, j, got, want)
					}
					if math.Float64bits(got) != math.Float64bits(first[i*n+j]) {
						t.Fatalf("%s: (%d, %d) is %v on one processor, %v on %d", name, i, j, first[i*n+j], got, procs)
					}
				}
			}
		}
	}
}

// TestDenseOfLongRepeats: a k-mer may occur more often than an entry of a list can say. K-mers of one letter have k = Σ
// of products of the letters' counts.
func TestDenseOfLongRepeats(t *testing.T) {
	e := Kernel{L: 1, K: 1, Filter: Plain, Alphabet: stringkernel.Protein}.engine()
	var b stringkernel.CorpusBuilder
	repeats := []int{3 * mostCount, 5, 0, mostCount, mostCount + 1, 2*mostCount + 5}
	for _, r := range repeats {
		b.Add("", []byte(strings.Repeat("A", r)+"CDC"))
	}
	c := b.Corpus()
	n := c.Len()
	diag, all := make([]float64, n), make([]float64, n*n)
	for i, r := range repeats {
		diag[i] = float64(r*r + 5)
	}
	dense(context.Background(), all, diag, len(e.masks()), e.indexer(context.Background(), new(sharer), c, e.masks()))
	for i, r := range repeats {
		for j, other := range repeats {
			if got, want := all[i*n+j], float64(r*other+5); got != want {
				t.Errorf("repeats of %d and %d letters: %v, want %v", r, other, got, want)
			}
		}
	}
}

// TestDenseIsRefused: of more k-mers than are to be listed, and where rounding would show.
func TestDenseIsRefused(t *testing.T) {
	k := Kernel{L: 4, K: 2, D: 2, Filter: Plain, Alphabet: stringkernel.Protein}
	e := k.engine()
	for name, c := range map[string]struct{ docs, kmers int }{"records": {mostDocs + 1, 10},
		"words": {2, mostListed + 1}} {
		if time := denseTime(context.Background(), c.docs, c.kmers, 0, nil, nil, math.Inf(1)); !math.IsInf(time, 1) {
			t.Errorf("too many %s would take %v ns", name, time)
		}
	}
	inexact := *e
	inexact.parts = []float64{1e8, -1e8, 1e8, -1e8, 1e8}
	g := newGram(context.Background(), &inexact, relatives(rand.New(rand.NewPCG(51, 3)), 3, 30, aminoAcids))
	if stringkernel.DenseOf(g) != nil {
		t.Errorf("terms %v times their sum are taken", inexact.cancellation())
	}
}

// TestDenseIsTooDear: an estimate is given up as soon as it exceeds the time of that many products, and is the same as
// ever if it does not.
func TestDenseIsTooDear(t *testing.T) {
	plain := Kernel{L: 4, K: 2, D: 2, Filter: Plain, Alphabet: stringkernel.Protein}
	for name, k := range map[string]stringkernel.Kernel{
		"table":      tabled{plain},
		"masks":      masked{plain},
		"normalised": compose.Normalized{Kernel: tabled{plain}},
		"rbf":        compose.RBF{Kernel: plain, Gamma: 0.5},
	} {
		g, err := k.Gram(t.Context(), relatives(rand.New(rand.NewPCG(51, 4)), 30, 60, aminoAcids))
		if err != nil {
			t.Fatal(err)
		}
		whole, product, _ := stringkernel.DenseOf(g).DenseCost(context.Background(), math.Inf(1))
		for _, share := range []float64{0, 0.01, 0.5, 0.9, 1.01, 2} {
			want := math.Inf(1)
			if share > 1 {
				want = whole
			}
			matrix, same, _ := stringkernel.DenseOf(g).DenseCost(context.Background(), share*whole/product)
			if matrix != want ||
				same != product {
				t.Errorf(
					"%s: %v ns for a matrix of %v ns beside %v of it, %v for a product, want %v",
					name,
					matrix,
					whole,
					share,
					same,
					product,
				)
			}
		}
	}
}

// BenchmarkDense computes whole matrices and products: what their estimated times rest on.
func BenchmarkDense(b *testing.B) {
	for _, set := range []struct {
		name       string
		n, length  int
		k          Kernel
		letters    string
		bothStrand bool
	}{
		{"protein", 2000, 400, Kernel{L: 5, K: 3, D: 2, Filter: Plain, Alphabet: stringkernel.Protein}, aminoAcids,
			false},
		{"protein-long", 2000, 400, Kernel{L: 8, K: 4, D: 4, Filter: Plain, Alphabet: stringkernel.Protein},
			aminoAcids, false},
		{"dna-long", 1000, 300, Kernel{L: 16, K: 10, D: 2, Filter: Truncated, Alphabet: stringkernel.DNA}, "ACGT",
			true},
	} {
		k := set.k
		k.rc = set.bothStrand
		if testing.Short() {
			set.n /= 10
		}
		c := relatives(rand.New(rand.NewPCG(52, 1)), set.n, set.length, set.letters)
		g, err := k.Gram(b.Context(), c)
		if err != nil {
			b.Fatal(err)
		}
		n := c.Len()
		all, v, row := make([]float64, n*n), make([]float64, n), make([]float64, n)
		for i := range v {
			v[i] = 1
		}
		matrix, product, _ := stringkernel.DenseOf(g).DenseCost(context.Background(), math.Inf(1))
		for what, run := range map[string]struct {
			call     func()
			estimate float64
		}{
			"matrix":   {func() { stringkernel.DenseOf(g).DenseTo(context.Background(), all) }, matrix},
			"product":  {func() { g.MulVecTo(row, v) }, product},
			"estimate": {func() { stringkernel.DenseOf(g).DenseCost(context.Background(), math.Inf(1)) }, 0},
		} {
			b.Run(fmt.Sprintf("%s/%s", set.name, what), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					run.call()
				}
				b.ReportMetric(run.estimate, "estimated-ns")
			})
		}
	}
}
