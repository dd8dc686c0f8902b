// Package drawn draws texts for tests.
package drawn

import "math/rand/v2"

// Text draws n letters, each from the same ones with equal chances.
func Text[S ~string | ~[]byte](rng *rand.Rand, letters S, n int) []byte {
	text := make([]byte, n)
	for i := range text {
		text[i] = letters[rng.IntN(len(letters))]
	}
	return text
}
