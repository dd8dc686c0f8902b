package hadamard

import (
	"context"
	"runtime"

	"github.com/seqsvm/seqsvm/internal/parallel"
)

// A part is what the words with a common prefix hold of a table; its rows, one per letter, are those of the letter
// after the prefix. Tables are transformed part by part: once the first digit of a part is transformed, its rows are
// parts themselves, and each is done to the end and transformed back before the next is touched, so that every cache is
// used as far as it reaches, whatever its size. Only the first digits of a table, with several processors, are
// transformed across all parts.

const (
	width    = 1024    // columns of a part that a parallel task transforms
	smallest = 1 << 15 // no part shared among processors is smaller: 0.1 ms of work, which is worth a wake-up
)

// digitwise is a convolution digit by digit.
type digitwise interface {
	// forward transforms the first digit of a part in the columns from ≤ c < to.
	forward(x []float64, from, to int)
	// convolve transforms all digits of a part, scales, and transforms back; the prefix of the part has the given
	// digits.
	convolve(x []float64, prefix, digits int)
	// backward undoes forward.
	backward(x []float64, from, to int)
}

// convolveParts convolves a table with all processors: its first digits in turn until there are parts enough, which the
// processors then share. Tasks share no entry, and the order of tasks changes no bit of the result.
func convolveParts(ctx context.Context, x []float64, sigma int, t digitwise) {
	parts, digits := 1, 0
	for parts < wantedParts() && len(x)/parts/sigma >= smallest {
		sweep(ctx, x, sigma, parts, t.forward)
		parts *= sigma
		digits++
	}
	size := len(x) / parts
	parallel.EachContext(ctx, parts, func(i int) { t.convolve(x[i*size:(i+1)*size], i, digits) })
	for parts > 1 {
		parts /= sigma
		sweep(ctx, x, sigma, parts, t.backward)
	}
}

// sweep applies a transform to the first digit of each of the given number of parts of x.
func sweep(ctx context.Context, x []float64, sigma, parts int, transform func(x []float64, from, to int)) {
	size := len(x) / parts
	columns := size / sigma
	tasks := (columns + width - 1) / width
	parallel.EachContext(ctx, parts*tasks, func(i int) {
		part, task := i/tasks, i%tasks
		transform(x[part*size:(part+1)*size], task*width, min((task+1)*width, columns))
	})
}

// wantedParts is the number of parts of a table that keep all processors busy to the end.
func wantedParts() int {
	procs := runtime.GOMAXPROCS(0)
	if procs == 1 {
		return 1
	}
	return 4 * procs
}
