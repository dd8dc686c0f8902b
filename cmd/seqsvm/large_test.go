package main_test

import (
	"math"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/stringkernel"

	main "github.com/seqsvm/seqsvm/cmd/seqsvm"
	"github.com/seqsvm/seqsvm/internal/must"
)

// TestSmallerModels: what is proposed for a large model is the same kernel.
func TestSmallerModels(t *testing.T) {
	for given, want := range map[string]string{
		"spectrum:k=8,bounded":                "substring:weight=bounded,k=8",
		"spectrum:k=5,bounded,count=sqrt":     "substring:weight=bounded,k=5,count=sqrt",
		"spectrum:k=8":                        "",
		"spectrum:k=5,bounded,tfidf":          "",
		"spectrum:k=5,bounded,rbf=1":          "",
		"spectrum:k=5,bounded + spectrum:k=3": "",
		"words":                               "",
	} {
		spec := must.Get(catalog.Parse(given))(t)
		got := main.SmallerModels(spec)
		if got != want {
			t.Errorf("%s: got %q, want %q", given, got, want)
		}
		if want == "" {
			continue
		}
		values := make([]float64, 2)
		for i, kernel := range []string{given, got} {
			spec := must.Get(catalog.Parse(kernel))(t)
			k := must.Get(spec.Compile(stringkernel.DNA))(t)
			values[i] = k.Eval([]byte(strings.Repeat("GCAUUACGNA", 3)), []byte("ACGTAAGCAUGCATTACGTT"))
		}
		if math.Abs(values[0]-values[1]) > 1e-12 {
			t.Errorf("%s has %v, %s %v", given, values[0], got, values[1])
		}
	}
}
