package bundle

import (
	"slices"

	"github.com/seqsvm/seqsvm/internal/vectors"
)

// coefficients are those of a plane, a byte each where most are 0 or the cost of a class, which neighbours share.
type coefficients struct {
	few   [8]float64 // by code; 0 is also that of others
	code  []uint8    // nil: all are others
	at    []int32    // of the others, ascending
	other []float64
}

func newCoefficients(a []float64) *coefficients {
	c, few := &coefficients{code: make([]uint8, len(a))}, 1
	for i, x := range a {
		code := slices.Index(c.few[:few], x)
		switch {
		case code >= 0:
			c.code[i] = uint8(code)
		case i > 0 && a[i-1] == x && few < len(c.few):
			c.few[few], c.code[i] = x, uint8(few)
			few++
		case 2*len(c.at) > len(a):
			return &coefficients{other: slices.Clone(a)}
		default:
			c.at, c.other = append(c.at, int32(i)), append(c.other, x)
		}
	}
	return c
}

// each calls visit with pieces of the coefficients lo … hi−1, the first of which is that of record at.
func (c *coefficients) each(lo, hi int, visit func(at int, piece []float64)) {
	if c.code == nil {
		visit(lo, c.other[lo:hi])
		return
	}
	var space [pieceLen]float64
	next, _ := slices.BinarySearch(c.at, int32(lo))
	for ; lo < hi; lo += pieceLen {
		piece := space[:min(pieceLen, hi-lo)]
		for i, code := range c.code[lo : lo+len(piece)] {
			piece[i] = c.few[code&7]
		}
		for ; next < len(c.at) && int(c.at[next]) < lo+len(piece); next++ {
			piece[int(c.at[next])-lo] = c.other[next]
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
