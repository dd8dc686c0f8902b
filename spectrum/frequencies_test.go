package spectrum

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
)

// weightsByDefinition are the values of the features of x, given the records of training: of both strands with rc.
func weightsByDefinition(k Kernel, g func(n float64) float64, training []map[string]int, counts map[string]int,
) map[string]float64 {
	values := map[string]float64{}
	for s, n := range counts {
		df := 0
		for _, other := range training {
			if other[s] > 0 {
				df++
			}
		}
		if df > 0 {
			values[s] = g(float64(n)) * (1 + math.Log(float64(1+len(training))/float64(1+df)))
		}
	}
	return values
}

func countsOf(k Kernel, x []byte) map[string]int {
	counts := definition(k, x)
	if k.rc {
		for s, n := range definition(k, k.Alphabet.ReverseComplementTo(nil, x)) {
			counts[s] += n
		}
	}
	return counts
}

// TestFrequenciesByDefinition compares values, rows, products, comparisons, scores, windows and features with the
// definition, of records of training and others.
func TestFrequenciesByDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 5))
	train, test := drawCorpus(t, r, stringkernel.DNA, 14, 80), drawCorpus(t, r, stringkernel.DNA, 9, 60)
	functions := map[stringkernel.Count]func(n float64) float64{
		"":                          func(n float64) float64 { return n },
		stringkernel.CountPresence:  func(float64) float64 { return 1 },
		stringkernel.CountSublinear: func(n float64) float64 { return 1 + math.Log(n) },
	}
	for f, g := range functions {
		for _, k := range []Kernel{{K: 1}, {K: 3}, {K: 5}, {K: 13}, {K: 3, Bounded: true}, {K: 12, Bounded: true}} {
			for _, rc := range []bool{false, true} {
				k.Alphabet, k.Count, k.TFIDF, k.rc = stringkernel.DNA, f, true, rc
				compareFrequencies(t, k, g, train, test)
			}
		}
	}
}

func compareFrequencies(t *testing.T, k Kernel, g func(float64) float64, train, test *stringkernel.Corpus) {
	t.Helper()
	counts := make([]map[string]int, train.Len())
	for i := range counts {
		counts[i] = countsOf(k, train.Seq(i))
	}
	values := func(x []byte) map[string]float64 { return weightsByDefinition(k, g, counts, countsOf(k, x)) }
	product := func(a, b map[string]float64) (sum float64) {
		for s, v := range a {
			sum += v * b[s]
		}
		return sum
	}
	fitted, err := stringkernel.Fit(t.Context(), k, train)
	if err != nil {
		t.Fatal(err)
	}
	c := train
	for _, other := range []*stringkernel.Corpus{train, test} {
		gram, err := fitted.Gram(t.Context(), other)
		if err != nil {
			t.Fatal(err)
		}
		rows := make([]map[string]float64, other.Len())
		for i := range rows {
			rows[i] = values(other.Seq(i))
		}
		row := make([]float64, other.Len())
		for i := range rows {
			gram.Row(row, i)
			for j := range rows {
				want := product(rows[i], rows[j])
				if got := fitted.Eval(other.Seq(i), other.Seq(j)); !near(got, want, want) || !near(row[j], want, want) {
					t.Fatalf("%+v: k(%q, %q) = %v, row %v, want %v", k, other.Seq(i), other.Seq(j), got, row[j], want)
				}
			}
		}
	}
	v := randomVector(rand.New(rand.NewPCG(1, 1)), c.Len())
	s, err := stringkernel.Merge(t.Context(), fitted, c, v)
	if err != nil {
		t.Fatal(err)
	}
	compare, err := compose.ComparerOf(fitted).Compare(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	score, row := make([]float64, 1), make([]float64, c.Len())
	for i := range test.Len() {
		x := test.Seq(i)
		sum, size, own := 0.0, 0.0, values(x)
		compare(row, x)
		for j := range v {
			want := product(own, values(c.Seq(j)))
			sum += v[j] * want
			size += math.Abs(v[j] * want)
			if !near(row[j], want, want) {
				t.Fatalf("%+v: compared with %d %v, want %v", k, j, row[j], want)
			}
		}
		self := s.(compose.SelfScorer).SelfScoreTo(score, x)
		if !near(score[0], sum, size) || !near(self, product(own, own), self) {
			t.Fatalf("%+v: score %v, want %v; k(x, x) %v, want %v", k, score[0], sum, self, product(own, own))
		}
		const window = 20
		if len(x) < window {
			continue
		}
		norms := make([]float64, len(x)-window+1)
		compose.TrackSelf(norms, fitted, x, window)
		for p, got := range norms {
			own := values(x[p : p+window])
			if want := product(own, own); !near(got, want, want) {
				t.Fatalf("%+v: k(w, w) of window %d is %v, want %v", k, p, got, want)
			}
		}
	}
}

func TestFrequenciesConform(t *testing.T) {
	for _, c := range []struct {
		k       Kernel
		letters string
		breaks  string
		rc      bool
	}{
		{Kernel{K: 3, Alphabet: stringkernel.DNA}, "ACGT", "N", false},
		{Kernel{K: 3, Count: stringkernel.CountSqrt, Alphabet: stringkernel.DNA}, "ACGT", "N", true},
		{Kernel{K: 14, Alphabet: stringkernel.DNA}, "AC", "N", false},
		{Kernel{K: 4, Bounded: true, Count: stringkernel.CountLog, Alphabet: stringkernel.RNA}, "AU", "T", true},
		{Kernel{K: 2, Count: stringkernel.CountPresence, Alphabet: stringkernel.Protein}, "LAVWY", "X", false},
		{Kernel{K: 8, Bounded: true, Count: stringkernel.CountSublinear, Alphabet: stringkernel.Bytes}, "ab\xff", "", false},
	} {
		c.k.TFIDF = true
		k := stringkernel.Kernel(c.k)
		if c.rc {
			k = compose.Normalized{Kernel: compose.OnBothStrands(k, c.k.Alphabet)}
		}
		t.Run(fmt.Sprintf("%s k=%d", c.k.Alphabet, c.k.K), func(t *testing.T) {
			kerneltest.Run(t, k, kerneltest.Options{Letters: c.letters, Breaks: c.breaks, MaxLength: 60})
		})
	}
}

// Inner products of the vectors of scikit-learn's TfidfVectorizer on characters: testdata/vectorizers.py wrote them.
func TestFrequenciesEqualScikitLearn(t *testing.T) {
	content, err := os.ReadFile("testdata/vectorizers.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden struct {
		Train, Test []string
		Cases       []struct {
			Spec        string
			Features    int
			Train, Test [][]float64
			Self        []float64
		}
	}
	if err := json.Unmarshal(content, &golden); err != nil {
		t.Fatal(err)
	}
	corpus := func(texts []string) *stringkernel.Corpus {
		seqs := make([][]byte, len(texts))
		for i, text := range texts {
			seqs[i] = []byte(text)
		}
		return corpusOf(t, seqs)
	}
	train, test := corpus(golden.Train), corpus(golden.Test)
	kernels := map[string]Kernel{
		"k=1": {K: 1}, "k=3": {K: 3}, "k=7": {K: 7}, "k=14": {K: 14}, "k=4,bounded": {K: 4, Bounded: true},
		"k=3,count=sublinear":                    {K: 3, Count: stringkernel.CountSublinear},
		"k=2,count=presence":                     {K: 2, Count: stringkernel.CountPresence},
		"k=3,normalized":                         {K: 3},
		"k=3,bounded,count=sublinear,normalized": {K: 3, Bounded: true, Count: stringkernel.CountSublinear},
	}
	for _, c := range golden.Cases {
		k, there := kernels[c.Spec]
		if !there {
			t.Fatalf("no kernel %q", c.Spec)
		}
		k.TFIDF, k.Alphabet = true, stringkernel.DNA
		kernel := stringkernel.Kernel(k)
		if strings.HasSuffix(c.Spec, "normalized") {
			kernel = compose.Normalized{Kernel: k}
		}
		fitted, err := stringkernel.Fit(t.Context(), kernel, train)
		if err != nil {
			t.Fatal(err)
		}
		if k, plain := fitted.(Kernel); plain && k.fitted.width() != c.Features {
			t.Errorf("%s: %d features, scikit-learn has %d", c.Spec, k.fitted.width(), c.Features)
		}
		gram, err := fitted.Gram(t.Context(), train)
		if err != nil {
			t.Fatal(err)
		}
		row := make([]float64, train.Len())
		for i := range row {
			gram.Row(row, i)
			compareRows(t, c.Spec, row, c.Train[i])
		}
		for i := range test.Len() {
			for j := range row {
				row[j] = fitted.Eval(test.Seq(i), train.Seq(j))
			}
			compareRows(t, c.Spec+", other records", row, c.Test[i])
			compareRows(t, c.Spec+", k(x, x)", []float64{fitted.Eval(test.Seq(i), test.Seq(i))}, c.Self[i:i+1])
		}
	}
}

func compareRows(t *testing.T, what string, got, want []float64) {
	t.Helper()
	for j := range want {
		if math.Abs(got[j]-want[j]) > 1e-12*(1+math.Abs(want[j])) {
			t.Errorf("%s: %v, scikit-learn has %v", what, got, want)
			return
		}
	}
}

// TestFrequenciesOfWindows: a restored scorer, whose kernel was not fitted, has the scores of windows that ScoreTo has.
func TestFrequenciesOfWindows(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 5))
	c, x := drawCorpus(t, r, stringkernel.DNA, 12, 80), draw(r, "ACGT", 90, true)
	for _, kernel := range []stringkernel.Kernel{
		Kernel{K: 3, TFIDF: true, Alphabet: stringkernel.DNA},
		compose.Normalized{Kernel: Kernel{K: 3, TFIDF: true, Alphabet: stringkernel.DNA}},
	} {
		fitted, err := stringkernel.Fit(t.Context(), kernel, c)
		if err != nil {
			t.Fatal(err)
		}
		merged, err := stringkernel.Merge(t.Context(), fitted, c, randomVector(r, c.Len()))
		if err != nil {
			t.Fatal(err)
		}
		s, err := stringkernel.RestorerOf(kernel).Restore(stringkernel.RestorerOf(fitted).Arrays(merged))
		if err != nil {
			t.Fatal(err)
		}
		got, want, score := make([]float64, len(x)-29), make([]float64, len(x)-29), make([]float64, 1)
		for p := range want {
			merged.ScoreTo(score, x[p:p+30])
			want[p] = score[0]
		}
		stringkernel.Track(got, s, 0, x, 30)
		for p := range want {
			if !near(got[p], want[p], 1+math.Abs(want[p])) {
				t.Fatalf("%T: window %d has the score %v, want %v", kernel, p, got[p], want[p])
			}
		}
	}
}

func TestFrequenciesCheck(t *testing.T) {
	for want, k := range map[string]Kernel{
		"tfidf: count = \"min\", want one of": {K: 3, Count: stringkernel.CountMin, TFIDF: true, Alphabet: stringkernel.DNA},
		"k = 13 with bounded and tfidf":       {K: 13, Bounded: true, TFIDF: true, Alphabet: stringkernel.DNA},
	} {
		if err := k.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", k, err, want)
		}
	}
}
