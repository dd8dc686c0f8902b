package wdk

import "math/bits"

// Sums over the lengths of matches, given the mask m_1 of matching positions: m_{k+1} is m_k AND m_k moved by one
// position, and its set bits are the matches of k + 1 letters. With S_k = Σ_{j ≤ k} popcount(m_j),
//
//	Σ_k (d − k + 1) popcount(m_k) = Σ_{k ≤ d} S_k,
//
// additions only; once no match is left, the same S counts d − k times. In the layout of planes a step is one AND per
// 64-bit word and a single shift.

// degrees returns that sum; it overwrites the mask.
func degrees(mask []uint64, d int) int {
	switch len(mask) {
	case 1:
		return degrees1(mask[0], d)
	case 2:
		return degrees2(mask[0], mask[1], d)
	case 3:
		return degrees3(mask[0], mask[1], mask[2], d)
	case 4:
		return degrees4(mask[0], mask[1], mask[2], mask[3], d)
	}
	total, sum := 0, 0
	for left := d; left > 0; left-- {
		for _, m := range mask {
			sum += bits.OnesCount64(m)
		}
		total += sum
		if !step(mask) {
			return total + (left-1)*sum
		}
	}
	return total
}

// step replaces m_k by m_{k+1} and reports whether any match is left.
func step(mask []uint64) bool {
	first, any := mask[0]>>1, uint64(0)
	for w := range mask[1:] {
		mask[w] &= mask[w+1]
		any |= mask[w]
	}
	last := &mask[len(mask)-1]
	*last &= first
	return any|*last != 0
}

// The four below do the same for masks of one to four 64-bit words in registers. They check only every four lengths
// whether a match is left: in random sequences the longest match has 3 to 6 letters, and a branch that cannot be
// predicted costs as much as two lengths.

func degrees1(a uint64, d int) int {
	total, sum := 0, 0
	for ; d >= 4; d -= 4 {
		s1 := sum + bits.OnesCount64(a)
		a = a & (a >> 1)
		s2 := s1 + bits.OnesCount64(a)
		a = a & (a >> 1)
		s3 := s2 + bits.OnesCount64(a)
		a = a & (a >> 1)
		sum = s3 + bits.OnesCount64(a)
		a = a & (a >> 1)
		total += (s1 + s2) + (s3 + sum)
		if a == 0 {
			return total + (d-4)*sum
		}
	}
	for ; d > 0; d-- {
		sum += bits.OnesCount64(a)
		total += sum
		a = a & (a >> 1)
	}
	return total
}

func degrees2(a, b uint64, d int) int {
	total, sum := 0, 0
	for ; d >= 4; d -= 4 {
		s1 := sum + bits.OnesCount64(a) + bits.OnesCount64(b)
		a, b = a&b, b&(a>>1)
		s2 := s1 + bits.OnesCount64(a) + bits.OnesCount64(b)
		a, b = a&b, b&(a>>1)
		s3 := s2 + bits.OnesCount64(a) + bits.OnesCount64(b)
		a, b = a&b, b&(a>>1)
		sum = s3 + bits.OnesCount64(a) + bits.OnesCount64(b)
		a, b = a&b, b&(a>>1)
		total += (s1 + s2) + (s3 + sum)
		if a|b == 0 {
			return total + (d-4)*sum
		}
	}
	for ; d > 0; d-- {
		sum += bits.OnesCount64(a) + bits.OnesCount64(b)
		total += sum
		a, b = a&b, b&(a>>1)
	}
	return total
}

func degrees3(a, b, c uint64, d int) int {
	total, sum := 0, 0
	for ; d >= 4; d -= 4 {
		s1 := sum + bits.OnesCount64(a) + bits.OnesCount64(b) + bits.OnesCount64(c)
		a, b, c = a&b, b&c, c&(a>>1)
		s2 := s1 + bits.OnesCount64(a) + bits.OnesCount64(b) + bits.OnesCount64(c)
		a, b, c = a&b, b&c, c&(a>>1)
		s3 := s2 + bits.OnesCount64(a) + bits.OnesCount64(b) + bits.OnesCount64(c)
		a, b, c = a&b, b&c, c&(a>>1)
		sum = s3 + bits.OnesCount64(a) + bits.OnesCount64(b) + bits.OnesCount64(c)
		a, b, c = a&b, b&c, c&(a>>1)
		total += (s1 + s2) + (s3 + sum)
		if a|b|c == 0 {
			return total + (d-4)*sum
		}
	}
	for ; d > 0; d-- {
		sum += bits.OnesCount64(a) + bits.OnesCount64(b) + bits.OnesCount64(c)
		total += sum
		a, b, c = a&b, b&c, c&(a>>1)
	}
	return total
}

func degrees4(a, b, c, e uint64, d int) int {
	total, sum := 0, 0
	for ; d >= 4; d -= 4 {
		s1 := sum + bits.OnesCount64(a) + bits.OnesCount64(b) + bits.OnesCount64(c) + bits.OnesCount64(e)
		a, b, c, e = a&b, b&c, c&e, e&(a>>1)
		s2 := s1 + bits.OnesCount64(a) + bits.OnesCount64(b) + bits.OnesCount64(c) + bits.OnesCount64(e)
		a, b, c, e = a&b, b&c, c&e, e&(a>>1)
		s3 := s2 + bits.OnesCount64(a) + bits.OnesCount64(b) + bits.OnesCount64(c) + bits.OnesCount64(e)
		a, b, c, e = a&b, b&c, c&e, e&(a>>1)
		sum = s3 + bits.OnesCount64(a) + bits.OnesCount64(b) + bits.OnesCount64(c) + bits.OnesCount64(e)
		a, b, c, e = a&b, b&c, c&e, e&(a>>1)
		total += (s1 + s2) + (s3 + sum)
		if a|b|c|e == 0 {
			return total + (d-4)*sum
		}
	}
	for ; d > 0; d-- {
		sum += bits.OnesCount64(a) + bits.OnesCount64(b) + bits.OnesCount64(c) + bits.OnesCount64(e)
		total += sum
		a, b, c, e = a&b, b&c, c&e, e&(a>>1)
	}
	return total
}

// starts are the weights of the positions at which matches begin: for each byte of a mask, a sum per value.
type starts [][256]float64

// newStarts tabulates the weights of positions 0 … words·64 − 1 in the layout of planes.
func newStarts(words int, weight func(position int) float64) starts {
	table := make(starts, 8*words)
	for w := range words {
		for b := range 8 {
			sums := &table[8*w+b]
			for value := 1; value < 256; value++ {
				low := bits.TrailingZeros8(uint8(value))
				sums[value] = sums[value&(value-1)] + weight((8*b+low)*words+w)
			}
		}
	}
	return table
}

// degrees returns Σ_k (d − k + 1) Σ weight over the set bits of m_k; it overwrites the mask.
func (t starts) degrees(mask []uint64, d int) float64 {
	total, sum := 0.0, 0.0
	for left := d; left > 0; left-- {
		for w, m := range mask {
			for b := 8 * w; m != 0; b++ {
				sum += t[b][m&255]
				m >>= 8
			}
		}
		total += sum
		if !step(mask) {
			return total + float64(float64(left-1)*sum)
		}
	}
	return total
}
