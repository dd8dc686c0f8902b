package scan

import (
	"cmp"

	"github.com/seqsvm/seqsvm/seqio/genome"
)

// Region is a hit, or several merged, with its record.
type Region struct {
	Record string // id
	Index  int    // of the record, 0-based
	Start  int    // 0-based
	End    int    // 0-based, after the last letter
	Score  float64
	Strand genome.Strand
}

// Region returns a hit of a batch as a region.
func (s *Scanner) Region(b *Batch, h Hit) Region {
	return Region{b.Record, b.Index, h.Start, h.Start + s.Window, h.Score, h.Strand}
}

// inOrder compares regions by record, position and strand, Plus first.
func inOrder(a, b Region) int {
	return cmp.Or(cmp.Compare(a.Index, b.Index), cmp.Compare(a.Start, b.Start), cmp.Compare(a.Strand, b.Strand))
}

// better compares regions by score, the greater first, those of one score by order.
func better(a, b Region) int { return cmp.Or(cmp.Compare(b.Score, a.Score), inOrder(a, b)) }

// Sink takes regions in order, and End after the last.
type Sink interface {
	Add(r Region) error
	End() error
}
