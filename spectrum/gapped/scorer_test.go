package gapped_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/spectrum/gapped"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

func rc(k gapped.Kernel) bool {
	_, both := k.OneStrand()
	return both
}

func merge(t testing.TB, k stringkernel.Kernel, sv *stringkernel.Corpus, coef ...[]float64) stringkernel.Scorer {
	t.Helper()
	return must.Get(stringkernel.Merge(t.Context(), k, sv, coef...))(t)
}

// TestExplainByDefinition spreads the weight of every gapped k-mer over the k letters it knows, occurrence by
// occurrence: by a table, by masks and by neighbours.
func TestExplainByDefinition(t *testing.T) {
	for _, c := range []struct {
		l, k     int
		alphabet stringkernel.Alphabet
		letters  string
	}{{5, 3, stringkernel.DNA, "ACGT"}, {14, 12, stringkernel.DNA, "AC"}, {8, 6, stringkernel.Protein, "LAV"}} {
		sv := relatives(6, 24, c.letters)
		coef, weights := make([]float64, sv.Len()), map[string]float64{}
		for i := range coef {
			coef[i] = math.Cos(float64(i))
			for feature, count := range gappedCounts(string(sv.Seq(i)), c.l, c.k, c.letters) {
				weights[feature] += coef[i] * count
			}
		}
		k := gapped.Kernel{L: c.l, K: c.k, D: c.l - c.k, Filter: gapped.Plain, Alphabet: c.alphabet}
		s := merge(t, k, sv, make([]float64, len(coef)), coef)
		for q := range sv.Len() {
			x := sv.Seq(q)
			want, got := make([]float64, len(x)), make([]float64, len(x))
			for i := 0; i+c.l <= len(x); i++ {
				for feature := range gappedCounts(string(x[i:i+c.l]), c.l, c.k, c.letters) {
					for j := range c.l {
						if feature[j] != '.' {
							want[i+j] += weights[feature] / float64(c.k)
						}
					}
				}
			}
			stringkernel.ExplainerOf(s).ExplainTo(got, 1, x)
			for i := range got {
				if math.Abs(got[i]-want[i]) > 1e-9*(1+math.Abs(want[i])) {
					t.Fatalf("%+v: the contribution of letter %d of %s is %v, want %v", k, i, x, got[i], want[i])
				}
			}
		}
	}
}

// TestTopFeaturesAreScoresOfWords compares every k-mer listed with its score alone, and with both strands sees to it
// that none is listed twice.
func TestTopFeaturesAreScoresOfWords(t *testing.T) {
	corpus := must.Get(stringkernel.NewCorpus(
		[][]byte{[]byte("ACGTTGCANACCGGTAAC"), []byte("TTGACCAGTACGATCA"), []byte("GGGACCTTAGCAT")},
		nil,
	))(t)
	for _, k := range []stringkernel.Kernel{
		gapped.Kernel{L: 4, K: 2, D: 2, Filter: gapped.Truncated, Alphabet: stringkernel.DNA},
		gapped.Kernel{L: 4, K: 3, D: 1, Filter: gapped.Plain, Alphabet: stringkernel.DNA}.BothStrands(),
		gapped.Mismatch{K: 3, M: 1, Alphabet: stringkernel.Protein},
		gapped.Kernel{L: 14, K: 12, D: 2, Filter: gapped.Plain, Alphabet: stringkernel.DNA},
		gapped.Kernel{L: 14, K: 12, D: 2, Filter: gapped.Plain, Alphabet: stringkernel.DNA}.BothStrands(),
	} {
		s := must.Get(stringkernel.Merge(t.Context(), k, corpus, []float64{1, -2, 0.5}, []float64{0, 1, 1}))(t)
		mix, scores, seen := []float64{1, 3}, make([]float64, 2), map[string]bool{}
		list := stringkernel.FeatureListerOf(s).TopFeatures(mix, 50)
		if len(list) == 0 {
			t.Fatalf("%+v: no features", k)
		}
		for _, f := range list {
			s.ScoreTo(scores, []byte(f.Text))
			if want := stringkernel.Mix(mix, scores); math.Abs(f.Weight-want) > 1e-9*(1+math.Abs(want)) {
				t.Errorf("%+v: %s has weight %v, alone it scores %v", k, f.Text, f.Weight, want)
			}
			if seen[f.Text] {
				t.Errorf("%+v: %s is listed twice", k, f.Text)
			}
			seen[f.Text] = true
			if stringkernel.TraitsOf(k).MinLength != len(f.Text) {
				t.Errorf("%+v: %s has another length", k, f.Text)
			}
		}
		for mer := range seen {
			other := string(stringkernel.DNA.ReverseComplementTo(nil, []byte(mer)))
			if k, ok := k.(gapped.Kernel); ok && rc(k) && other != mer && seen[other] {
				t.Errorf("%s and %s are both listed", mer, other)
			}
		}
	}
}

// TestStrandsScoreAlike demands the same bits for both strands.
func TestStrandsScoreAlike(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	var b stringkernel.CorpusBuilder
	coef := make([]float64, 20)
	for i := range coef {
		b.Add("", []byte(random(rng, 60, "ACGT")))
		coef[i] = rng.NormFloat64()
	}
	kernel := compose.Normalized(
		gapped.Kernel{L: 6, K: 4, D: 2, Filter: gapped.Truncated, Alphabet: stringkernel.DNA}.BothStrands())
	s := must.Get(stringkernel.Merge(t.Context(), kernel, b.Corpus(), coef))(t)
	forward, reverse := make([]float64, 1), make([]float64, 1)
	for _, n := range []int{6, 7, 8, 100, 5000, 9001} {
		x := []byte(random(rng, n, "ACGTACGTACGTN"))
		s.ScoreTo(forward, x)
		s.ScoreTo(reverse, stringkernel.DNA.ReverseComplementTo(nil, x))
		if forward[0] != reverse[0] {
			t.Fatalf("%d letters: %v and %v", n, forward[0], reverse[0])
		}
	}
}

// TestHalfATable scores both strands of 11 letters, for which half a table is read, as sums of kernel values.
func TestHalfATable(t *testing.T) {
	one := gapped.Kernel{L: 11, K: 9, D: 2, Filter: gapped.Plain, Alphabet: stringkernel.DNA}
	k := must.Get(stringkernel.Compile(one.BothStrands()))(t)
	sv, coef := relatives(12, 60, "ACGT"), make([]float64, 12)
	for i := range coef {
		coef[i] = math.Cos(float64(i))
	}
	s, got, window := merge(t, k, sv, coef), make([]float64, 1), make([]float64, 240-49)
	for i := range sv.Len() {
		x, want := sv.Seq(i), 0.0
		for j, a := range coef {
			want += a * k.Eval(sv.Seq(j), x)
		}
		parts, sum := make([]float64, len(x)), 0.0
		stringkernel.ExplainerOf(s).ExplainTo(parts, 0, x)
		for _, part := range parts {
			sum += part
		}
		if s.ScoreTo(got, x); !near(got[0], want) || !near(sum, want) {
			t.Fatalf("score %d is %v, its contributions sum to %v, want %v", i, got[0], sum, want)
		}
	}
	stringkernel.Track(window, s, 0, sv.Seq(0), 50)
	for p := range window {
		if s.ScoreTo(got, sv.Seq(0)[p:p+50]); !near(window[p], got[0]) {
			t.Fatalf("window %d has the score %v, alone %v", p, window[p], got[0])
		}
	}
}

// TestLongRecords compares k(x, x) of long records, which has a way of its own, with k(x, y) of x with itself and with
// the product of a matrix of one record.
func TestLongRecords(t *testing.T) {
	rng := rand.New(rand.NewPCG(59, 1))
	const dna, protein = stringkernel.DNA, stringkernel.Protein
	for _, c := range []struct {
		k       gapped.Kernel
		letters string
		length  int
	}{
		{gapped.Kernel{L: 6, K: 4, D: 2, Filter: gapped.Plain, Alphabet: dna}, "ACGT", 20_000},
		{gapped.Kernel{L: 7, K: 4, D: 3, Filter: gapped.Truncated, Alphabet: dna}, "ACGT", 9000},
		{gapped.Kernel{L: 6, K: 4, D: 2, Filter: gapped.Plain, Count: stringkernel.CountSqrt, Alphabet: dna}, "ACGT", 9000},
		{gapped.Kernel{L: 15, K: 12, D: 3, Filter: gapped.Plain, Alphabet: dna}, "AACAAGAAT", 20_000},
		{gapped.Kernel{L: 5, K: 3, D: 2, Filter: gapped.Plain, Count: stringkernel.CountSqrt, Alphabet: protein}, residues, 1200},
		{gapped.Kernel{L: 6, K: 4, D: 2, Filter: gapped.Plain, Alphabet: protein}, residues + "X", 1200},
		{gapped.Kernel{L: 8, K: 4, D: 4, Filter: gapped.Plain, Count: stringkernel.CountLog, Alphabet: protein}, "AG", 1200},
		{gapped.Kernel{L: 3, K: 2, D: 1, Filter: gapped.Plain}, "abc", 1200},
	} {
		if c.k.L == 6 && c.k.Alphabet == dna {
			c.k = c.k.BothStrands().(gapped.Kernel)
		}
		k := must.Get(stringkernel.Compile(c.k))(t)
		x, product := []byte(random(rng, c.length, c.letters)), make([]float64, 1)
		g := must.Get(k.Gram(t.Context(), stringkernel.View(x)))(t)
		g.MulVecTo(product, []float64{1})
		want, got := k.Eval(x, x), k.SelfEval(x)
		if math.Abs(got-want) > 1e-11*want || math.Abs(product[0]-want) > 1e-11*want {
			t.Errorf("%+v: SelfEval is %v, a product %v, Eval %v", c.k, got, product[0], want)
		}
	}
}
