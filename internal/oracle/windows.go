package oracle

import (
	"math"
	"strings"
)

// member reports whether b is a letter of an alphabet; of an empty one every byte is.
func member(alphabet string, b byte) bool {
	return alphabet == "" || strings.IndexByte(alphabet, b) >= 0
}

// match returns 1 if both sequences have position i (0-based, which may lie outside) and the same letter of the
// alphabet there, else 0.
func match(x, y []byte, alphabet string, i int) float64 {
	if i < 0 || i >= len(x) || i >= len(y) || x[i] != y[i] || !member(alphabet, x[i]) {
		return 0
	}
	return 1
}

// Polynomial returns (Σ_i [x_i = y_i] + c)^d, or 0 if a sequence has no letter of the alphabet or they have two
// lengths.
func Polynomial(x, y []byte, alphabet string, d int, c float64) float64 {
	lettersX, lettersY, matches := 0.0, 0.0, 0.0
	for i := range x {
		lettersX += match(x, x, alphabet, i)
		matches += match(x, y, alphabet, i)
	}
	for i := range y {
		lettersY += match(y, y, alphabet, i)
	}
	if lettersX*lettersY == 0 || len(x) != len(y) {
		return 0
	}
	return math.Pow(matches+c, float64(d))
}

// Locality returns (Σ_p (Σ_{j=−l…l} weight(j)·[x_{p+j} = y_{p+j}])^inner)^outer over the positions p, or 0
// if the sequences have two lengths.
func Locality(x, y []byte, alphabet string, l, inner, outer int, weight func(j int) float64) float64 {
	if len(x) != len(y) {
		return 0
	}
	sum := 0.0
	for p := range x {
		window := 0.0
		for j := -l; j <= l; j++ {
			window += weight(j) * match(x, y, alphabet, p+j)
		}
		sum += math.Pow(window, float64(inner))
	}
	return math.Pow(sum, float64(outer))
}

// Oligo returns Σ exp(−(p − q)²/4σ²) over all p, q at which x and y have the same word of k letters of the alphabet.
func Oligo(x, y []byte, alphabet string, k int, sigma float64) float64 {
	sum := 0.0
	for p := 0; p+k <= len(x); p++ {
		for q := 0; q+k <= len(y); q++ {
			same := string(x[p:p+k]) == string(y[q:q+k])
			for _, b := range x[p : p+k] {
				same = same && member(alphabet, b)
			}
			if same {
				sum += math.Exp(-float64((p-q)*(p-q)) / (4 * sigma * sigma))
			}
		}
	}
	return sum
}
