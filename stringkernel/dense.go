package stringkernel

import (
	"math"
)

// Dense is a Gram that has a faster way to all n² entries than row by row. Correct without, faster with: where many problems are solved on one matrix, as those of many classes
// or of many folds, the matrix is computed once and held in memory if that takes less time than the products they would ask for. Ask [DenseCost] rather than the type
// assertion: a wrapper has the methods whether or not the matrix inside has such a way.
type Dense interface {
	Gram
	// DenseCost estimates how long DenseTo and a product K·v take, in nanoseconds on one core; matrix is +Inf where this very matrix has no such way, and may be so once it is known to
	// take longer than so many products, so that who has no use for it need not wait. The estimate depends on the corpus and the kernel only, never on the machine: whoever chooses by it
	// chooses the same everywhere. It takes a few products' time.
	DenseCost(products float64) (matrix, product float64)
	// DenseTo writes K, n × n, row by row, into dst: the rows of Row up to rounding, symmetric to the bit, the same for any number of processors.
	DenseTo(dst []float64)
}

// DenseCost returns what a [Dense] matrix estimates, and an infinite time for any other.
func DenseCost(g Gram, products float64) (matrix, product float64) {
	if d, ok := g.(Dense); ok {
		return d.DenseCost(products)
	}
	return math.Inf(1), 0
}
