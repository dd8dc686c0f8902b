package background

import (
	"github.com/seqsvm/seqsvm/seqio/genome"
)

// occupied is the pieces of a genome that a window may not overlap. A sequence is cut into buckets of 2¹⁴ bases, each
// with the pieces that reach into it.
type occupied [][][]genome.Span

const bucketBits = 14

// occupiedBy returns what intervals occupy, as far as they are in the genome. What several intervals cover counts once,
// so that neither memory nor a look-up grows with how often a place is covered.
func occupiedBy(a *Atlas, lists ...[]genome.Interval) occupied {
	pieces := make([][]genome.Span, len(a.names))
	for _, list := range lists {
		for _, x := range list {
			if s, found := a.number[x.Seq]; found {
				pieces[s] = append(pieces[s], x.Span)
			}
		}
	}
	o := make(occupied, len(a.names))
	for s, covered := range pieces {
		o[s] = make([][]genome.Span, a.length(s)>>bucketBits+1)
		for _, piece := range genome.UnionSpans(covered, a.length(s)) {
			o.add(s, piece)
		}
	}
	return o
}

// add occupies a piece of sequence number s, within its bounds.
func (o occupied) add(s int, piece genome.Span) {
	if piece.Len() == 0 {
		return
	}
	for b := piece.Start >> bucketBits; b <= (piece.End-1)>>bucketBits; b++ {
		o[s][b] = append(o[s][b], piece)
	}
}

// overlaps reports whether a piece, of one letter at least, has a letter that is occupied.
func (o occupied) overlaps(s int, piece genome.Span) bool {
	for b := piece.Start >> bucketBits; b <= (piece.End-1)>>bucketBits; b++ {
		for _, other := range o[s][b] {
			if other.Start < piece.End && piece.Start < other.End {
				return true
			}
		}
	}
	return false
}
