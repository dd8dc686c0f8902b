package spectrum_test

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// Inner products of the vectors of scikit-learn's TfidfVectorizer on characters: testdata/vectorizers.py wrote them.
func TestFrequenciesEqualScikitLearn(t *testing.T) {
	content := must.Get(os.ReadFile("testdata/vectorizers.json"))(t)
	var golden struct {
		Train, Test []string
		Cases       []struct {
			Spec        string
			Train, Test [][]float64
			Self        []float64
		}
	}
	must.Succeed(t, json.Unmarshal(content, &golden))
	corpus := func(texts []string) *stringkernel.Corpus {
		seqs := make([][]byte, len(texts))
		for i, text := range texts {
			seqs[i] = []byte(text)
		}
		return must.Get(stringkernel.NewCorpus(seqs, nil))(t)
	}
	train, test := corpus(golden.Train), corpus(golden.Test)
	kernels := map[string]spectrum.Kernel{
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
			kernel = compose.Normalized(k)
		}
		fitted := must.Get(stringkernel.Fit(t.Context(), kernel, train))(t)
		gram := must.Get(fitted.Gram(t.Context(), train))(t)
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
