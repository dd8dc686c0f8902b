package hash

// Golden is the step of the generator SplitMix64, an odd number near 2⁶⁴/φ: SplitMix(s + Golden),
// SplitMix(s + 2·Golden), … are its numbers.
const Golden = 0x9e3779b97f4a7c15

// SplitMix maps 64 bits to 64, one to one, so that every bit of the result depends on all of z: neighbouring numbers
// become unrelated ones. It is not seeded: the same in every process. G. L. Steele, D. Lea, C. H. Flood, Fast
// splittable pseudorandom number generators, OOPSLA 2014, doi:10.1145/2660193.2660195.
func SplitMix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
