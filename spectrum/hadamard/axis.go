package hadamard

import "github.com/seqsvm/seqsvm/internal/vectors"

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
