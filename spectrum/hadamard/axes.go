package hadamard

import (
	"math"

	"github.com/seqsvm/seqsvm/internal/vectors"
)

// axes convolves tables on any alphabet, digit by digit. With s = Σ x_i, m = s/σ and e = x_{σ−1} − m, a digit's values
// (x_0 … x_{σ−1}) become (x_0 − w, …, x_{σ−2} − w, s), w = m − γe: the last coordinate is the constant one, and the
// others sum up to ((σ−1)γ − 1)e, which gives e on the way back. With γ = 1/(√σ − 1) this would be, but for the length
// of s, the reflection that exchanges the constant vector and the last unit vector, and enlarge no error, as γ = 0 does
// √σ times per digit. γ is that rounded to two bits, so that the other constant is free of rounding errors, which would
// add up over the digits.
type axes struct {
	sigma        int
	letters      float64 // σ
	gamma, total float64 // γ and (σ−1)γ − 1
	eigen        []float64
}

func newAxes(sigma int, eigen []float64) axes {
	letters := float64(sigma)
	fraction, exponent := math.Frexp(1 / (math.Sqrt(letters) - 1))
	gamma := math.Ldexp(math.Round(fraction*4)/4, exponent)
	return axes{sigma, letters, gamma, float64((letters-1)*gamma) - 1, eigen}
}

// leafWords bounds the parts that are not divided further but done digit by digit.
const leafWords = 512

func (a axes) rows() int { return a.sigma }

// weight counts the digits of a code below of, a power of σ, that are not the last letter.
func (a axes) weight(code, of int) int {
	weight := 0
	for ; of > 1; of /= a.sigma {
		if code%a.sigma != a.sigma-1 {
			weight++
		}
		code /= a.sigma
	}
	return weight
}

func (a axes) convolve(x []float64, prefix, of int) {
	a.convolveWeight(x, a.weight(prefix, of))
}

// convolveWeight is convolve for a part whose prefix has the given weight.
func (a axes) convolveWeight(x []float64, weight int) {
	if len(x) <= max(leafWords, a.sigma) {
		a.convolveLeaf(x, weight)
		return
	}
	row := len(x) / a.sigma
	a.forward(x, 0, row)
	for i := range a.sigma - 1 {
		a.convolveWeight(x[i*row:(i+1)*row], weight+1)
	}
	a.convolveWeight(x[len(x)-row:], weight)
	a.backward(x, 0, row)
}

// convolveLeaf is convolveWeight for a small part.
func (a axes) convolveLeaf(x []float64, weight int) {
	for size := len(x); size > a.sigma; size /= a.sigma {
		for base := 0; base < len(x); base += size {
			a.forward(x[base:base+size], 0, size/a.sigma)
		}
	}
	a.transformLast(x, false)
	a.scale(x, weight)
	a.transformLast(x, true)
	for size := a.sigma * a.sigma; size <= len(x); size *= a.sigma {
		for base := 0; base < len(x); base += size {
			a.backward(x[base:base+size], 0, size/a.sigma)
		}
	}
}

// scale multiplies every coordinate by its eigenvalue.
func (a axes) scale(x []float64, weight int) {
	if len(x) == a.sigma {
		last := len(x) - 1
		factor := a.eigen[weight+1]
		for i := range x[:last] {
			x[i] *= factor
		}
		x[last] *= a.eigen[weight]
		return
	}
	stride := len(x) / a.sigma
	for i := range a.sigma - 1 {
		a.scale(x[i*stride:(i+1)*stride], weight+1)
	}
	a.scale(x[len(x)-stride:], weight)
}

// strip is the number of columns transformed together. Each column adds up its values in the order of the letters.
const strip = 32

func (a axes) forward(x []float64, from, to int) { a.transform(x, from, to, false) }

func (a axes) backward(x []float64, from, to int) { a.transform(x, from, to, true) }

// transform is forward or, if back is set, backward.
func (a axes) transform(x []float64, from, to int, back bool) {
	stride := len(x) / a.sigma
	last := len(x) - stride
	for lo := from; lo < to; lo += strip {
		hi := min(lo+strip, to)
		var space [strip]float64
		shifts, end := space[:hi-lo], x[last+lo:last+hi]
		for at := 0; at < last; at += stride {
			vectors.Add(shifts, x[at+lo:at+hi])
		}
		for i, rest := range shifts {
			end[i], shifts[i] = a.step(end[i], rest, back)
		}
		for at := 0; at < last; at += stride {
			vectors.Add(x[at+lo:at+hi], shifts)
		}
	}
}

// transformLast is transform for the last digit: every σ consecutive values.
func (a axes) transformLast(x []float64, back bool) {
	last := a.sigma - 1
	for len(x) > last {
		value, shift := a.step(x[last], vectors.Sum(x[:last]), back)
		for i := range x[:last] {
			x[i] += shift
		}
		x[last] = value
		x = x[last+1:]
	}
}

// step gives what becomes of the last value or coordinate, and what is added to all others, −w or w, from the last one
// and the sum of the others.
func (a axes) step(last, rest float64, back bool) (value, shift float64) {
	if back {
		mean, excess := last/a.letters, rest/a.total
		return mean + excess, mean - float64(a.gamma*excess)
	}
	sum := rest + last
	mean := sum / a.letters
	return sum, float64(a.gamma*(last-mean)) - mean
}
