package spectrum

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// forceRows makes every part that has the choice take its rows by postings, or by scatter and gather.
func forceRows(g *gram, inverted bool) {
	for _, p := range g.parts {
		f, ok := p.(*flatPart)
		if !ok {
			continue
		}
		f.byFeature = inverted
		f.inverted = cancel.Once[*postings]{Make: func(ctx context.Context) *postings {
			if !inverted {
				return nil
			}
			return newPostings(ctx, f.inc, f.features, false)
		}}
	}
}

func TestGramIsTheDefinition(t *testing.T) {
	everyKernel(t, func(t *testing.T, k Kernel) {
		r := rand.New(rand.NewPCG(2, uint64(k.K)))
		c := drawCorpus(t, r, k.Alphabet, 17, 60)
		n := c.Len()
		features := make([]map[string]int, n)
		for i := range n {
			features[i] = definition(k, c.Seq(i))
		}
		want := make([][]float64, n)
		for i := range n {
			want[i] = make([]float64, n)
			for j := range n {
				want[i][j] = inner(features[i], features[j])
			}
		}
		for _, depth := range depths(k, 16) {
			checkGram(t, newGram(context.Background(), k, c, depth), want, r)
		}
	})
}

func checkGram(t *testing.T, g *gram, want [][]float64, r *rand.Rand) {
	t.Helper()
	n := len(want)
	if g.Len() != n {
		t.Fatalf("Len = %d, want %d", g.Len(), n)
	}
	got := make([]float64, n)
	g.Diag(got)
	for i := range n {
		if got[i] != want[i][i] {
			t.Fatalf("diagonal %d = %v, want %v", i, got[i], want[i][i])
		}
	}
	for _, inverted := range []bool{false, true} {
		forceRows(g, inverted)
		for i := range n {
			g.Row(got, i)
			for j := range n {
				if got[j] != want[i][j] {
					t.Fatalf("inverted %v: K[%d][%d] = %v, want %v", inverted, i, j, got[j], want[i][j])
				}
			}
		}
	}
	for _, inverted := range []bool{false, true} {
		forceRows(g, inverted)
		checkProduct(t, g, want, r)
	}
}

func checkProduct(t *testing.T, g *gram, want [][]float64, r *rand.Rand) {
	t.Helper()
	n := len(want)
	v, got, again := randomVector(r, n), make([]float64, n), make([]float64, n)
	quadratic := 0.0
	g.MulVecTo(got, v)
	g.MulVecTo(again, v)
	for j := range n {
		sum := 0.0
		for i := range n {
			sum += v[i] * want[i][j]
		}
		if !near(got[j], sum, absSum(v, want[j])) {
			t.Fatalf("(K·v)[%d] = %v, want %v", j, got[j], sum)
		}
		if math.Float64bits(got[j]) != math.Float64bits(again[j]) {
			t.Fatal("two products differ")
		}
		quadratic += v[j] * got[j]
	}
	if quadratic < -1e-9 {
		t.Fatalf("vᵀKv = %v", quadratic)
	}
}

// A corpus large enough for the parallel loops, and for every layout of the incidence to be the smaller one somewhere.
func TestGramRegimesAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	var seqs [][]byte
	for i := range 150 {
		seqs = append(seqs, draw(r, "ACGT", 500+r.IntN(200), i%3 == 0))
	}
	c, _ := stringkernel.NewCorpus(seqs, nil)
	n := c.Len()
	v := randomVector(r, n)
	for _, k := range []Kernel{{K: 2}, {K: 6}, {K: 9}, {K: 3, Bounded: true}, {K: 9, Bounded: true}} {
		k.Alphabet = stringkernel.DNA
		var rows [][]float64
		var product []float64
		for _, depth := range depths(k, 18) {
			g := newGram(context.Background(), k, c, depth)
			for _, inverted := range []bool{false, true} {
				forceRows(g, inverted)
				for q, i := range []int{0, 1, 77, n - 1} {
					row := make([]float64, n)
					g.Row(row, i)
					if len(rows) <= q {
						rows = append(rows, row)
					}
					for j := range n {
						if row[j] != rows[q][j] || j == i && row[j] != k.SelfEval(c.Seq(i)) {
							t.Fatalf(
								"%+v, depth %d, inverted %v: K[%d][%d] = %v, else %v",
								k,
								depth,
								inverted,
								i,
								j,
								row[j],
								rows[q][j],
							)
						}
					}
				}
			}
			dst := make([]float64, n)
			g.MulVecTo(dst, v)
			if product == nil {
				product = dst
			}
			for j := range n {
				if math.Abs(dst[j]-product[j]) > 1e-12*absSum(v, rows[0])*float64(n) {
					t.Fatalf("%+v, depth %d: product %v, else %v", k, depth, dst[j], product[j])
				}
			}
		}
	}
}

// The methods of one Gram from several goroutines: run with -race.
func TestGramIsConcurrent(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	c := drawCorpus(t, r, stringkernel.DNA, 40, 200)
	for _, k := range []Kernel{{K: 3}, {K: 14}, {K: 16, Bounded: true}} {
		k.Alphabet = stringkernel.DNA
		made, err := k.Gram(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		v := randomVector(r, c.Len())
		want := make([]float64, c.Len())
		made.MulVecTo(want, v)
		var wait sync.WaitGroup
		for i := range 6 {
			wait.Go(func() {
				got := make([]float64, c.Len())
				for range 5 {
					made.Row(got, i)
					if got[i] != k.Eval(c.Seq(i), c.Seq(i)) {
						t.Error("a row differs from Eval")
					}
					made.MulVecTo(got, v)
					for j := range got {
						if math.Float64bits(got[j]) != math.Float64bits(want[j]) {
							t.Error("a product differs")
						}
					}
				}
			})
		}
		wait.Wait()
	}
}

func TestGramOfNothing(t *testing.T) {
	for _, seqs := range [][][]byte{nil, {nil}, {nil, []byte("N"), []byte("AC")}} {
		c, _ := stringkernel.NewCorpus(seqs, nil)
		for _, k := range []Kernel{{K: 5}, {K: 20}, {K: 20, Bounded: true}} {
			k.Alphabet = stringkernel.DNA
			g, err := k.Gram(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			dst, v := make([]float64, c.Len()), make([]float64, c.Len())
			for i := range v {
				v[i] = 1
			}
			g.Diag(dst)
			g.MulVecTo(dst, v)
			for i := range dst {
				if want := k.Eval(c.Seq(i), c.Seq(i)); dst[i] != want {
					t.Errorf("%+v: product %v, want %v", k, dst[i], want)
				}
				g.Row(v, i)
				if v[i] != dst[i] {
					t.Errorf("%+v: row %v", k, v)
				}
			}
		}
	}
}

func TestRowsByPostingsWhereTheyAreCheaper(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	var seqs [][]byte
	for range 200 {
		seqs = append(seqs, draw(r, "ACGT", 100, false))
	}
	c, _ := stringkernel.NewCorpus(seqs, nil)
	row := make([]float64, c.Len())
	for k, want := range map[int]bool{2: false, 7: true, 12: true} {
		g := newGram(context.Background(),
			Kernel{K: k, Alphabet: stringkernel.DNA},
			c,
			gramDepth(Kernel{K: k, Alphabet: stringkernel.DNA}, c.Letters()),
		)
		g.Row(row, 0)
		if got := g.parts[0].(*flatPart).inverted.Get(t.Context()) != nil; got != want {
			t.Errorf("k = %d: rows by postings: %v, want %v", k, got, want)
		}
	}
}

// Long sequences are indexed and counted in pieces: the same matrix, and the same k(x, x), as by the definition.
func TestLongSequences(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for _, length := range []int{pieceLetters - 1, pieceLetters, pieceLetters + 4, pieceLetters + 5,
		2*pieceLetters + 3} {
		var b stringkernel.CorpusBuilder
		for range 2 {
			x := make([]byte, length)
			for i := range x {
				x[i] = "ACGTN"[rng.IntN(50)%5]
			}
			b.Add("", x)
		}
		c := b.Corpus()
		k := Kernel{K: 5, Alphabet: stringkernel.DNA}
		g, err := k.Gram(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		row, diag := make([]float64, 2), make([]float64, 2)
		g.Row(row, 0)
		g.Diag(diag)
		if want := counted(c.Seq(0), c.Seq(0)); row[0] != want || diag[0] != want || k.SelfEval(c.Seq(0)) != want {
			t.Errorf("%d letters: k(x, x) is %v, %v and %v, want %v", length, row[0], diag[0], k.SelfEval(c.Seq(0)),
				want)
		}
		if want := counted(c.Seq(0), c.Seq(1)); row[1] != want {
			t.Errorf("%d letters: k(x, y) is %v, want %v", length, row[1], want)
		}
	}
}

// counted is the kernel of 5-mers without N, counted in maps.
func counted(x, y []byte) (sum float64) {
	counts := map[string]float64{}
	for i := 0; i+5 <= len(x); i++ {
		if w := string(x[i : i+5]); !strings.Contains(w, "N") {
			counts[w]++
		}
	}
	for i := 0; i+5 <= len(y); i++ {
		sum += counts[string(y[i:i+5])]
	}
	return sum
}

// The k-mers of long sequences, counted part by part or in large arrays, are as many as in a map.
func TestSquaresOfLongSequences(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	x := append(draw(rng, "ACGT", 30_000, true), bytes.Repeat([]byte("ACGTTGCAACG"), 4000)...)
	for _, length := range []int{9, 10, 11, 16, 32} {
		counts, want, all := map[string]uint64{}, uint64(0), 0
		for i := 0; i+length <= len(x); i++ {
			if w := string(x[i : i+length]); strings.Trim(w, "ACGT") == "" {
				counts[w]++
				all++
			}
		}
		for _, n := range counts {
			want += n * n
		}
		coder := newCoder(stringkernel.DNA, length)
		for name, squares := range map[string]func(c *counter) (uint64, int){
			"by parts": func(c *counter) (uint64, int) { return c.longSquares(t.Context(), &coder, x) },
			"in an array": func(c *counter) (uint64, int) {
				return c.directSquares(t.Context(), &coder, x, coder.Bits*uint(length))
			},
		} {
			if name == "in an array" && length > 10 {
				continue
			}
			c := new(counter)
			for range 2 {
				if got, kmers := squares(c); got != want || kmers != all {
					t.Errorf("%d letters %s: %d of %d k-mers, want %d of %d", length, name, got, kmers, want, all)
				}
			}
		}
	}
}
