package oligo_test

import (
	"math"
	"strings"
)

// oligoByDefinition returns Σ exp(−(p − q)²/4σ²) over all p, q at which x and y have the same k-mer of letters of the
// alphabet.
func oligoByDefinition(x, y []byte, alphabet string, k int, sigma float64) float64 {
	sum := 0.0
	for p := 0; p+k <= len(x); p++ {
		for q := 0; q+k <= len(y); q++ {
			same := string(x[p:p+k]) == string(y[q:q+k])
			for _, b := range x[p : p+k] {
				same = same && strings.IndexByte(alphabet, b) >= 0
			}
			if same {
				sum += math.Exp(-float64((p-q)*(p-q)) / (4 * sigma * sigma))
			}
		}
	}
	return sum
}
