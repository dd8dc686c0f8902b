package kmer

import "slices"

// Sort sorts codes of at most width bits, with space to work in: byte by byte, or by comparing where they are few.
func Sort(codes []uint64, width uint, space *[]uint64) {
	passes := int(width+7) / 8
	if len(codes) < fewCodes*passes {
		slices.Sort(codes)
		return
	}
	*space = slices.Grow((*space)[:0], len(codes))
	from, to := codes, (*space)[:len(codes)]
	for pass := range passes {
		shift := 8 * uint(pass)
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
