package hadamard

import "github.com/seqsvm/seqsvm/internal/vectors"

// strip is the number of columns transformed together. Each column adds up its values in the order of the letters.
const strip = 32

func (a axes) forward(x []float64, from, to int) {
	stride := len(x) / a.sigma
	last := len(x) - stride
	for lo := from; lo < to; lo += strip {
		hi := min(lo+strip, to)
		var space [strip]float64
		shifts, end := space[:hi-lo], x[last+lo:last+hi]
		for at := 0; at < len(x); at += stride {
			vectors.Add(shifts, x[at+lo:at+hi])
		}
		for i, sum := range shifts {
			end[i], shifts[i] = sum, a.shift(sum, end[i])
		}
		for at := 0; at < last; at += stride {
			subtract(x[at+lo:at+hi], shifts)
		}
	}
}

func subtract(dst, x []float64) {
	dst = dst[:len(x)]
	for i, v := range x {
		dst[i] -= v
	}
}

// shift is w, what forward subtracts from all values but the last.
func (a axes) shift(sum, last float64) float64 {
	mean := sum / a.letters
	return mean - float64(a.gamma*(last-mean))
}

func (a axes) backward(x []float64, from, to int) {
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
			end[i], shifts[i] = a.unshift(end[i], rest)
		}
		for at := 0; at < last; at += stride {
			vectors.Add(x[at+lo:at+hi], shifts)
		}
	}
}

// unshift gives the last value, and w, which backward adds to the others, from the sum of all values and that of the
// other coordinates.
func (a axes) unshift(sum, rest float64) (last, shift float64) {
	mean, excess := sum/a.letters, rest/a.total
	return mean + excess, mean - float64(a.gamma*excess)
}

// forwardLast is forward for the last digit: every σ consecutive values.
func (a axes) forwardLast(x []float64) {
	last := a.sigma - 1
	for len(x) > last {
		sum := vectors.Sum(x[:last+1])
		shift := a.shift(sum, x[last])
		for i := range x[:last] {
			x[i] -= shift
		}
		x[last] = sum
		x = x[last+1:]
	}
}

// backwardLast is the inverse of forwardLast.
func (a axes) backwardLast(x []float64) {
	last := a.sigma - 1
	for len(x) > last {
		rest := vectors.Sum(x[:last])
		value, shift := a.unshift(x[last], rest)
		for i := range x[:last] {
			x[i] += shift
		}
		x[last] = value
		x = x[last+1:]
	}
}
