package substring_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/internal/drawn"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/internal/oracle"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
)

// texts is sequences in which strings are looked for one by one.
type texts [][]byte

// around returns the letters before and after every occurrence of s; "" is the end of a sequence and for
// a letter that breaks.
func (ts texts) around(s string) (before, behind map[string]int, count int) {
	before, behind = map[string]int{}, map[string]int{}
	letter := func(x []byte, i int) string {
		if i < 0 || i >= len(x) || !strings.ContainsRune("ACGT", rune(x[i])) {
			return fmt.Sprint("end", i) // never the same as another
		}
		return string(x[i])
	}
	for t, x := range ts {
		for i := 0; i+len(s) <= len(x); i++ {
			if string(x[i:i+len(s)]) == s {
				count++
				l, r := letter(x, i-1), letter(x, i+len(s))
				if len(l) > 1 {
					l += fmt.Sprint(t)
				}
				if len(r) > 1 {
					r += fmt.Sprint(t)
				}
				before[l]++
				behind[r]++
			}
		}
	}
	return before, behind, count
}

func only(letters map[string]int) (string, bool) {
	for l := range letters {
		return l, len(letters) == 1 && len(l) == 1
	}
	return "", false
}

// longest extends s by the letters that always surround it, up to a length: first after it, then before it.
func (ts texts) longest(s string, most int) string {
	for len(s) < most {
		_, behind, _ := ts.around(s)
		l, always := only(behind)
		if !always {
			break
		}
		s += l
	}
	for len(s) < most {
		before, _, _ := ts.around(s)
		l, always := only(before)
		if !always {
			break
		}
		s = l + s
	}
	return s
}

// TestTopFeaturesByDefinition groups all substrings of the support vectors by the string they are always part of, and
// drops those that owe half their weight to a longer one.
func TestTopFeaturesByDefinition(t *testing.T) {
	for _, w := range weightings {
		kernel := w.kernel
		kernel.Alphabet = stringkernel.DNA
		bound := math.MaxInt
		if kernel.K > 0 {
			bound = kernel.K
		}
		if kernel.Weight == substring.Length {
			bound = len(kernel.Weights)
		}
		t.Run(fmt.Sprintf("%+v", kernel), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				draw := rapid.SliceOfN(rapid.SampledFrom([]byte("AACGN")), 0, 14)
				seqs := rapid.SliceOfN(draw, 1, 4).Draw(t, "support vectors")
				coef := make([]float64, len(seqs))
				for i := range seqs {
					coef[i] = math.Cos(float64(i) + 0.5)
				}
				c, _ := stringkernel.NewCorpus(seqs, nil)
				fitted := must.Get(stringkernel.Fit(t.Context(), kernel, c))(t)
				s := must.Get(stringkernel.Merge(t.Context(), fitted, c, coef))(t)
				psi, all := func(string) float64 { return 1 }, texts(seqs)
				if kernel.Weight == substring.TFIDF {
					psi = oracle.SquaredIDF(seqs, "ACGT")
				}
				slope, in := map[string]float64{}, map[string]int{}
				for i, x := range seqs {
					for u, n := range oracle.Counts(x, "ACGT", 0) {
						slope[u] += coef[i] * n * psi(u)
						in[u]++
					}
				}
				explained := func(u string) bool {
					for _, l := range "ACGT" {
						for _, longer := range []string{string(l) + u, u + string(l)} {
							_, _, count := all.around(longer)
							if count >= 2 && len(longer) <= bound && slope[longer]/slope[u] >= 0.5-1e-9 {
								return true
							}
						}
					}
					return false
				}
				want, support := map[string]float64{}, map[string]int{}
				for u := range slope {
					if _, _, count := all.around(u); count < 2 || len(u) > bound {
						continue
					}
					class := all.longest(u, bound)
					if !explained(class) && math.Abs(slope[class]*w.weight(len(u))) > math.Abs(want[class]) {
						want[class], support[class] = slope[class]*w.weight(len(u)), in[class]
					}
				}
				got := map[string]bool{}
				for _, f := range stringkernel.FeatureListerOf(s).TopFeatures([]float64{1}, stringkernel.AllFeatures) {
					if got[f.Text] {
						t.Fatalf("%q is listed twice", f.Text)
					}
					got[f.Text] = true
					if math.Abs(f.Weight-want[f.Text]) > 1e-9*(1+math.Abs(f.Weight)) || f.Support != support[f.Text] {
						t.Fatalf("%q: weight %v, %d support vectors; by definition %v, %d", f.Text, f.Weight, f.Support,
							want[f.Text], support[f.Text])
					}
				}
				for u, weight := range want {
					if !got[u] && math.Abs(weight) > 1e-9 {
						t.Fatalf("%q of weight %v is not listed", u, weight)
					}
				}
			})
		})
	}
}

// TestFeaturesOfByDefinition finds every class of strings of a sequence by looking each up, in it and in the support
// vectors.
func TestFeaturesOfByDefinition(t *testing.T) {
	kernel := substring.Kernel{Weight: substring.Decay, Lambda: 0.7, Alphabet: stringkernel.DNA}
	rapid.Check(t, func(t *rapid.T) {
		draw := rapid.SliceOfN(rapid.SampledFrom([]byte("AACGN")), 0, 14)
		seqs := rapid.SliceOfN(draw, 1, 4).Draw(t, "support vectors")
		x := rapid.OneOf(draw, rapid.Just(seqs[0])).Draw(t, "query")
		coef := make([]float64, len(seqs))
		for i := range seqs {
			coef[i] = math.Cos(float64(i) + 0.5)
		}
		c, _ := stringkernel.NewCorpus(seqs, nil)
		s := must.Get(stringkernel.Merge(t.Context(), kernel, c, coef))(t)
		total := map[string]float64{}
		for i, y := range seqs {
			for u, n := range oracle.Counts(y, "ACGT", 0) {
				total[u] += coef[i] * n
			}
		}
		mine := oracle.Counts(x, "ACGT", 0)
		all, want, count := append(texts{x}, seqs...), map[string]float64{}, map[string]int{}
		for u, n := range mine {
			if _, found := total[u]; !found {
				continue
			}
			class := u
			// Letters that surround u in x and in the support vectors alike; x alone may go on where they end.
			class = all.longest(u, math.MaxInt)
			want[class] += total[u] * n * math.Pow(0.7, float64(len(u)))
			count[class] = int(n)
		}
		for _, f := range stringkernel.FeatureListerOf(s).FeaturesOf([]float64{1}, x, stringkernel.AllFeatures) {
			if math.Abs(f.Contribution-want[f.Text]) > 1e-9 || f.Count != count[f.Text] {
				t.Fatalf("%q: contribution %v, count %d; by definition %v, %d", f.Text, f.Contribution, f.Count,
					want[f.Text], count[f.Text])
			}
			delete(want, f.Text)
		}
		for u, weight := range want {
			if math.Abs(weight) > 1e-9 {
				t.Fatalf("%q of contribution %v is not listed", u, weight)
			}
		}
	})
}

// TestTopFeaturesOfRepeatsThatCancelOut takes a text of which every substring occurs twice, in support vectors that
// cancel out: each of its suffixes is of one class, and what takes a step per suffix and suffix would take minutes.
func TestTopFeaturesOfRepeatsThatCancelOut(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	long := drawn.Text(rng, "ACGT", 100_000)
	sv := must.Get(stringkernel.NewCorpus([][]byte{long, long, []byte("GATTACA")}, nil))(t)
	s := must.Get(stringkernel.Merge(t.Context(), substring.Kernel{Weight: substring.Constant, Alphabet: stringkernel.DNA}, sv,
		[]float64{0.1, -0.1, 1}))(t)
	for _, f := range stringkernel.FeatureListerOf(s).TopFeatures([]float64{1}, 10) {
		if !strings.Contains("GATTACA", f.Text) {
			t.Errorf("%.20q of weight %v, want substrings of the only text that does not cancel out", f.Text, f.Weight)
		}
	}
}

// TestTopFeaturesUnderALongList takes a text that occurs twice under weights of all its lengths: what looks at each
// length of each suffix would take minutes.
func TestTopFeaturesUnderALongList(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 7))
	long, weights := make([]byte, 120_000), make([]float64, 120_000)
	for i := range long {
		long[i], weights[i] = "ACGT"[rng.IntN(4)], rng.Float64()
	}
	weights[1000] = 2
	sv := must.Get(stringkernel.NewCorpus([][]byte{long, long}, nil))(t)
	s := must.Get(stringkernel.Merge(t.Context(), substring.Kernel{Weight: substring.Length, Weights: weights,
		Alphabet: stringkernel.DNA}, sv, []float64{1, 1}))(t)
	list := stringkernel.FeatureListerOf(s).TopFeatures([]float64{1}, stringkernel.AllFeatures)
	for _, f := range list {
		if len(f.Text) == len(long) {
			if f.Weight != 4 {
				t.Errorf("weight of the whole text %v, want twice the greatest of its substrings, 4", f.Weight)
			}
			return
		}
	}
	t.Errorf("the whole text is not among %d features", len(list))
}

// TestFeaturesOfRunsTakeLinearMemory asks for few features of a text whose substrings are of many lengths: those that
// are not listed are not written.
func TestFeaturesOfRunsTakeLinearMemory(t *testing.T) {
	const n = 3000
	run := bytes.Repeat([]byte("A"), n)
	sv := must.Get(stringkernel.NewCorpus([][]byte{run}, nil))(t)
	s := must.Get(stringkernel.Merge(t.Context(), substring.Kernel{Weight: substring.Constant, Alphabet: stringkernel.DNA}, sv, []float64{1}))(t)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	list := stringkernel.FeatureListerOf(s).FeaturesOf([]float64{1}, run, 1)
	runtime.ReadMemStats(&after)
	if len(list) != 1 || list[0].Text != "A" || list[0].Count != n || list[0].Contribution != n*n {
		t.Fatalf("%v, want A, %d times", list, n)
	}
	if taken := after.TotalAlloc - before.TotalAlloc; taken > 1000*n {
		t.Errorf("%d bytes taken for %d letters", taken, n)
	}
}
