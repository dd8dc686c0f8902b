package compose

import (
	"fmt"

	"gonum.org/v1/gonum/floats"

	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
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

// ofTerms collects something of each term, numbered from 0.
func ofTerms[T any](k Linear, of func(t int, term stringkernel.Kernel) (T, error)) ([]T, error) {
	return ofParts("sum: term", k.Terms, of)
}

// ofParts collects something of each part of a composed kernel, numbered from 0; errors say which of several.
func ofParts[T any](
	part string, kernels []stringkernel.Kernel, of func(i int, k stringkernel.Kernel) (T, error),
) ([]T, error) {
	list := make([]T, len(kernels))
	for i, k := range kernels {
		var err error
		if list[i], err = of(i, k); err != nil && len(kernels) > 1 {
			err = fmt.Errorf("%s %d: %w", part, i+1, err)
		}
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}
