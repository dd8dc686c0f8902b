package spaced_test

import (
	"compress/gzip"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/spectrum/spaced"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
)

// TestSubsequencesOfAnotherProgram compares values with those of a dynamic program of others.
func TestSubsequencesOfAnotherProgram(t *testing.T) {
	root := os.Getenv("SEQSVM_DATA")
	if root == "" {
		t.Skip("SEQSVM_DATA is not set")
	}
	read := func(name string) []string {
		file, err := os.Open(filepath.Join(root, "oracle-strings-a", "ssk-collector", name))
		if err != nil {
			t.Skip(err)
		}
		defer file.Close()
		text := must.Get(gzip.NewReader(file))(t)
		all := must.Get(io.ReadAll(text))(t)
		return strings.Split(strings.TrimRight(string(all), "\n"), "\n")
	}
	for _, set := range []string{"dna", "text"} {
		records := read(set + ".strings.txt.gz")
		for _, line := range read(set + ".tsv.gz")[1:] {
			var k spaced.Subsequence
			var i, j int
			var raw, normalized float64
			if _, err := fmt.Sscan(line, &k.K, &k.Lambda, &i, &j, &raw, &normalized); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			got := k.Eval([]byte(records[i-1]), []byte(records[j-1]))
			if math.Abs(got-raw) > 1e-9*raw {
				t.Errorf("%s: %s: %v", set, line, got)
			}
		}
	}
}

func TestConforms(t *testing.T) {
	for name, k := range map[string]stringkernel.Kernel{
		"masks":    spaced.Kernel{Masks: []string{"1101", "11", "100001"}, Alphabet: stringkernel.DNA},
		"pairs":    spaced.Kernel{Pair: 1, Gap: 6, Alphabet: stringkernel.DNA},
		"span":     spaced.Subsequence{K: 3, Span: 6, Lambda: 0.7, Alphabet: stringkernel.DNA},
		"any span": spaced.Subsequence{K: 2, Lambda: 0.5, Alphabet: stringkernel.DNA},
		"one":      spaced.Subsequence{K: 1, Span: 1, Lambda: 1, Alphabet: stringkernel.DNA},
		"both": compose.BothStrands(spaced.Kernel{Pair: 2, Gap: 3, Alphabet: stringkernel.DNA},
			stringkernel.DNA),
		"normalize": compose.Normalized(spaced.Kernel{Pair: 2, Gap: 3, Alphabet: stringkernel.DNA}),
	} {
		t.Run(name, func(t *testing.T) { kerneltest.Run(t, k, kerneltest.Options{Letters: "ACGT", Breaks: "N"}) })
	}
}

func TestErrors(t *testing.T) {
	many := strings.Repeat("1", 33)
	for want, k := range map[string]stringkernel.Kernel{
		"0 masks":                  spaced.Kernel{},
		"begins and ends with 1":   spaced.Kernel{Masks: []string{"0110"}},
		"given twice":              spaced.Kernel{Masks: []string{"11", "11"}},
		"want at most 64":          spaced.Kernel{Masks: []string{"1" + strings.Repeat("0", 63) + "1"}},
		"chooses 33 letters":       spaced.Kernel{Masks: []string{many}, Alphabet: stringkernel.DNA},
		"want one of them":         spaced.Kernel{Masks: []string{"11"}, Pair: 1},
		"gap needs pair":           spaced.Kernel{Masks: []string{"11"}, Gap: 2},
		"gap = 63, want 0…62":      spaced.Kernel{Pair: 1, Gap: 63},
		"pair = 33":                spaced.Kernel{Pair: 33},
		"lambda = 0":               spaced.Subsequence{K: 2},
		"span = 2":                 spaced.Subsequence{K: 3, Span: 2, Lambda: 1},
		"take a shorter span":      spaced.Subsequence{K: 8, Span: 40, Lambda: 1},
		"k = 0":                    spaced.Subsequence{Lambda: 1},
		"alphabet \"greek\" is un": spaced.Kernel{Pair: 1, Alphabet: "greek"},
	} {
		if err := k.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error %v, want one with %q", k, err, want)
		}
	}
}

// TestTexts names features.
func TestTexts(t *testing.T) {
	found := map[string]float64{}
	spaced.Kernel{Masks: []string{"101", "11"}, Alphabet: stringkernel.DNA}.Enumerator().EachFeature([]byte("ACGNA"),
		func(name string, value float64) { found[name] = value })
	if len(found) != 4 || found["A.G"] != 1 || found["AC"] != 1 || found["CG"] != 1 || found["G.A"] != 1 {
		t.Errorf("features %v, want A.G, AC, CG and G.A", found)
	}
}
