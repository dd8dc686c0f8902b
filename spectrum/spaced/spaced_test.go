package spaced_test

import (
	"bytes"
	"maps"
	"math"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/spectrum/spaced"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
)

// masked counts the words under some masks by definition, dots for the letters that do not count.
func masked(masks ...string) func(x []byte) map[string]float64 {
	return func(x []byte) map[string]float64 {
		counts := map[string]float64{}
		for _, mask := range masks {
			for p := 0; p+len(mask) <= len(x); p++ {
				word := []byte(strings.Repeat(".", len(mask)))
				for o := range mask {
					if mask[o] == '1' {
						word[o] = x[p+o]
					}
				}
				if !bytes.ContainsRune(word, 'N') {
					counts[string(word)]++
				}
			}
		}
		return counts
	}
}

// gappyPairs counts, as kebabs' gappyPairKernel(k, m), pairs of words of k letters with at most m letters between them,
// under the names that it gives them.
func gappyPairs(k, m int) func(x []byte) map[string]float64 {
	var masks []string
	for gap := range m + 1 {
		masks = append(masks, strings.Repeat("1", k)+strings.Repeat("0", gap)+strings.Repeat("1", k))
	}
	return masked(masks...)
}

// subsequences has Σ λ^span by word of k letters, over all choices of places within a span, 0 for any.
func subsequences(k, span int, lambda float64) func(x []byte) map[string]float64 {
	return func(x []byte) map[string]float64 {
		sums := map[string]float64{}
		var choose func(word string, first, next int)
		choose = func(word string, first, next int) {
			if len(word) == k {
				if n := next - first; span == 0 || n <= span {
					sums[word] += math.Pow(lambda, float64(n))
				}
				return
			}
			for p := next; p < len(x); p++ {
				if x[p] != 'N' {
					from := first
					if word == "" {
						from = p
					}
					choose(word+string(x[p]), from, p+1)
				}
			}
		}
		choose("", 0, 0)
		return sums
	}
}

func TestConforms(t *testing.T) {
	const dna = stringkernel.DNA
	for name, c := range map[string]struct {
		kernel stringkernel.Kernel
		define func(x []byte) map[string]float64
	}{
		"masks":        {spaced.Kernel{Masks: []string{"1101", "11", "1001"}, Alphabet: dna}, masked("1101", "11", "1001")},
		"letters":      {spaced.Kernel{Masks: []string{"1", "10011", "111"}, Alphabet: dna}, masked("1", "10011", "111")},
		"pairs":        {spaced.Kernel{Pair: 1, Gap: 6, Alphabet: dna}, gappyPairs(1, 6)},
		"words":        {spaced.Kernel{Pair: 3, Gap: 2, Alphabet: dna}, gappyPairs(3, 2)},
		"neighbours":   {spaced.Kernel{Pair: 2, Alphabet: dna}, gappyPairs(2, 0)},
		"span":         {spaced.Subsequence{K: 3, Span: 6, Lambda: 0.7, Alphabet: dna}, subsequences(3, 6, 0.7)},
		"a short span": {spaced.Subsequence{K: 2, Span: 2, Lambda: 0.9, Alphabet: dna}, subsequences(2, 2, 0.9)},
		"the whole":    {spaced.Subsequence{K: 2, Span: 24, Lambda: 0.5, Alphabet: dna}, subsequences(2, 24, 0.5)},
		"any span":     {spaced.Subsequence{K: 2, Lambda: 0.5, Alphabet: dna}, subsequences(2, 0, 0.5)},
		"four letters": {spaced.Subsequence{K: 4, Lambda: 0.8, Alphabet: dna}, subsequences(4, 0, 0.8)},
		"one":          {spaced.Subsequence{K: 1, Span: 1, Lambda: 1, Alphabet: dna}, subsequences(1, 1, 1)},
		"strands":      {compose.BothStrands(spaced.Kernel{Pair: 2, Gap: 3, Alphabet: dna}, dna), nil},
	} {
		opt := kerneltest.Options{Letters: "ACGT", Breaks: "N", MaxLength: 24}
		if c.define != nil {
			opt.Define = func(*stringkernel.Corpus) func(x []byte) map[string]float64 { return c.define }
		}
		t.Run(name, func(t *testing.T) { kerneltest.Run(t, c.kernel, opt) })
	}
}

// TestNames compares names of features with those that the vignette of kebabs lists for CAGAT (commit 2fcfc70, section
// "Gappy Pair Kernel"), and with those by definition.
func TestNames(t *testing.T) {
	for _, c := range []struct {
		kernel spaced.Kernel
		x      string
		want   map[string]float64
	}{
		{spaced.Kernel{Pair: 1, Gap: 2, Alphabet: stringkernel.DNA}, "CAGAT", map[string]float64{"CA": 1, "C.G": 1,
			"C..A": 1, "AG": 1, "A.A": 1, "A..T": 1, "GA": 1, "G.T": 1, "AT": 1}},
		{spaced.Kernel{Masks: []string{"101", "11"}, Alphabet: stringkernel.DNA}, "ACGNACACA",
			masked("101", "11")([]byte("ACGNACACA"))},
	} {
		found := map[string]float64{}
		c.kernel.Enumerator().EachFeature([]byte(c.x), func(name string, value float64) { found[name] = value })
		if !maps.Equal(found, c.want) {
			t.Errorf("features %v, want %v", found, c.want)
		}
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
