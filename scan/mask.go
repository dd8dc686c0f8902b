package scan

import (
	"math"

	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/genome"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// mask writes 0 for each window of a chunk that is wanted on a strand, and NaN for the others, so that adding scores
// leaves those of the windows wanted. It returns how many are.
func (s *Scanner) mask(dst []float64, c seqio.Chunk, strand genome.Strand) (wanted int) {
	clear(dst)
	if s.Step == 1 && s.Anchor.Len() == 0 && !s.SkipAmbiguous {
		return len(dst)
	}
	anchor, offset := s.Anchor, s.Offset
	if strand == genome.Minus {
		anchor, offset = s.mirror, s.Window-s.Offset-s.Anchor.Len()
	}
	last := -1 // letter that makes windows ambiguous
	see := func(p int) {
		if s.SkipAmbiguous && s.codes[c.Seq[p]] == stringkernel.Outside {
			last = p
		}
	}
	for p := range s.Window - 1 {
		see(p)
	}
	for p := range dst {
		see(p + s.Window - 1)
		if last >= p || (c.Start+p)%s.Step != 0 || !anchor.Matches(c.Seq[p+offset:]) {
			dst[p] = math.NaN()
			continue
		}
		wanted++
	}
	return wanted
}
