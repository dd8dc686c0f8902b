package locality

import (
	"math"
	"strings"
)

// letterMatch returns 1 if both sequences have position i (0-based, which may lie outside) and the same letter of the
// alphabet there, else 0.
func letterMatch(x, y []byte, alphabet string, i int) float64 {
	if i < 0 || i >= len(x) || i >= len(y) || x[i] != y[i] || strings.IndexByte(alphabet, x[i]) < 0 {
		return 0
	}
	return 1
}

// polynomialByDefinition returns (Σ_i [x_i = y_i] + c)^d, or 0 if a sequence has no letter of the alphabet or they have
// two lengths.
func polynomialByDefinition(x, y []byte, alphabet string, d int, c float64) float64 {
	lettersX, lettersY, matches := 0.0, 0.0, 0.0
	for i := range x {
		lettersX += letterMatch(x, x, alphabet, i)
		matches += letterMatch(x, y, alphabet, i)
	}
	for i := range y {
		lettersY += letterMatch(y, y, alphabet, i)
	}
	if lettersX*lettersY == 0 || len(x) != len(y) {
		return 0
	}
	return math.Pow(matches+c, float64(d))
}

// localityByDefinition returns (Σ_p (Σ_{j=−l…l} weight(j)·[x_{p+j} = y_{p+j}])^inner)^outer over the positions p, or 0
// if the sequences have two lengths.
func localityByDefinition(x, y []byte, alphabet string, l, inner, outer int, weight func(j int) float64) float64 {
	if len(x) != len(y) {
		return 0
	}
	sum := 0.0
	for p := range x {
		window := 0.0
		for j := -l; j <= l; j++ {
			window += weight(j) * letterMatch(x, y, alphabet, p+j)
		}
		sum += math.Pow(window, float64(inner))
	}
	return math.Pow(sum, float64(outer))
}
