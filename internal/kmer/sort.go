package kmer

import "slices"

// Sort sorts codes by bits lo … hi−1, with space to work in: byte by byte, or by comparing where they are few. Codes are
// in order of the bits below lo, and have none from hi on.
func Sort(codes []uint64, lo, hi uint, space *[]uint64) {
	passes := int(hi-lo+7) / 8
	if len(codes) < fewCodes*passes {
		slices.Sort(codes)
		return
	}
	*space = slices.Grow((*space)[:0], len(codes))
	from, to := codes, (*space)[:len(codes)]
	for pass := range passes {
		shift := lo + 8*uint(pass)
		var starts [257]int // starts[b+1] counts the byte b at first
		for _, code := range from {
			starts[code>>(shift&63)&255+1]++
		}
		for b := range 256 {
			starts[b+1] += starts[b]
		}
		for _, code := range from {
			at := &starts[code>>(shift&63)&255]
			to[*at] = code
			*at++
		}
		from, to = to, from
	}
	if passes%2 == 1 {
		copy(codes, from)
	}
}

// fewCodes is the number of codes for each byte of them below which comparing is faster.
const fewCodes = 32
