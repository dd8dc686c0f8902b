package drift

import (
	"math/rand/v2"
	"slices"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// spaced chooses records of a stream: of each run of 2^halved records one at random, so that what repeats every few
// records, as a decoy after each site, is not chosen or left out as a whole.
type spaced struct {
	seen, halved int
	at           int // the record to keep of the run
	random       rand.PCG
}

// next reports whether the next record is kept, after some that are.
func (s *spaced) next(kept int) bool {
	run, at := s.seen>>s.halved, s.seen&(1<<s.halved-1)
	if at == 0 {
		s.at = int(s.random.Uint64() & (1<<s.halved - 1))
	}
	s.seen++
	return run == kept && at == s.at
}

// halve keeps one of two neighbours, from now on.
func halve[T any](s *spaced, kept []T) []T {
	half := kept[:0]
	for pair := range slices.Chunk(kept, 2) {
		half = append(half, pair[int(s.random.Uint64()&1)%len(pair)])
	}
	clear(kept[len(half):])
	s.halved++
	return half
}

// mostCollected is the greatest number of letters that a [Collector] keeps.
const mostCollected = 1 << 26

// Collector keeps records of a stream, spread over it, to describe them at its end. The zero value has seen none. It
// keeps at most 2,048 records and 64 MiB of letters.
type Collector struct {
	kept    [][]byte
	letters int
	spaced  spaced
}

// Add takes note of the next record, which may change afterwards.
func (c *Collector) Add(x []byte) {
	if !c.spaced.next(len(c.kept)) {
		return
	}
	x = slices.Clone(x[:min(len(x), mostLetters)])
	c.kept, c.letters = append(c.kept, x), c.letters+len(x)
	for len(c.kept) > mostTrained || c.letters > mostCollected {
		c.kept, c.letters = halve(&c.spaced, c.kept), 0
		for _, x := range c.kept {
			c.letters += len(x)
		}
	}
}

// Profile describes the records seen, over an alphabet; nil of none.
func (c *Collector) Profile(a stringkernel.Alphabet) *Profile {
	if len(c.kept) == 0 {
		return nil
	}
	var b stringkernel.CorpusBuilder
	for _, x := range c.kept {
		b.Add("", x)
	}
	return New(b.Corpus(), a)
}
