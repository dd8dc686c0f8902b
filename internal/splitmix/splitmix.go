// Package splitmix is the mixing function of the generator SplitMix64: G. L. Steele, D. Lea, C. H. Flood, Fast splittable pseudorandom number
// generators, OOPSLA 2014, doi:10.1145/2660193.2660195.
package splitmix

// Golden is the step of the generator, an odd number near 2⁶⁴/φ: Mix(s + Golden), Mix(s + 2·Golden), … are its numbers.
const Golden = 0x9e3779b97f4a7c15

// Mix maps 64 bits to 64, one to one, so that every bit of the result depends on all of z: neighbouring numbers become unrelated ones.
func Mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
