package main_test

import (
	"math"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/stringkernel"

	main "github.com/seqsvm/seqsvm/cmd/seqsvm"
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
		spec, err := catalog.Parse(given)
		if err != nil {
			t.Fatal(err)
		}
		got := main.SmallerModels(spec)
		if got != want {
			t.Errorf("%s: got %q, want %q", given, got, want)
		}
		if want == "" {
			continue
		}
		values := make([]float64, 2)
		for i, kernel := range []string{given, got} {
			spec, err := catalog.Parse(kernel)
			if err != nil {
				t.Fatal(err)
			}
			k, err := spec.Compile(stringkernel.DNA)
			if err != nil {
				t.Fatal(err)
			}
			values[i] = k.Eval([]byte(strings.Repeat("GCAUUACGNA", 3)), []byte("ACGTAAGCAUGCATTACGTT"))
		}
		if math.Abs(values[0]-values[1]) > 1e-12 {
			t.Errorf("%s has %v, %s %v", given, values[0], got, values[1])
		}
	}
}
