package kmers

import (
	"context"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/seqsvm/seqsvm/internal/parallel"
)

const (
	mostKmers   = 100_000_000 // that are listed when all are
	blockSize   = 1 << 13     // per task
	roundBlocks = 64          // written together, whatever the number of processors
)

// Rows is how [Scorer.WriteRows] writes k-mers.
type Rows struct {
	Append   func(dst, kmer []byte, score float64) []byte // appends a row; called by several goroutines at once
	Progress func(share float64)                          // called now and then with the part that is done; may be nil
	Both     bool                                         // lists the k-mers of both strands, where one stands for two
}

// WriteRows writes a row per k-mer in alphabetical order: all k-mers if set is nil, else those of the set, which s must
// have made. Blocks of k-mers are scored on all processors, and the bytes do not depend on how many there are. It
// returns an error of w or of ctx, or if all k-mers are more than 10⁸.
func (s *Scorer) WriteRows(ctx context.Context, w io.Writer, set *Set, rows Rows) error {
	n := newNumbering(s)
	n.both = n.both && !rows.Both
	var blocks iter.Seq[[]uint64]
	all, done := 0.0, 0 // k-mers, those of both strands twice
	if set != nil {
		blocks, all = slices.Chunk(set.numbers(), blockSize), float64(set.Len())
	} else if total, fits := n.count(); fits && total <= mostKmers {
		blocks, all = n.blocks(total, blockSize), float64(total)
	} else {
		return fmt.Errorf("kmers: there are %d^%d k-mers, and at most %d are listed; list those of some sequences",
			len(n.letters), s.length, mostKmers)
	}
	var text [roundBlocks][]byte
	var round [][]uint64
	flush := func() error {
		err := parallel.Do(ctx, len(round), func(b int) error {
			text[b] = s.format(text[b][:0], &n, round[b], rows.Append)
			return nil
		})
		for b := 0; b < len(round) && err == nil; b++ {
			_, err = w.Write(text[b])
			done += blockSize
		}
		if rows.Progress != nil {
			rows.Progress(min(1, float64(done)/all))
		}
		round = round[:0]
		return err
	}
	for block := range blocks {
		if round = append(round, block); len(round) == roundBlocks {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

// format appends the rows of k-mers.
func (s *Scorer) format(dst []byte, n *numbering, numbers []uint64, row func(dst, kmer []byte, score float64) []byte,
) []byte {
	one, kmer := make([]float64, 1), make([]byte, 0, s.length)
	for _, number := range numbers {
		kmer = n.appendKmer(kmer[:0], number)
		dst = row(dst, kmer, s.score(one, kmer))
	}
	return dst
}
