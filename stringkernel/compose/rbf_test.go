package compose_test

import (
	"math"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/benchmarks/planted"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/internal/oracle"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/spectrum/gapped"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
)

// TestRBFConforms runs the suite; the values of one kernel are by distances in the space of counts of letter pairs.
func TestRBFConforms(t *testing.T) {
	word := spectrum.Kernel{K: 2, Alphabet: stringkernel.DNA}
	mismatch := gapped.Mismatch{K: 3, M: 1, Alphabet: stringkernel.DNA}.BothStrands()
	tfidf := compose.BothStrands(
		substring.Kernel{Weight: substring.TFIDF, Alphabet: stringkernel.DNA, Ends: true},
		stringkernel.DNA)
	opt := kerneltest.Options{Letters: "ACGT", Breaks: "N"}
	for name, k := range map[string]stringkernel.Kernel{
		"of fitted strands": compose.RBF(compose.Normalized(tfidf), 0.5),
		"of counts":         compose.RBF(word, 0.01),
		"normalised":        compose.RBF(compose.Normalized(word), 1),
		"of mismatches":     compose.RBF(compose.Normalized(mismatch), 2),
		"inside a sum":      compose.Mean([]stringkernel.Kernel{word, compose.RBF(word, 0.1)}, nil),
		"depends on data": compose.RBF(compose.Normalized(
			substring.Kernel{Weight: substring.TFIDF, Alphabet: stringkernel.DNA}), 0.5),
	} {
		if opt.Value = nil; name == "of counts" {
			opt.Value = func(x, y []byte) float64 {
				a, b := kmersOf(x, 2), kmersOf(y, 2)
				if len(a) == 0 || len(b) == 0 {
					return 0 // with nothing
				}
				return math.Exp(-0.01 * (dot(a, a) + dot(b, b) - 2*dot(a, b)))
			}
		}
		t.Run(name, func(t *testing.T) { kerneltest.Run(t, k, opt) })
	}
}

// TestRBFOfAFittedKernel scores with 400 support vectors of a kernel that depends on as many sequences: what
// indexes these for each support vector takes minutes.
func TestRBFOfAFittedKernel(t *testing.T) {
	c, coef := randomDNA(t, 400, 300), make([]float64, 400)
	coef[3], coef[300] = 1, -2
	tfidf := substring.Kernel{Weight: substring.TFIDF, Alphabet: stringkernel.DNA}
	k := must.Get(stringkernel.Fit(t.Context(), compose.RBF(compose.Normalized(tfidf), 0.5), c))(t)
	s := must.Get(stringkernel.Merge(t.Context(), k, c, coef))(t)
	score := make([]float64, 1)
	for _, i := range []int{3, 5, 300} {
		want := k.Eval(c.Seq(3), c.Seq(i)) - 2*k.Eval(c.Seq(300), c.Seq(i))
		if s.ScoreTo(score, c.Seq(i)); math.Abs(score[0]-want) > 1e-12 {
			t.Errorf("score of record %d is %v, by Eval %v", i, score[0], want)
		}
	}
}

func TestRBFCheck(t *testing.T) {
	inner := spectrum.Kernel{K: 2, Alphabet: stringkernel.DNA}
	for _, gamma := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		err := compose.RBF(inner, gamma).Check()
		if err == nil || !strings.Contains(err.Error(), "rbf: gamma") {
			t.Errorf("γ = %v: error %v", gamma, err)
		}
	}
	if err := (compose.RBF(spectrum.Kernel{}, 1)).Check(); err == nil {
		t.Error("k = 0 inside: no error")
	}
	g, err := compose.RBF(inner, 1).Gram(t.Context(), new(stringkernel.CorpusBuilder).Corpus())
	if err != nil || !stringkernel.IsRowBased(g) {
		t.Errorf("not by rows: %v", err)
	}
}

// TestRBFOfLSGKM compares with the matrix that LS-GKM's gkmmatrix -t 3 -g 2 wrote, if the folder with it is given.
func TestRBFOfLSGKM(t *testing.T) {
	folder := oracle.LSGKMFolder(t)
	c := must.Get(stringkernel.NewCorpus(folder.Sequences(t)))(t)
	inner := gapped.Kernel{L: 11, K: 7, D: 3, Filter: gapped.Truncated, Alphabet: stringkernel.DNA}.BothStrands()
	g := must.Get(compose.RBF(compose.Normalized(inner), 2.0/2).Gram(t.Context(), c))(t)
	if worst, values := folder.Worst(t, "t3_l11_k7_d3_g2.txt", g.Len(), g.Row); worst > 1e-5 || values != 210 {
		t.Errorf("greatest difference %v of %d values, want at most 1e-5 of 210", worst, values)
	}
}

func randomDNA(t *testing.T, n, length int) *stringkernel.Corpus {
	t.Helper()
	set := must.Get(planted.Generate(planted.Options{N: n, Length: length, Seed: 1}))(t)
	return must.Get(stringkernel.NewCorpus(set.Seqs, set.Names))(t)
}

// TestGammaOfQuantiles: γ is 1 over the distance of a pair of records, of which the quantile, roughly, are nearer; of
// two records, over that of the only pair; of equal ones 1.
func TestGammaOfQuantiles(t *testing.T) {
	words := compose.Normalized(spectrum.Kernel{K: 3, Alphabet: stringkernel.DNA})
	gamma := func(quantile float64, c *stringkernel.Corpus) float64 {
		k := must.Get(stringkernel.Fit(t.Context(), compose.FunctionOf(compose.Form{Op: compose.Gaussian, Quantile: quantile}, words), c))(t)
		return k.(compose.Function).Of.Gamma
	}
	distance := func(c *stringkernel.Corpus, i, j int) float64 { return 2 - 2*words.Eval(c.Seq(i), c.Seq(j)) }
	many, two := randomDNA(t, 60, 40), randomDNA(t, 2, 40)
	equal := must.Get(stringkernel.NewCorpus([][]byte{many.Seq(0), many.Seq(0), many.Seq(0)}, nil))(t)
	for _, quantile := range []float64{0.1, 0.5, 0.9} {
		got, nearer, pairs, met := 1/gamma(quantile, many), 0.0, 0.0, false
		for i := range many.Len() {
			for j := range i {
				d := distance(many, i, j)
				pairs++
				met = met || math.Abs(d-got) < 1e-12
				if d < got {
					nearer++
				}
			}
		}
		if !met || math.Abs(nearer/pairs-quantile) > 0.05 {
			t.Errorf("quantile %v: distance² %v (of a pair: %v), and %v of all are less", quantile, got, met, nearer/pairs)
		}
		if got, want := gamma(quantile, two), 1/distance(two, 1, 0); math.Abs(got-want) > 1e-12*want {
			t.Errorf("quantile %v of a pair: γ = %v, want %v", quantile, got, want)
		}
		if got := gamma(quantile, equal); got != 1 {
			t.Errorf("quantile %v of equal records: γ = %v, want 1", quantile, got)
		}
	}
}
