package spectrum

import (
	"context"

	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// Space returns the table of all k-mers where an array has room for it and there is one length and counts are raw;
// else nil.
func (k Kernel) Space() compose.Space {
	if k.Bounded || k.weighs() || k.Alphabet.Bits()*k.K > tableBits {
		return nil
	}
	return &space{newCoder(k.Alphabet, k.K), k}
}

// space is the weights of k-mers by code: see [compose.Space].
type space struct {
	coder
	kernel Kernel
}

// Size returns 2 to the power of the bits of a k-mer.
func (s *space) Size() int { return int(s.Mask) + 1 }

// Scale returns 1.
func (s *space) Scale([]byte) float64 { return 1 }

// KmerLength returns k for nucleotides.
func (s *space) KmerLength() int {
	if s.Bits != 2 {
		return 0
	}
	return s.K
}

// Filter leaves a table as it is: features are orthonormal.
func (s *space) Filter(ctx context.Context, _ []float64) error { return ctx.Err() }

// Strands returns 1.
func (s *space) Strands() int { return 1 }

// Scorer returns the scorer of the k-mers whose weights are not all 0.
func (s *space) Scorer(ctx context.Context, tables [][]float64) (stringkernel.Scorer, error) {
	rows := tables[0]
	if n := len(tables); n > 1 {
		rows = make([]float64, n*s.Size())
		for m, table := range tables {
			for code, weight := range table {
				rows[code*n+m] = weight
			}
		}
	}
	levels := []level{levelOf(s.K, rows, len(tables))}
	scorer, err := newScorer(s.kernel, len(tables), levels, scorerDepth(s.kernel, len(tables), levels))
	if err != nil {
		return nil, err
	}
	return scorer, ctx.Err()
}
