package lsgkm

// Folds returns the fold of each record, 0 … k − 1, that gkmtrain -x k -r seed tests it in: positives come before
// negatives, and records of gkmtrain-svr are all positives. Each class is shuffled by rand of the GNU C library and cut
// into k parts; of no more than k records each is a fold.
func Folds(k int, seed uint32, positives, negatives int) []int {
	fold, random, start := make([]int, positives+negatives), rand(seed), 0
	if k >= len(fold) {
		k, positives, negatives = len(fold), len(fold), 0
	}
	for _, n := range []int{positives, negatives} {
		list := make([]int, n)
		for i := range list {
			list[i] = start + i
		}
		for i := range list {
			j := i + random()%(n-i)
			list[i], list[j] = list[j], list[i]
		}
		for f := range k {
			for _, i := range list[f*n/k : (f+1)*n/k] {
				fold[i] = f
			}
		}
		start += n
	}
	return fold
}

// rand is that of the GNU C library: r_i = r_(i−3) + r_(i−31) modulo 2³², without the last bit.
func rand(seed uint32) (next func() int) {
	const prime = 1<<31 - 1
	var last [31]uint32
	x := int64(int32(max(seed, 1)))
	for i := range last {
		last[i] = uint32(x)
		x = (16807*x%prime + prime) % prime
	}
	at := 2
	next = func() int {
		at = (at + 1) % 31
		last[at] += last[(at+28)%31]
		return int(last[at] >> 1)
	}
	for range 310 {
		next()
	}
	return next
}
