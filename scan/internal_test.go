package scan

import (
	"math/rand/v2"
)

func letters(r *rand.Rand, from string, n int) []byte {
	x := make([]byte, n)
	for i := range x {
		x[i] = from[r.IntN(len(from))]
	}
	return x
}
