package stringkernel

// SlidingSumsTo writes the sums of all windows of n ≥ 1 neighbouring entries of v into dst, which has len(v)−n+1
// entries: this turns the values of k-mers into those of windows, for a [Tracker]. It takes 3 additions per entry and
// memory for 2n.
//
// Nothing is subtracted, so no error accumulates: v is cut into blocks of n, and a window is the end of one block and
// the start of the next, summed from the cut in both directions. The error of each sum is that of n terms, at most
// n·2⁻⁵³·Σ|v_i| to first order.
func SlidingSumsTo(dst, v []float64, n int) {
	if n == 1 {
		copy(dst, v)
	}
	if n <= 1 || len(v) < n {
		return
	}
	ends, next := make([]float64, n), make([]float64, n) // ends[i] is the sum of entries i … n−1 of a block
	sum := 0.0
	for i := n - 1; i >= 0; i-- {
		sum += v[i]
		ends[i] = sum
	}
	for ; ; dst, v = dst[n:], v[n:] {
		dst[0] = ends[0]
		rest := v[n:]
		if len(rest) < n {
			addStarts(dst[1:], ends[1:], rest)
			return
		}
		// The starts of this block and the ends of the next are two chains of additions that do not wait for each
		// other.
		block, out, above := rest[:n], dst[1:n], ends[1:n]
		front, back := 0.0, 0.0
		for i, value := range block[:n-1] {
			front += value
			out[i] = above[i] + front
			back += block[n-1-i]
			next[n-1-i] = back
		}
		next[0] = back + block[0]
		ends, next = next, ends
	}
}

// addStarts writes ends[i] + (v[0] + … + v[i]).
func addStarts(dst, ends, v []float64) {
	sum := 0.0
	for i, value := range v {
		sum += value
		dst[i] = ends[i] + sum
	}
}
