package bow_test

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/bow"
	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Inner products of the vectors of scikit-learn's CountVectorizer and TfidfVectorizer: testdata/vectorizers.py wrote
// them.
func TestEqualsScikitLearn(t *testing.T) {
	content := must.Get(os.ReadFile("testdata/vectorizers.json"))(t)
	var golden struct {
		Version     string
		Train, Test []string
		Cases       []struct {
			Spec        string
			Features    int
			Train, Test [][]float64
		}
	}
	must.Succeed(t, json.Unmarshal(content, &golden))
	train, test := corpusOf(golden.Train), corpusOf(golden.Test)
	for _, c := range golden.Cases {
		spec, normalize := strings.CutSuffix(c.Spec, ",normalized")
		if spec == "" {
			spec = "ngram=1" // the name alone means another kernel
		}
		parsed := must.Get(catalog.Parse("words:" + spec))(t)
		parsed.Normalize = normalize
		kernel := must.Get(parsed.Compile(""))(t)
		fitted := must.Get(stringkernel.Fit(t.Context(), kernel, train))(t)
		if k, ok := fitted.(bow.Kernel); ok && k.Features() != c.Features {
			t.Errorf("%s: %d features, scikit-learn has %d", c.Spec, k.Features(), c.Features)
		}
		g := must.Get(fitted.Gram(t.Context(), train))(t)
		row := make([]float64, train.Len())
		for i := range row {
			g.Row(row, i)
			compare(t, c.Spec+", training documents", row, c.Train[i])
		}
		for i := range test.Len() {
			for j := range row {
				row[j] = fitted.Eval(test.Seq(i), train.Seq(j))
			}
			compare(t, c.Spec+", new documents", row, c.Test[i])
		}
	}
}

func compare(t *testing.T, what string, got, want []float64) {
	t.Helper()
	for j := range want {
		if math.Abs(got[j]-want[j]) > 1e-12*(1+math.Abs(want[j])) {
			t.Errorf("%s: %v, scikit-learn has %v", what, got, want)
			return
		}
	}
}
