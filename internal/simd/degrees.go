package simd

import "math/bits"

// WindowsAtOnce is the number of windows in a block: see [AddDegrees].
const WindowsAtOnce = 8

// AddDegrees adds by·Σ_{k ≤ d} (d − k + 1)·c_k to dst[j] for every window j, where c_k is the number of positions from
// which on k letters of x and of the window match. The sums are whole numbers below 2⁵².
//
// A window is planes of bits, W = words of 64 bits each: one for each bit of a letter, and last one of the positions
// that match nothing. Position p is bit p div W of word p mod W, so that the next position is the same bit of the next
// word, or the next bit of the first one. x has all planes. In windows, the same word of eight windows follows one
// another, then the next word of these; the last eight are filled up. They may lack the last plane, if it has nothing
// that the one of x has not. masks is space for (WindowsAtOnce + 1)·W words.
func AddDegrees(dst []float64, x, windows, masks []uint64, words, d int, by float64) {
	if len(dst) == 0 {
		return
	}
	whole := len(dst) / WindowsAtOnce * WindowsAtOnce
	size := len(windows) / ((len(dst) + WindowsAtOnce - 1) / WindowsAtOnce) // of a block
	planes := size / (WindowsAtOnce * words)
	if len(x)%words != 0 || planes*words > len(x) || planes*words < len(x)-words || d < 1 {
		panic("simd: windows of other planes")
	}
	masks = masks[:(WindowsAtOnce+1)*words]
	addDegrees(dst[:whole], x, windows, masks, words, planes, d, by)
	if whole < len(dst) {
		var last [WindowsAtOnce]float64
		copy(last[:], dst[whole:])
		addDegrees(last[:], x, windows[len(windows)-size:], masks, words, planes, d, by)
		copy(dst[whole:], last[:])
	}
}

// goAddDegrees is for whole blocks. With the mask m_1 of the positions that match, m_{k+1} is m_k AND m_k moved by one
// position, and its set bits are the matches of k + 1 letters. With S_k = Σ_{j ≤ k} popcount(m_j),
//
//	Σ_k (d − k + 1) popcount(m_k) = Σ_{k ≤ d} S_k,
//
// additions only; once no match is left, the same S counts d − k times.
func goAddDegrees(dst []float64, x, windows, masks []uint64, words, planes, d int, by float64) {
	const each = WindowsAtOnce
	masks, one := masks[:each*words], masks[each*words:]
	none, size := x[len(x)-words:], each*words*planes
	for ; len(dst) > 0; dst, windows = dst[each:], windows[size:] {
		for w := range words {
			m := (*[each]uint64)(masks[each*w:])
			for j := range m {
				m[j] = none[w]
			}
			for at := w; at < planes*words; at += words {
				differ(m, (*[each]uint64)(windows[each*at:]), x[at])
			}
		}
		for j := range each {
			dst[j] += float64(by * float64(degrees(masks[j:], one, d)))
		}
	}
}

// differ adds the positions at which a plane of letters is not that of the windows y.
func differ(sum, y *[WindowsAtOnce]uint64, letters uint64) {
	sum[0] |= letters ^ y[0]
	sum[1] |= letters ^ y[1]
	sum[2] |= letters ^ y[2]
	sum[3] |= letters ^ y[3]
	sum[4] |= letters ^ y[4]
	sum[5] |= letters ^ y[5]
	sum[6] |= letters ^ y[6]
	sum[7] |= letters ^ y[7]
}

// degrees returns the sum for the first of eight windows, given the positions at which they do not match. one is space
// for the mask of a window.
func degrees(other, one []uint64, d int) int {
	const each = WindowsAtOnce
	switch len(one) {
	case 1:
		return degrees1(^other[0], d)
	case 2:
		return degrees2(^other[0], ^other[each], d)
	case 3:
		return degrees3(^other[0], ^other[each], ^other[2*each], d)
	case 4:
		return degrees4(^other[0], ^other[each], ^other[2*each], ^other[3*each], d)
	}
	for w := range one {
		one[w] = ^other[each*w]
	}
	total, sum := 0, 0
	for left := d; left > 0; left-- {
		for _, m := range one {
			sum += bits.OnesCount64(m)
		}
		total += sum
		if !Longer(one) {
			return total + (left-1)*sum
		}
	}
	return total
}

// Longer replaces the positions from which on k letters match by those from which on k + 1 do, in the layout of
// [AddDegrees], and reports whether there are any.
func Longer(mask []uint64) bool {
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

func degrees1(a uint64, d int) (total int) {
	for sum := 0; d > 0; d-- {
		sum += bits.OnesCount64(a)
		total += sum
		a = a & (a >> 1)
		if d&3 == 0 && a == 0 {
			return total + (d-1)*sum
		}
	}
	return total
}

func degrees2(a, b uint64, d int) (total int) {
	for sum := 0; d > 0; d-- {
		sum += bits.OnesCount64(a) + bits.OnesCount64(b)
		total += sum
		a, b = a&b, b&(a>>1)
		if d&3 == 0 && a|b == 0 {
			return total + (d-1)*sum
		}
	}
	return total
}

func degrees3(a, b, c uint64, d int) (total int) {
	for sum := 0; d > 0; d-- {
		sum += bits.OnesCount64(a) + bits.OnesCount64(b) + bits.OnesCount64(c)
		total += sum
		a, b, c = a&b, b&c, c&(a>>1)
		if d&3 == 0 && a|b|c == 0 {
			return total + (d-1)*sum
		}
	}
	return total
}

func degrees4(a, b, c, e uint64, d int) (total int) {
	for sum := 0; d > 0; d-- {
		sum += bits.OnesCount64(a) + bits.OnesCount64(b) + bits.OnesCount64(c) + bits.OnesCount64(e)
		total += sum
		a, b, c, e = a&b, b&c, c&e, e&(a>>1)
		if d&3 == 0 && a|b|c|e == 0 {
			return total + (d-1)*sum
		}
	}
	return total
}
