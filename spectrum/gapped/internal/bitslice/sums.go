// Package bitslice counts 64 times at once: plane p, a number of 64 bits, holds bit p of 64 counts.
package bitslice

// The sums of 2, 4, 8, … neighbouring bits are doubled from each other, and those of any length are put together from
// them, the short ones first. A sum of 2^j neighbours is at most 2^j: its top bit is set only if no other is, so that
// there is no carry into it.

// Sums returns the planes of the sums of length ≤ 32 neighbouring bits of m: bit t of plane p is bit p of
// m_t + … + m_{t+length−1}.
func Sums(m uint64, length int) (b0, b1, b2, b3, b4, b5 uint64) {
	if length&1 != 0 {
		b0 = m
	}
	p0, p1 := m^m>>1, m&(m>>1) // of 2
	if length&2 != 0 {
		u0, u1 := p0>>(length&1), p1>>(length&1)
		b0, b1 = b0^u0, u1|b0&u0
	}
	if length < 4 {
		return
	}
	q0, q1, q2 := p0^p0>>2, p1^p1>>2|p0&(p0>>2), p1&(p1>>2) // of 4
	if length&4 != 0 {
		off := length & 3
		c, u1 := b0&(q0>>off), q1>>off
		b0 ^= q0 >> off
		c, b1 = majority(b1, u1, c), b1^u1^c
		b2 = q2>>off | c
	}
	if length < 8 {
		return
	}
	c := q0 & (q0 >> 4)
	r0, r1 := q0^q0>>4, q1^q1>>4^c // of 8
	c = majority(q1, q1>>4, c)
	r2, r3 := q2^q2>>4|c, q2&(q2>>4)
	if length&8 != 0 {
		off := length & 7
		c, u1, u2 := b0&(r0>>off), r1>>off, r2>>off
		b0 ^= r0 >> off
		c, b1 = majority(b1, u1, c), b1^u1^c
		c, b2 = majority(b2, u2, c), b2^u2^c
		b3 = r3>>off | c
	}
	if length < 16 {
		return
	}
	return addLong(b0, b1, b2, b3, r0, r1, r2, r3, length)
}

// addLong returns the planes of sums of length ≥ 16 neighbours by those of length mod 16 and of 8.
func addLong(b0, b1, b2, b3, r0, r1, r2, r3 uint64, length int) (d0, d1, d2, d3, d4, d5 uint64) {
	c := r0 & (r0 >> 8)
	s0, s1 := r0^r0>>8, r1^r1>>8^c // of 16
	c = majority(r1, r1>>8, c)
	s2 := r2 ^ r2>>8 ^ c
	c = majority(r2, r2>>8, c)
	s3, s4 := r3^r3>>8|c, r3&(r3>>8)
	if length < 32 {
		off := length & 15
		c, u1, u2, u3 := b0&(s0>>off), s1>>off, s2>>off, s3>>off
		b0 ^= s0 >> off
		c, b1 = majority(b1, u1, c), b1^u1^c
		c, b2 = majority(b2, u2, c), b2^u2^c
		c, b3 = majority(b3, u3, c), b3^u3^c
		return b0, b1, b2, b3, s4>>off | c, 0
	}
	c = s0 & (s0 >> 16)
	d0, d1 = s0^s0>>16, s1^s1>>16^c // of 32
	c = majority(s1, s1>>16, c)
	d2 = s2 ^ s2>>16 ^ c
	c = majority(s2, s2>>16, c)
	d3 = s3 ^ s3>>16 ^ c
	c = majority(s3, s3>>16, c)
	d4, d5 = s4^s4>>16|c, s4&(s4>>16)
	return
}

// SumsNear returns the two low planes, and in far whether a sum is 4 or more; b0 and b1 are arbitrary there.
func SumsNear(m uint64, length int) (b0, b1, far uint64) {
	if length&1 != 0 {
		b0 = m
	}
	p0, p1 := m^m>>1, m&(m>>1) // of 2
	if length&2 != 0 {
		u0, u1 := p0>>(length&1), p1>>(length&1)
		b0, b1 = b0^u0, u1|b0&u0
	}
	if length < 4 {
		return
	}
	q0, q1, over := p0^p0>>2, p1^p1>>2|p0&(p0>>2), p1&(p1>>2) // of 4
	if length&4 != 0 {
		b0, b1, far = addNear(b0, b1, 0, q0, q1, over, length&3)
	}
	if length < 8 {
		return
	}
	r0, r1, over := addNear(q0, q1, over, q0, q1, over, 4) // of 8
	if length&8 != 0 {
		b0, b1, far = addNear(b0, b1, far, r0, r1, over, length&7)
	}
	if length < 16 {
		return
	}
	s0, s1, over := addNear(r0, r1, over, r0, r1, over, 8) // of 16
	if length < 32 {
		return addNear(b0, b1, far, s0, s1, over, length&15)
	}
	return addNear(s0, s1, over, s0, s1, over, 16)
}

// addNear adds sums v, off places on, to sums u, keeping two planes.
func addNear(u0, u1, ufar, v0, v1, vfar uint64, off int) (b0, b1, far uint64) {
	v0, v1 = v0>>(off&63), v1>>(off&63)
	c := u0 & v0
	return u0 ^ v0, u1 ^ v1 ^ c, ufar | vfar>>(off&63) | majority(u1, v1, c)
}

// majority is the carry of three bits.
func majority(a, b, c uint64) uint64 { return a&b | c&(a^b) }
