package spectrum

import (
	"context"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
)

func merge(k Kernel, sv *stringkernel.Corpus, dense int, table bool, coef ...[]float64) *scorer {
	weights, err := mergeWeights(context.Background(), k, sv, coef, table)
	if err != nil {
		panic(err) // never: the corpora are small
	}
	s, err := newScorer(k, len(coef), weights, dense)
	if err != nil {
		panic(err)
	}
	return s
}

func scores(s stringkernel.Scorer, x []byte) []float64 {
	dst := make([]float64, s.Outputs())
	s.ScoreTo(dst, x)
	return dst
}

func sameBits(a, b []float64) bool {
	for i := range a {
		if math.Float64bits(a[i]) != math.Float64bits(b[i]) {
			return false
		}
	}
	return len(a) == len(b)
}

func TestScoreIsTheSumOfKernels(t *testing.T) {
	everyKernel(t, func(t *testing.T, k Kernel) {
		r := rand.New(rand.NewPCG(6, uint64(k.K)))
		sv := drawCorpus(t, r, k.Alphabet, 12, 60)
		queries := kerneltest.Concat(drawCorpus(t, r, k.Alphabet, 10, 90), sv)
		coef := [][]float64{randomVector(r, sv.Len()), randomVector(r, sv.Len()), make([]float64, sv.Len())}
		copy(coef[2], coef[0])
		var single, triple []*scorer
		for _, dense := range depths(k, 16) {
			single = append(single, merge(k, sv, dense, false, coef[0]))
			triple = append(triple, merge(k, sv, dense, false, coef...))
			if k.Alphabet.Bits()*k.K <= 16 {
				single = append(single, merge(k, sv, dense, true, coef[0]))
				triple = append(triple, merge(k, sv, dense, true, coef...))
			}
		}
		own := make([]map[string]int, sv.Len())
		for i := range own {
			own[i] = definition(k, sv.Seq(i))
		}
		for q := range queries.Len() {
			x := queries.Seq(q)
			features := definition(k, x)
			first := scores(triple[0], x)
			for m := range coef {
				want, scale := 0.0, 0.0
				for i := range sv.Len() {
					value := inner(features, own[i])
					want += coef[m][i] * value
					scale += math.Abs(coef[m][i] * value)
				}
				if !near(first[m], want, scale) {
					t.Fatalf("score %d of %q = %v, want %v", m, x, first[m], want)
				}
			}
			for v, s := range triple {
				if !sameBits(scores(s, x), first) {
					t.Fatalf("variant %d: scores %v, else %v", v, scores(s, x), first)
				}
			}
			for v, s := range single {
				if !sameBits(scores(s, x), first[:1]) {
					t.Fatalf("variant %d: one output %v, of three %v", v, scores(s, x), first[:1])
				}
				checkExplanation(t, s, 0, x, first[0])
			}
			checkExplanation(t, triple[len(triple)-1], 1, x, first[1])
		}
	})
}

func checkExplanation(t *testing.T, s *scorer, m int, x []byte, want float64) {
	t.Helper()
	dst := make([]float64, len(x))
	for i := range dst {
		dst[i] = math.NaN() // must be overwritten
	}
	s.ExplainTo(dst, m, x)
	sum, scale := 0.0, 0.0
	for _, c := range dst {
		sum += c
		scale += math.Abs(c)
	}
	if !near(sum, want, 100*(scale+float64(len(x)))) {
		t.Fatalf("contributions to %q sum to %v, score is %v", x, sum, want)
	}
}

// Contributions by the definition: every occurrence of a k-mer gives each of its letters weight / length.
func TestExplanationIsTheDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for _, k := range []Kernel{{K: 3}, {K: 13}, {K: 4, Bounded: true}, {K: 15, Bounded: true}} {
		k.Alphabet = stringkernel.DNA
		sv := drawCorpus(t, r, k.Alphabet, 9, 60)
		alpha := randomVector(r, sv.Len())
		weights := map[string]float64{}
		for i := range sv.Len() {
			for mer, n := range definition(k, sv.Seq(i)) {
				weights[mer] += alpha[i] * float64(n)
			}
		}
		x := append(append([]byte("ANACGT"), sv.Seq(4)...), sv.Seq(6)...)
		want := make([]float64, len(x))
		for i := range x {
			for j := i + 1; j <= len(x); j++ {
				w := weights[string(x[i:j])] / float64(j-i)
				for p := i; p < j; p++ {
					want[p] += w
				}
			}
		}
		for _, dense := range depths(k, 10) {
			got := make([]float64, len(x))
			merge(k, sv, dense, false, alpha).ExplainTo(got, 0, x)
			for p := range x {
				if !near(got[p], want[p], 100) {
					t.Fatalf("%+v: position %d: %v, want %v", k, p, got[p], want[p])
				}
			}
		}
	}
}

func TestMergedScoresAreTheProduct(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for _, a := range []stringkernel.Alphabet{stringkernel.DNA, stringkernel.Bytes} {
		c := drawCorpus(t, r, a, 30, 120)
		for _, k := range []Kernel{{K: 3}, {K: 7}, {K: 2, Bounded: true}, {K: 8, Bounded: true}} {
			k.Alphabet = a
			v := randomVector(r, c.Len())
			g, err := k.Gram(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			s, err := stringkernel.Merge(t.Context(), k, c, v)
			if err != nil {
				t.Fatal(err)
			}
			product, row := make([]float64, c.Len()), make([]float64, c.Len())
			g.MulVecTo(product, v)
			for j := range product {
				g.Row(row, j)
				if got := scores(s, c.Seq(j))[0]; !near(got, product[j], absSum(v, row)) {
					t.Errorf("%+v: score %v, product %v", k, got, product[j])
				}
			}
		}
	}
}

// Weights that cancel leave k-mers without a weight whose extensions have one.
func TestCancellingWeights(t *testing.T) {
	sv, _ := stringkernel.NewCorpus([][]byte{[]byte("ACGTACGTAC"), []byte("ACGTACGTAG")}, nil)
	k := Kernel{K: 10, Bounded: true, Alphabet: stringkernel.DNA}
	for _, dense := range depths(k, 12) {
		s := merge(k, sv, dense, false, []float64{1, -1})
		for _, x := range []string{"ACGTACGTAC", "ACGTACGTAG", "TAC", "TAG", "ACG"} {
			want := k.Eval(sv.Seq(0), []byte(x)) - k.Eval(sv.Seq(1), []byte(x))
			if got := scores(s, []byte(x))[0]; got != want {
				t.Errorf("dense %d: score of %s = %v, want %v", dense, x, got, want)
			}
		}
	}
}

func TestMergeRefuses(t *testing.T) {
	sv, _ := stringkernel.NewCorpus([][]byte{[]byte("ACGT")}, nil)
	k := Kernel{K: 2, Alphabet: stringkernel.DNA}
	if _, err := stringkernel.Merge(t.Context(), k, sv); err == nil {
		t.Error("no coefficients are taken")
	}
	if _, err := stringkernel.Merge(t.Context(), k, sv, []float64{1, 2}); err == nil {
		t.Error("two coefficients for one support vector are taken")
	}
}

func TestScorerIsConcurrent(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	sv := drawCorpus(t, r, stringkernel.DNA, 30, 200)
	for _, k := range []Kernel{{K: 4}, {K: 20}, {K: 20, Bounded: true}} {
		k.Alphabet = stringkernel.DNA
		s, err := stringkernel.Merge(t.Context(), k, sv, randomVector(r, sv.Len()), randomVector(r, sv.Len()))
		if err != nil {
			t.Fatal(err)
		}
		var wait sync.WaitGroup
		for i := range 4 {
			x := sv.Seq(4 + i)
			want := scores(s, x)
			wait.Go(func() {
				for range 20 {
					if !sameBits(scores(s, x), want) || k.SelfEval(x) != k.Eval(x, x) {
						t.Error("a concurrent score differs")
					}
				}
			})
		}
		wait.Wait()
	}
}

// Every byte at every place among nucleotides, and every run length: the loop over eight letters against the one over
// one.
func TestNucleotidesEightAtATime(t *testing.T) {
	for _, a := range []stringkernel.Alphabet{stringkernel.DNA, stringkernel.RNA} {
		r := rand.New(rand.NewPCG(15, 15))
		k := Kernel{K: 3, Bounded: true, Alphabet: a}
		letters := map[stringkernel.Alphabet]string{stringkernel.DNA: "ACGT", stringkernel.RNA: "ACGU"}[a]
		sv, _ := stringkernel.NewCorpus([][]byte{draw(r, letters, 300, false)}, nil)
		one, two := merge(k, sv, 3, false, []float64{0.3}), merge(k, sv, 3, false, []float64{0.3}, []float64{1})
		for length := range 40 {
			for trial := range 256 {
				x := draw(r, letters, length, false)
				if length > 0 {
					x[r.IntN(length)] = byte(trial)
				}
				if got, want := scores(one, x), scores(two, x)[:1]; !sameBits(got, want) {
					t.Fatalf("score of %q = %v, want %v", x, got, want)
				}
			}
		}
		for at := range 16 {
			for b := range 256 {
				x := draw(r, letters, 24, false)
				x[at] = byte(b)
				if got, want := scores(one, x), scores(two, x)[:1]; !sameBits(got, want) {
					t.Fatalf("score of %q = %v, want %v", x, got, want)
				}
			}
		}
	}
}

// Queries of several blocks of k-mers, with breaks: one output against two, which go k-mer by k-mer, to the last bit.
func TestLongQueries(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 16))
	for _, a := range []stringkernel.Alphabet{stringkernel.DNA, stringkernel.Protein, stringkernel.Bytes} {
		sv := drawCorpus(t, r, a, 20, 300)
		alpha := randomVector(r, sv.Len())
		var queries [][]byte
		for length := range 5 { // lengths around a block's
			queries = append(queries, draw(r, drawn[a][:3], blockSize+length, true))
		}
		queries = append(queries, draw(r, drawn[a], 3000, false), append(draw(r, drawn[a], 1000, true), sv.Seq(4)...))
		for _, k := range []Kernel{{K: 2}, {K: 5}, {K: 8}, {K: 3, Bounded: true}, {K: 8, Bounded: true}} {
			k.Alphabet = a
			for _, dense := range depths(k, 16) {
				one, two := merge(k, sv, dense, false, alpha), merge(k, sv, dense, false, alpha, alpha)
				for _, x := range queries {
					if got, want := scores(one, x), scores(two, x); got[0] != want[0] || got[0] != want[1] {
						t.Fatalf("%+v, dense %d: %v, else %v", k, dense, got, want)
					}
				}
			}
		}
	}
}
