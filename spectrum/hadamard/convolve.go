package hadamard

import (
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/internal/cancel"
)

// Convolve replaces x by y, y_u = Σ_v h(d_H(u, v)) x_v, over all words of the given length on sigma letters.
//
// x has sigma^length entries (see Size); a word with digits d_0 … d_{length−1}, each 0 … sigma−1, is at
// Σ_i d_i sigma^(length−1−i), the first letter highest. eigen is Eigenvalues(sigma, length, h).
//
// O(length·sigma^length) additions, in place. All processors are used (GOMAXPROCS), and the result is the same to the
// last bit for any number of them. Errors are of rounding alone (see the package comment); infinite and NaN entries
// of x or eigen spread to all of y, as NaN or infinities. The error is that of ctx: x is of no use then.
//
// Sizes that do not agree are a mistake of the calling program and panic. Sizes that come from a user are checked by
// Size first.
func Convolve(ctx context.Context, x []float64, sigma, length int, eigen []float64) (err error) {
	defer cancel.Catch(&err)
	words, err := Size(sigma, length)
	if err != nil {
		panic(err.Error())
	}
	if len(x) != words || len(eigen) != length+1 {
		panic(fmt.Sprintf("hadamard: Convolve with %d entries and %d eigenvalues, want %d and %d",
			len(x), len(eigen), words, length+1))
	}
	if sigma == 4 && length >= blockDigits {
		convolveParts(ctx, x, four{newScaling(length, eigen)})
	} else {
		convolveParts(ctx, x, newAxes(sigma, eigen))
	}
	return nil
}
