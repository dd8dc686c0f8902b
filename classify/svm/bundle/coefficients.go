package bundle

import (
	"slices"

	"github.com/seqsvm/seqsvm/internal/vectors"
)

// coefficients are those of a plane, a byte each where most are 0 or the cost of a class, which neighbours share.
type coefficients struct {
	few    [own]float64 // by code
	code   []uint8      // nil: all are others
	other  []float64    // those of the code own, in order, and a 0
	before []int32      // how many of them are before each piece of pieceLen
}

const own = 8 // the code of a coefficient that few others have

func newCoefficients(a []float64) *coefficients {
	c, few := &coefficients{code: make([]uint8, len(a))}, 1
	for i, x := range a {
		if i%pieceLen == 0 {
			c.before = append(c.before, int32(len(c.other)))
		}
		code := slices.Index(c.few[:few], x)
		switch {
		case code >= 0:
			c.code[i] = uint8(code)
		case i > 0 && a[i-1] == x && few < own:
			c.few[few], c.code[i] = x, uint8(few)
			few++
		case 2*len(c.other) > len(a):
			return &coefficients{other: slices.Clone(a)}
		default:
			c.code[i], c.other = own, append(c.other, x)
		}
	}
	c.other = slices.Clone(append(c.other, 0)) // without room for more
	return c
}

// each calls visit with pieces of the coefficients lo … hi−1, the first of which is that of record at.
func (c *coefficients) each(lo, hi int, visit func(at int, piece []float64)) {
	if c.code == nil {
		visit(lo, c.other[lo:hi])
		return
	}
	if lo == hi {
		return
	}
	var space [pieceLen]float64
	var values [2 * own]float64
	copy(values[:], c.few[:])
	start := lo / pieceLen
	next := int(c.before[start])
	for _, code := range c.code[start*pieceLen : lo] {
		next += int(code / own)
	}
	for ; lo < hi; lo += pieceLen {
		piece := space[:min(pieceLen, hi-lo)]
		for i, code := range c.code[lo : lo+len(piece)] {
			values[own] = c.other[next]
			piece[i] = values[code%(2*own)]
			next += int(code / own)
		}
		visit(lo, piece)
	}
}

// dot returns the inner product with f, to the bits of [vectors.Dot].
func (c *coefficients) dot(f []float64) float64 {
	var sums vectors.DotSums
	c.each(0, len(f), func(at int, piece []float64) { sums.Add(piece, f[at:]) })
	return sums.Sum()
}
