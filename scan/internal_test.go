package scan

import (
	"math/rand/v2"

	"github.com/seqsvm/seqsvm/internal/drawn"
)

func letters(r *rand.Rand, from string, n int) []byte {
	return drawn.Text(r, from, n)
}
