package compose

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/vectors"
)

// shares are the weights of the terms of a mean, nil for equal ones.
type shares []float64

// weight returns that of term t.
func (s shares) weight(t int) float64 {
	if s == nil {
		return 1
	}
	return s[t]
}

// total returns the sum of the weights of all n terms.
func (s shares) total(n int) float64 {
	if s == nil {
		return float64(n)
	}
	return floats.Sum(s)
}

// average returns the mean of a value of the terms.
func average[T any](weights shares, terms []T, value func(term T) float64) float64 {
	sum := 0.0
	for t, term := range terms {
		sum += float64(weights.weight(t) * value(term))
	}
	return sum / weights.total(len(terms))
}

// mean writes into dst the mean over the terms of what write gives, summed in order.
func mean[T any](dst []float64, weights shares, terms []T, write func(out []float64, t T)) {
	if len(terms) == 1 {
		write(dst, terms[0])
		return
	}
	one := scratch.Borrow(&scratch.Pool, len(dst))
	defer scratch.Pool.Put(one)
	meanBy(*one, dst, weights, terms, write)
}

// meanBy is mean with space for what one term gives.
func meanBy[T any](one, dst []float64, weights shares, terms []T, write func(out []float64, t T)) {
	clear(dst)
	for t, term := range terms {
		write(one, term)
		vectors.AddScaled(dst, weights.weight(t), one)
	}
	total := weights.total(len(terms))
	for i := range dst {
		dst[i] /= total
	}
}

// leastNorm is the least k(x, x) that is not taken for 0: the least float64 of full precision. The product of two
// inverse roots of such norms does not overflow.
const leastNorm = 0x1p-1022

// inverseRoot returns k^−½, and 0 for the norm of a sequence without features, or one that an indefinite kernel makes
// negative.
func inverseRoot(k float64) float64 {
	if !(k >= leastNorm) {
		return 0
	}
	return 1 / math.Sqrt(k)
}

// unit is a normalised diagonal entry: 1, or 0 without features.
func unit(scale float64) float64 {
	if scale == 0 {
		return 0
	}
	return 1
}
