package stringkernel

import "math"

// NumberLetters is how many letters a number beside a record takes: see [AppendNumber].
const NumberLetters = 64

// MostNumber is the greatest absolute value of a number beside a record: sums and squares of such are finite.
const MostNumber = 1e30

// The letters of numbers: gaps, which belong to no alphabet.
const (
	ZeroBit = '-'
	OneBit  = '.'
)

// AppendNumber appends a number to the letters of a record, where kernels that know of it find it: the bits of the
// float64, the first one first, as gaps. To all other kernels of sequences it is nothing.
func AppendNumber(x []byte, number float64) []byte {
	bits := math.Float64bits(number)
	for b := NumberLetters - 1; b >= 0; b-- {
		letter := byte(ZeroBit)
		if bits>>b&1 == 1 {
			letter = OneBit
		}
		x = append(x, letter)
	}
	return x
}

// NumberOf returns the number that [AppendNumber] has written as x, and false if x is none, or one
// beyond ±[MostNumber].
func NumberOf(x []byte) (number float64, is bool) {
	if len(x) != NumberLetters {
		return 0, false
	}
	bits := uint64(0)
	for _, letter := range x {
		bits <<= 1
		switch letter {
		case OneBit:
			bits |= 1
		case ZeroBit:
		default:
			return 0, false
		}
	}
	number = math.Float64frombits(bits)
	return number, math.Abs(number) <= MostNumber
}

// WithoutNumbers returns the sequences of a corpus without the numbers of some columns at their ends.
func WithoutNumbers(c *Corpus, columns int) *Corpus {
	if columns == 0 {
		return c
	}
	var b CorpusBuilder
	for i := range c.Len() {
		x := c.Seq(i)
		b.Add(c.Name(i), x[:max(0, len(x)-columns*NumberLetters)])
	}
	return b.Corpus()
}
