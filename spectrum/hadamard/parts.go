package hadamard

import (
	"context"
	"runtime"

	"github.com/seqsvm/seqsvm/internal/parallel"
)

// A part is what the words with a common prefix hold of a table; its rows, one per letter, are those of the letter
// after the prefix, or per two letters. Tables are transformed part by part: once the first digits of a part are
// transformed, its rows are parts themselves, and each is done to the end and transformed back before the next is
// touched, so that every cache is used as far as it reaches, whatever its size. Only the first digits of a table, with
// several processors, are transformed across all parts.

const (
	width    = 1024    // columns of a part that a parallel task transforms
	smallest = 1 << 14 // no part shared among processors is smaller: 40 µs of work, which is worth a wake-up
)

// digitwise is a convolution digit by digit.
type digitwise interface {
	// rows is the number of rows of a part, one for each value of the digit that forward takes.
	rows() int
	// forward transforms the first digit of a part in the columns from ≤ c < to.
	forward(x []float64, from, to int)
	// convolve transforms all digits of a part, scales, and transforms back; prefix is the number of the part in a
	// table of that many.
	convolve(x []float64, prefix, of int)
	// backward undoes forward.
	backward(x []float64, from, to int)
}

// convolveParts convolves a table with all processors: its first digits in turn until there are parts enough, which the
// processors then share. Tasks share no entry, and the order of tasks changes no bit of the result.
func convolveParts(ctx context.Context, x []float64, t digitwise) {
	levels := []int{1} // numbers of parts
	parts := 1
	for parts < wantedParts() {
		rows := t.rows()
		if len(x)/parts/rows < smallest {
			break
		}
		sweep(ctx, x, rows, parts, t.forward)
		parts *= rows
		levels = append(levels, parts)
	}
	size := len(x) / parts
	parallel.EachContext(ctx, parts, func(i int) { t.convolve(x[i*size:(i+1)*size], i, parts) })
	for last := len(levels) - 1; last > 0; last-- {
		sweep(ctx, x, levels[last]/levels[last-1], levels[last-1], t.backward)
	}
}

// sweep applies a transform to the first digits of each of the given number of parts of x.
func sweep(ctx context.Context, x []float64, rows, parts int, transform func(x []float64, from, to int)) {
	size := len(x) / parts
	columns := size / rows
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
