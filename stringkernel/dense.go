package stringkernel

import (
	"math"

	"github.com/seqsvm/seqsvm/internal/parallel"
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

// denseTo asks the matrix inside a wrapper, whose DenseCost is finite.
func denseTo(g Gram, dst []float64) { g.(Dense).DenseTo(dst) }

// eachEntry replaces the entries of an n × n matrix.
func eachEntry(dst []float64, n int, value func(i, j int, inner float64) float64) {
	parallel.For(n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row := dst[i*n : (i+1)*n]
			for j, inner := range row {
				row[j] = value(i, j, inner)
			}
		}
	})
}

// DenseCost is that of the matrix inside.
func (g *normalizedGram) DenseCost(products float64) (matrix, product float64) {
	return DenseCost(g.inner, products)
}

// DenseTo scales the matrix inside.
func (g *normalizedGram) DenseTo(dst []float64) {
	denseTo(g.inner, dst)
	eachEntry(dst, len(g.scale), func(i, j int, inner float64) float64 {
		if i == j {
			return unit(g.scale[i])
		}
		return inner * float64(g.scale[i]*g.scale[j])
	})
}

// gaussianTime is what a Gaussian takes, in nanoseconds.
const gaussianTime = 10

// DenseCost adds the Gaussians to the matrix inside. A product is made of rows, each of which is a product of the matrix inside at most.
func (g rbfGram) DenseCost(products float64) (matrix, product float64) {
	n := float64(len(g.norms))
	matrix, product = DenseCost(g.inner, products*n)
	return matrix + float64(gaussianTime*n*n), float64(n * product)
}

// DenseTo takes Gaussians of the matrix inside.
func (g rbfGram) DenseTo(dst []float64) {
	denseTo(g.inner, dst)
	eachEntry(dst, len(g.norms), func(i, j int, inner float64) float64 {
		if i == j {
			return unit(inverseRoot(g.norms[i]))
		}
		return g.kernel.value(g.norms[j], g.norms[i], inner)
	})
}

// DenseCost adds up the terms', all of which must have such a way. Which of them is too dear is not known before all are.
func (g *sumGram) DenseCost(float64) (matrix, product float64) {
	for _, t := range g.terms {
		m, p := DenseCost(t, math.Inf(1))
		matrix, product = matrix+m, product+p
	}
	return matrix, product
}

// DenseTo writes the mean of the terms' matrices, of which two are in memory.
func (g *sumGram) DenseTo(dst []float64) {
	clear(dst)
	one := make([]float64, len(dst))
	for _, t := range g.terms {
		denseTo(t, one)
		for i, value := range one {
			dst[i] += value
		}
	}
	for i := range dst {
		dst[i] /= float64(len(g.terms))
	}
}
