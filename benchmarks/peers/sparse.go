package main

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/benchmarks/planted"
)

// wordLength is that of the words LIBLINEAR gets as features.
const wordLength = 6

// writeSparse writes the sequences as LIBSVM's sparse vectors: counts of words, in Euclidean norm 1, as the normalised
// spectrum kernel has them.
func writeSparse(path string, set *planted.Set) error {
	var text strings.Builder
	for i, x := range set.Seqs {
		counts := map[int]float64{}
		for at := 0; at+wordLength <= len(x); at++ {
			word := 0
			for _, b := range x[at : at+wordLength] {
				word = 4*word + strings.IndexByte("ACGT", b)
			}
			counts[word+1]++
		}
		norm := 0.0
		words := make([]int, 0, len(counts))
		for w, n := range counts {
			norm += n * n
			words = append(words, w)
		}
		slices.Sort(words)
		text.WriteString(set.Labels[i])
		for _, w := range words {
			fmt.Fprintf(&text, " %d:%.17g", w, counts[w]/math.Sqrt(norm))
		}
		text.WriteByte('\n')
	}
	return os.WriteFile(path, []byte(text.String()), 0o644)
}
