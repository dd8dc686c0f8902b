package simd

// BasesAtOnce is how many letters [Bases] takes.
const BasesAtOnce = 8

// Bases packs eight letters of a text, the first one in the lowest byte: their codes in dna or rna in the low 16 bits,
// that of the first letter highest. fourth is the letter T or U. wrong is 0 if all are A, C, G or the fourth, in upper
// case; else the codes mean nothing.
//
// Bits 1 and 2 of a letter, y, are 0, 1, 2 and 3 for A, C, T or U, and G, and letters are 'A' + 2y but for T and U. So
// eight are compared, coded and brought together in one 64-bit word.
func Bases(letters uint64, fourth byte) (codes, wrong uint64) {
	const (
		each   = 0x0101010101010101
		pairs  = 0x000f000f000f000f
		gather = 1<<60 | 1<<40 | 1<<20 | 1
	)
	y := letters >> 1 & (3 * each)
	high := y >> 1 & each
	wrong = letters ^ (each*'A' + 2*y + (high&^y)*uint64(fourth-'E'))
	y ^= high
	return (y<<2 | y>>8) & pairs * gather >> 48, wrong
}
