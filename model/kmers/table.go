package kmers

import (
	"context"
	"fmt"
	"io"
	"iter"
	"strconv"

	"github.com/seqsvm/seqsvm/internal/parallel"
)

const (
	mostKmers   = 100_000_000 // that are listed when all are
	blockSize   = 1 << 13     // per task
	roundBlocks = 64          // written together, whatever the number of processors
)

// WriteTable writes lines k-mer, tab, score, in alphabetical order: all k-mers if set is nil, else those of the set,
// which s must have made. Scores are the shortest decimals that read back as the same number. Blocks of k-mers are
// scored on all processors, and the bytes do not depend on how many there are. It returns an error of w or of ctx, or
// if all k-mers are more than 10⁸.
func (s *Scorer) WriteTable(ctx context.Context, w io.Writer, set *Set) error {
	n := newNumbering(s)
	var blocks iter.Seq[[]uint64]
	if set != nil {
		blocks = set.blocks(blockSize)
	} else if total, fits := n.count(); fits && total <= mostKmers {
		blocks = n.blocks(total, blockSize)
	} else {
		return fmt.Errorf("kmers: there are %d^%d k-mers, and at most %d are listed; list those of some sequences",
			len(n.letters), s.length, mostKmers)
	}
	var text [roundBlocks][]byte
	var round [][]uint64
	flush := func() error {
		err := parallel.Do(ctx, len(round), func(b int) error {
			text[b] = s.format(text[b][:0], &n, round[b])
			return nil
		})
		for b := 0; b < len(round) && err == nil; b++ {
			_, err = w.Write(text[b])
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

// format appends the lines of k-mers.
func (s *Scorer) format(dst []byte, n *numbering, numbers []uint64) []byte {
	one := make([]float64, 1)
	for _, number := range numbers {
		start := len(dst)
		dst = n.appendKmer(dst, number)
		score := s.score(one, dst[start:])
		dst = append(dst, '\t')
		dst = strconv.AppendFloat(dst, score, 'g', -1, 64)
		dst = append(dst, '\n')
	}
	return dst
}
