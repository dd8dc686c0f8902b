package bitslice

// Counter is a counter per lane: bit t of plane p is bit p of the count of lane t.
type Counter struct {
	planes [32]uint64
}

// Add counts one for each bit of eight words: full adders make one carry of eights of them, which is added last.
func (v *Counter) Add(a *[8]uint64) {
	ones, twos, fours := v.planes[0], v.planes[1], v.planes[2]
	ones, c0 := fullAdd(ones, a[0], a[1])
	ones, c1 := fullAdd(ones, a[2], a[3])
	ones, c2 := fullAdd(ones, a[4], a[5])
	ones, c3 := fullAdd(ones, a[6], a[7])
	twos, d0 := fullAdd(twos, c0, c1)
	twos, d1 := fullAdd(twos, c2, c3)
	fours, carry := fullAdd(fours, d0, d1)
	v.planes[0], v.planes[1], v.planes[2] = ones, twos, fours
	for p := 3; carry != 0 && p < len(v.planes); p++ {
		v.planes[p], carry = v.planes[p]^carry, v.planes[p]&carry
	}
}

// fullAdd returns the sum of three bits and its carry.
func fullAdd(a, b, c uint64) (sum, carry uint64) {
	return a ^ b ^ c, majority(a, b, c)
}

// Read writes the counts of the first lanes.
func (v *Counter) Read(dst []int32) {
	clear(dst)
	for base := 0; base < len(v.planes); base += 8 {
		planes := (*[8]uint64)(v.planes[base:])
		if planes[0]|planes[1]|planes[2]|planes[3]|planes[4]|planes[5]|planes[6]|planes[7] == 0 {
			continue
		}
		for lane := 0; lane < len(dst); lane += 8 {
			square := uint64(0) // byte p holds bit p of eight lanes
			for p, plane := range planes {
				square |= plane >> lane & 0xff << (8 * p)
			}
			square = transpose(square)
			for t := lane; t < min(lane+8, len(dst)); t++ {
				dst[t] += int32(square&0xff) << base
				square >>= 8
			}
		}
	}
}

// transpose turns a square of 8 × 8 bits, a row per byte.
func transpose(x uint64) uint64 {
	t := (x ^ x>>7) & 0x00AA00AA00AA00AA
	x ^= t ^ t<<7
	t = (x ^ x>>14) & 0x0000CCCC0000CCCC
	x ^= t ^ t<<14
	t = (x ^ x>>28) & 0x00000000F0F0F0F0
	return x ^ t ^ t<<28
}
