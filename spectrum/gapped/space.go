package gapped

import (
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

func (e *engine) space() compose.Space {
	if !e.tabular() {
		return nil
	}
	return space{engine: e}
}

// space is a table of coefficients of k-mers, of one strand if both count: what Filter makes of it is the score of a
// k-mer. See [compose.Space].
type space struct {
	*engine
	compose.RawCounts
}

// Size returns σ^l.
func (s space) Size() int { return s.coder.size }

// Scale returns 1.
func (s space) Scale([]byte) float64 { return 1 }

// KmerLength returns l for nucleotides that all weigh 1.
func (s space) KmerLength() int {
	if s.coder.bits != 2 || !s.uniform() {
		return 0
	}
	return s.coder.length
}

// Scatter adds a, times its weight, for each k-mer of x.
func (s space) Scatter(table []float64, x []byte, a float64) {
	if s.KmerLength() > 0 {
		s.coder.kmers.Scatter(table, x, a)
		return
	}
	s.eachWeighed(x, func(packed uint64, w weight) { table[s.coder.place(packed)] += float64(a * s.weights.of(w)) })
}

// Gather adds up the entries of the k-mers of x, times their weights.
func (s space) Gather(table []float64, x []byte) (sum float64) {
	if s.KmerLength() > 0 {
		return s.coder.kmers.Gather(table, x)
	}
	s.eachWeighed(x, func(packed uint64, w weight) { sum += float64(table[s.coder.place(packed)] * s.weights.of(w)) })
	return sum
}

// Filter convolves a table. Both strands of a record are Φ and PΦ, with P that exchanges k-mers and their reverse
// complements, and a function H of distance commutes with P: (I + P)·H·(I + P) = 2·(I + P)·H.
func (s space) Filter(ctx context.Context, table []float64) (err error) {
	defer cancel.Catch(&err)
	s.convolve(ctx, table)
	if s.rc {
		compose.FilterStrands(table, s.coder.length)
	}
	return ctx.Err()
}

// Strands returns 0: a k-mer adds to many entries of a filtered table.
func (s space) Strands() int { return 0 }

// Scorer returns the scorer that Merge makes of records.
func (s space) Scorer(ctx context.Context, tables [][]float64) (scorer stringkernel.Scorer, err error) {
	defer cancel.Catch(&err)
	if err := s.checkOutputs(len(tables)); err != nil {
		return nil, err
	}
	if !s.tablesFit(len(tables)) {
		return nil, fmt.Errorf("%s: %d tables of %d k-mers, want at most %d", s.name, len(tables), s.coder.size,
			maxTables/s.coder.size)
	}
	for _, table := range tables {
		s.foldStrands(table)
	}
	return s.scorerOf(ctx, tables), nil
}
