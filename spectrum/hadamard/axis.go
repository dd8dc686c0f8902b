package hadamard

// lane is the number of columns transformed together, a cache line. Each column adds up its values in the order of the
// letters.
const lane = 8

func (a axes) forward(x []float64, from, to int) {
	stride := len(x) / a.sigma
	last := len(x) - stride
	c := from
	for ; c+lane <= to; c += lane {
		q := (*[lane]float64)(x[c:])
		s0, s1, s2, s3, s4, s5, s6, s7 := q[0], q[1], q[2], q[3], q[4], q[5], q[6], q[7]
		for at := c + stride; at < len(x); at += stride {
			q := (*[lane]float64)(x[at:])
			s0, s1, s2, s3, s4, s5, s6, s7 = s0+q[0], s1+q[1], s2+q[2], s3+q[3], s4+q[4], s5+q[5], s6+q[6], s7+q[7]
		}
		q = (*[lane]float64)(x[c+last:])
		q[0], s0 = s0, a.shift(s0, q[0])
		q[1], s1 = s1, a.shift(s1, q[1])
		q[2], s2 = s2, a.shift(s2, q[2])
		q[3], s3 = s3, a.shift(s3, q[3])
		q[4], s4 = s4, a.shift(s4, q[4])
		q[5], s5 = s5, a.shift(s5, q[5])
		q[6], s6 = s6, a.shift(s6, q[6])
		q[7], s7 = s7, a.shift(s7, q[7])
		for at := c; at < last; at += stride {
			q := (*[lane]float64)(x[at:])
			q[0] -= s0
			q[1] -= s1
			q[2] -= s2
			q[3] -= s3
			q[4] -= s4
			q[5] -= s5
			q[6] -= s6
			q[7] -= s7
		}
	}
	for ; c < to; c++ {
		sum := x[c]
		for at := c + stride; at < len(x); at += stride {
			sum += x[at]
		}
		shift := a.shift(sum, x[c+last])
		for at := c; at < last; at += stride {
			x[at] -= shift
		}
		x[c+last] = sum
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
	c := from
	for ; c+lane <= to; c += lane {
		q := (*[lane]float64)(x[c:])
		s0, s1, s2, s3, s4, s5, s6, s7 := q[0], q[1], q[2], q[3], q[4], q[5], q[6], q[7]
		for at := c + stride; at < last; at += stride {
			q := (*[lane]float64)(x[at:])
			s0, s1, s2, s3, s4, s5, s6, s7 = s0+q[0], s1+q[1], s2+q[2], s3+q[3], s4+q[4], s5+q[5], s6+q[6], s7+q[7]
		}
		q = (*[lane]float64)(x[c+last:])
		q[0], s0 = a.unshift(q[0], s0)
		q[1], s1 = a.unshift(q[1], s1)
		q[2], s2 = a.unshift(q[2], s2)
		q[3], s3 = a.unshift(q[3], s3)
		q[4], s4 = a.unshift(q[4], s4)
		q[5], s5 = a.unshift(q[5], s5)
		q[6], s6 = a.unshift(q[6], s6)
		q[7], s7 = a.unshift(q[7], s7)
		for at := c; at < last; at += stride {
			q := (*[lane]float64)(x[at:])
			q[0] += s0
			q[1] += s1
			q[2] += s2
			q[3] += s3
			q[4] += s4
			q[5] += s5
			q[6] += s6
			q[7] += s7
		}
	}
	for ; c < to; c++ {
		rest := x[c]
		for at := c + stride; at < last; at += stride {
			rest += x[at]
		}
		value, shift := a.unshift(x[c+last], rest)
		for at := c; at < last; at += stride {
			x[at] += shift
		}
		x[c+last] = value
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
		sum := 0.0
		for _, v := range x[:last+1] {
			sum += v
		}
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
		rest := 0.0
		for _, v := range x[:last] {
			rest += v
		}
		value, shift := a.unshift(x[last], rest)
		for i := range x[:last] {
			x[i] += shift
		}
		x[last] = value
		x = x[last+1:]
	}
}
