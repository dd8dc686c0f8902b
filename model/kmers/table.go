package kmers

import (
	"context"
	"fmt"
	"io"
	"strconv"

	"github.com/seqsvm/seqsvm/internal/parallel"
)

const (
	mostWords   = 100_000_000 // that are listed when all are
	blockWords  = 1 << 13     // per task
	roundBlocks = 64          // written together, whatever the number of processors
)

// WriteTable writes lines word, tab, score, in alphabetical order: all words if set is nil, else those of the set,
// which s must have made. Scores are the shortest decimals that read back as the same number. Blocks of words are
// scored on all processors, and the bytes do not depend on how many there are. It returns an error of w or of ctx, or
// if all words are more than 10⁸.
func (s *Scorer) WriteTable(ctx context.Context, w io.Writer, set *Set) error {
	t := table{scorer: s, numbering: newNumbering(s), out: w}
	if set != nil {
		set.blocks(blockWords, func(numbers []uint64) bool { return t.add(ctx, numbers) })
		t.flush(ctx)
		return t.err
	}
	total, fits := t.numbering.count()
	if !fits || total > mostWords {
		return fmt.Errorf("words: there are %d^%d words, and at most %d are listed; list those of some sequences",
			len(t.numbering.letters), s.length, mostWords)
	}
	for from := uint64(0); from < total; from += blockWords {
		numbers := make([]uint64, 0, blockWords)
		for number := from; number < min(from+blockWords, total); number++ {
			if t.numbering.canonical(number) == number {
				numbers = append(numbers, number)
			}
		}
		if !t.add(ctx, numbers) {
			break
		}
	}
	t.flush(ctx)
	return t.err
}

// table collects blocks of words and writes them in rounds.
type table struct {
	scorer    *Scorer
	numbering numbering
	out       io.Writer
	blocks    [][]uint64
	text      [roundBlocks][]byte
	err       error
}

// add takes a block of words, and reports whether there is reason to go on.
func (t *table) add(ctx context.Context, numbers []uint64) bool {
	t.blocks = append(t.blocks, numbers)
	if len(t.blocks) == roundBlocks {
		t.flush(ctx)
	}
	return t.err == nil
}

// flush scores the blocks on all processors and writes them in order.
func (t *table) flush(ctx context.Context) {
	if t.err != nil {
		return
	}
	t.err = parallel.Do(ctx, len(t.blocks), func(b int) error {
		t.text[b] = t.format(t.text[b][:0], t.blocks[b])
		return nil
	})
	for b := 0; b < len(t.blocks) && t.err == nil; b++ {
		_, t.err = t.out.Write(t.text[b])
	}
	t.blocks = t.blocks[:0]
}

// format appends the lines of words.
func (t *table) format(dst []byte, numbers []uint64) []byte {
	one := make([]float64, 1)
	for _, number := range numbers {
		start := len(dst)
		dst = t.numbering.appendWord(dst, number)
		score := t.scorer.score(one, dst[start:])
		dst = append(dst, '\t')
		dst = strconv.AppendFloat(dst, score, 'g', -1, 64)
		dst = append(dst, '\n')
	}
	return dst
}
