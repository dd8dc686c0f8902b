package gapped

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
	"pgregory.net/rapid"
)

// drawKernel draws any kernel that Check passes: k = l, d = 0, d = l, k-mers of one letter and the longest ones
// included.
func drawKernel(t *rapid.T) (k Kernel, letters string) {
	k.Alphabet = rapid.SampledFrom([]stringkernel.Alphabet{stringkernel.DNA, stringkernel.DNA, stringkernel.Protein,
		stringkernel.Bytes}).
		Draw(t, "alphabet")
	letters, longest := "ACGT", 32
	switch k.Alphabet {
	case stringkernel.Protein:
		letters, longest = "AGV", 12
	case stringkernel.Bytes:
		letters, longest = "a\x00\xff", 8
	}
	k.L = rapid.OneOf(rapid.IntRange(1, min(6, longest)), rapid.IntRange(1, longest)).Draw(t, "l")
	k.K = rapid.IntRange(1, k.L).Draw(t, "k")
	k.Filter = rapid.SampledFrom([]Filter{Plain, Full, Truncated, Wildcard}).Draw(t, "filter")
	k.D = rapid.SampledFrom([]int{0, min(1, k.L-k.K), k.L - k.K, k.L}).Draw(t, "d")
	if k.D == k.L && !k.estimates() {
		k.D = k.L - k.K
	}
	if k.Filter == Wildcard {
		k.Lambda = rapid.SampledFrom([]float64{1, 0.7, 0.01}).Draw(t, "lambda")
	}
	k.Clip = k.L < 7 && rapid.Bool().Draw(t, "clip")
	k.Center = rapid.SampledFrom([]string{"", "", "7:2", "255:0.5"}).Draw(t, "center")
	if err := k.Check(); err != nil || k.engine().maskCount() > 300 {
		t.Skip("too many choices of positions")
	}
	if k.Alphabet == stringkernel.DNA && rapid.Bool().Draw(t, "both strands") {
		k = k.BothStrands().(Kernel)
	}
	return k, letters
}

// drawSequences draws sequences about as long as k-mers are, with breaks where there are any, copies with a change,
// repeats and palindromes.
func drawSequences(t *rapid.T, k Kernel, letters string, n int) [][]byte {
	if k.Alphabet != stringkernel.Bytes {
		letters += string(letters[0]) + "x"
	}
	var all [][]byte
	for range n {
		var x []byte
		switch kind := rapid.IntRange(0, 5).Draw(t, "kind"); {
		case kind == 0 && len(all) > 0:
			x = slices.Clone(rapid.SampledFrom(all).Draw(t, "copied"))
			if len(x) > 0 {
				x[rapid.IntRange(0, len(x)-1).Draw(t, "at")] = letters[0]
			}
		case kind == 1:
			x = []byte(strings.Repeat(letters[:2], k.L))
		case kind == 2 && k.Alphabet == stringkernel.DNA:
			half := rapid.SliceOfN(rapid.SampledFrom([]byte("ACGT")), 0, k.L).Draw(t, "half")
			x = append(slices.Clone(half), stringkernel.DNA.ReverseComplementTo(nil, half)...)
		default:
			x = rapid.SliceOfN(rapid.SampledFrom([]byte(letters)), 0, 2*k.L+3).Draw(t, "x")
		}
		all = append(all, x)
	}
	return all
}

// TestAnyKernelInAnyEngine compares every way to a value with pairs of k-mers compared one by one.
func TestAnyKernelInAnyEngine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k, letters := drawKernel(t)
		e, seqs := k.engine(), drawSequences(t, k, letters, 5)
		var b stringkernel.CorpusBuilder
		for _, x := range seqs {
			b.Add("", x)
		}
		c, n := b.Corpus(), len(seqs)
		want, norms, v := make([][]float64, n), make([]float64, n), make([]float64, n)
		for i, x := range seqs {
			want[i] = make([]float64, n)
			for j, y := range seqs {
				want[i][j] = kmerPairs(e, x, y)
			}
			norms[i] = math.Sqrt(math.Abs(want[i][i])) + math.Sqrt(k.roughNorm(x))
			v[i] = rapid.SampledFrom([]float64{-2, -0.5, 0, 1, 1e3}).Draw(t, "v")
		}
		scale, product := 0.0, make([]float64, n)
		for j := range v {
			scale += math.Abs(v[j]) * norms[j]
			for i := range product {
				product[i] += v[j] * want[i][j]
			}
		}
		same := func(what string, got, want, scale float64) {
			if !(math.Abs(got-want) <= 1e-13*(10+e.cancellation())*scale) {
				t.Fatalf("%s of %+v on %q is %v, by pairs %v", what, k, seqs, got, want)
			}
		}
		for i, x := range seqs {
			same("k(x, x)", k.SelfEval(x), want[i][i], norms[i]*norms[i])
			for j, y := range seqs {
				same("k(x, y)", k.Eval(x, y), want[i][j], norms[i]*norms[j])
			}
		}
		for _, g := range gramsOf(t, e, c) {
			got := make([]float64, n)
			for i := range n {
				g.Row(got, i)
				for j := range n {
					same("an entry", got[j], want[i][j], norms[i]*norms[j])
				}
			}
			g.MulVecTo(got, v)
			for i := range n {
				same("a product", got[i], product[i], norms[i]*scale)
			}
			dense := stringkernel.DenseOf(g)
			if (dense != nil) != e.listable() {
				t.Fatalf("the matrix of %+v has Dense: %v, want %v", k, dense != nil, e.listable())
			} else if dense != nil {
				if time, _, _ := dense.DenseCost(context.Background(), math.Inf(1)); !(time > 0) ||
					math.IsInf(time, 1) {
					t.Fatalf("the matrix of %+v would take %v ns", k, time)
				}
				all := make([]float64, n*n)
				dense.DenseTo(context.Background(), all)
				for i := range n {
					for j := range n {
						same("an entry of all", all[i*n+j], want[i][j], norms[i]*norms[j])
					}
				}
			}
		}
		for _, s := range scorersOf(t, e, c, [][]float64{v, make([]float64, n)}) {
			got := []float64{1, 1}
			for i, x := range seqs {
				s.ScoreTo(got, x)
				same("a score", got[0], product[i], norms[i]*scale)
				same("a score of nothing", got[1], 0, 0)
				sum, parts := 0.0, make([]float64, len(x))
				stringkernel.ExplainerOf(s).ExplainTo(parts, 0, x)
				for _, p := range parts {
					sum += p
				}
				same("an explanation", sum, product[i], norms[i]*scale)
			}
		}
	})
}

// roughNorm is the size of the terms of k(x, x).
func (k Kernel) roughNorm(x []byte) float64 {
	e, sum := k.engine(), 0.0
	for _, h := range e.h {
		sum = max(sum, math.Abs(h))
	}
	weight := 0.0
	e.coder.each(x, func(i int, _ uint64, _ uint32) { weight += e.centre.weight(i, len(x)-k.L+1) })
	return 4 * sum * weight * weight
}

// kmerPairs is the kernel by its definition on any alphabet, with breaks, both strands and centre weights.
func kmerPairs(e *engine, x, y []byte) float64 {
	l := e.coder.length
	type mer struct {
		text   []byte
		weight float64
	}
	kmers := func(x []byte) (list []mer) {
		for i := 0; i+l <= len(x); i++ {
			w := x[i : i+l]
			if slices.ContainsFunc(w, func(b byte) bool { return e.coder.code[b] < 0 }) {
				continue
			}
			list = append(list, mer{w, e.centre.weight(i, len(x)-l+1)})
			if e.rc {
				list = append(list, mer{stringkernel.DNA.ReverseComplementTo(nil, w), e.centre.weight(i, len(x)-l+1)})
			}
		}
		return list
	}
	sum, others := 0.0, kmers(y)
	for _, u := range kmers(x) {
		for _, w := range others {
			distance := 0
			for p, letter := range u.text {
				if w.text[p] != letter {
					distance++
				}
			}
			sum += u.weight * w.weight * e.h[distance]
		}
	}
	return sum
}

func gramsOf(t *rapid.T, e *engine, c *stringkernel.Corpus) []stringkernel.Gram {
	byMasks, err := newMaskGram(context.Background(), e, c)
	if err != nil {
		t.Fatal(err)
	}
	chosen, err := e.gram(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	grams := []stringkernel.Gram{byMasks, chosen}
	if e.tabular && e.tableSize() <= 1<<16 {
		grams = append(grams, newGram(context.Background(), e, c))
	}
	return grams
}

// scorersOf returns the scorers of all engines, and each as restored from its arrays.
func scorersOf(t *rapid.T, e *engine, c *stringkernel.Corpus, coef [][]float64) []stringkernel.Scorer {
	codes, sums := collectKmers(context.Background(), e, c, coef)
	byMasks, err := newLongScorer(context.Background(), e, codes, sums, newMaskTables)
	if err != nil {
		t.Fatal(err)
	}
	byNeighbours, err := newLongScorer(context.Background(), e, codes, sums, newNeighbours)
	if err != nil {
		t.Fatal(err)
	}
	scorers := []stringkernel.Scorer{byMasks, byNeighbours}
	if e.tabular && e.tableSize() > 1<<16 {
		return scorers
	}
	merged, err := e.merge(context.Background(), c, stringkernel.NewCoefficients(c.Len(), coef))
	if err != nil {
		t.Fatal(err)
	}
	arrays := arraysOf(merged)
	restored, err := e.restore(arrays)
	if err != nil {
		t.Fatal(err)
	}
	return append(scorers, merged, restored)
}
