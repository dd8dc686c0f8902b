// Package oracle holds what tests compare with: brute-force definitions, slow, short, and written from the formulas
// alone, so that nothing in them can share a mistake with the code they check; and the matrices that LS-GKM wrote.
package oracle

import (
	"math"
	"strings"
)

// Counts returns #_s(x) for every substring s of x of length 1 … maxLen (0 = any) that holds letters of the alphabet
// only. An empty alphabet means that every byte is a letter.
func Counts(x []byte, alphabet string, maxLen int) map[string]float64 {
	counts := map[string]float64{}
	for i := range x {
		for j := i; j < len(x) && member(alphabet, x[j]) && (maxLen == 0 || j-i < maxLen); j++ {
			counts[string(x[i:j+1])]++
		}
	}
	return counts
}

// member reports whether b is a letter of an alphabet; of an empty one every byte is.
func member(alphabet string, b byte) bool {
	return alphabet == "" || strings.IndexByte(alphabet, b) >= 0
}

// Substring returns Σ_s weight(s)·#_s(x)·#_s(y).
func Substring(x, y []byte, alphabet string, maxLen int, weight func(s string) float64) float64 {
	counts, sum := Counts(y, alphabet, maxLen), 0.0
	for s, n := range Counts(x, alphabet, maxLen) {
		if m := counts[s]; m > 0 {
			sum += weight(s) * n * m
		}
	}
	return sum
}

// SquaredIDF returns s ↦ (1 + ln((1 + n)/(1 + df(s))))² over n sequences.
func SquaredIDF(seqs [][]byte, alphabet string) func(s string) float64 {
	df := map[string]float64{}
	for _, x := range seqs {
		for s := range Counts(x, alphabet, 0) {
			df[s]++
		}
	}
	return func(s string) float64 {
		idf := 1 + math.Log((1+float64(len(seqs)))/(1+df[s]))
		return idf * idf
	}
}
