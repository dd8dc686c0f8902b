package drift

import (
	"slices"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// mostCollected is the greatest number of letters that a [Collector] keeps.
const mostCollected = 1 << 26

// Collector keeps records of a stream, evenly spaced, to describe them at its end. The zero value has seen none. It
// keeps at most 2,048 records and 64 MiB of letters.
type Collector struct {
	kept    [][]byte
	letters int
	seen    int
	sparser int // of 2^sparser records one is kept
}

// Add takes note of the next record, which may change afterwards.
func (c *Collector) Add(x []byte) {
	if c.seen%(1<<c.sparser) == 0 {
		x = slices.Clone(x[:min(len(x), mostLetters)])
		c.kept, c.letters = append(c.kept, x), c.letters+len(x)
		for len(c.kept) > mostTrained || c.letters > mostCollected {
			c.thin()
		}
	}
	c.seen++
}

// thin drops every other record.
func (c *Collector) thin() {
	half := c.kept[:0]
	c.letters = 0
	for i := 0; i < len(c.kept); i += 2 {
		half = append(half, c.kept[i])
		c.letters += len(c.kept[i])
	}
	clear(c.kept[len(half):])
	c.kept = half
	c.sparser++
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
