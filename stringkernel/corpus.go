package stringkernel

import (
	"fmt"
	"slices"

	"github.com/seqsvm/seqsvm/internal/subset"
)

// Corpus is an immutable set of byte sequences stored back to back: one arena, offsets and names. It is safe for
// concurrent use. The zero value is an empty corpus. Build one with [NewCorpus] or a [CorpusBuilder].
//
// It takes the letters plus 8 bytes and a name per sequence, 8 more with classes.
type Corpus struct {
	letters []byte // of all sequences, one after another
	ends    []int  // ends[i] is the offset just after sequence i
	names   []string

	classes []int // nil, or of each sequence: see WithClasses
}

// NewCorpus copies the sequences into a corpus. names may be nil, or has one entry per sequence.
func NewCorpus(seqs [][]byte, names []string) (*Corpus, error) {
	if names != nil && len(names) != len(seqs) {
		return nil, fmt.Errorf("stringkernel: %d names for %d sequences", len(names), len(seqs))
	}
	var b CorpusBuilder
	for i, s := range seqs {
		name := ""
		if names != nil {
			name = names[i]
		}
		b.Add(name, s)
	}
	return b.Corpus(), nil
}

// Len returns the number of sequences n.
func (c *Corpus) Len() int { return len(c.ends) }

// Letters returns the total length N.
func (c *Corpus) Letters() int { return startOf(c.ends, len(c.ends)) }

// Seq returns sequence i (0-based) as a view into the text, which must not be modified.
func (c *Corpus) Seq(i int) []byte {
	return c.letters[startOf(c.ends, i):c.ends[i]:c.ends[i]]
}

// Whole returns the letters of all sequences, one after another, as a view, which must not be modified.
func (c *Corpus) Whole() []byte { return c.letters }

// startOf returns the offset of sequence i, which may be the next to come, given those of the ends.
func startOf(ends []int, i int) int {
	if i == 0 {
		return 0
	}
	return ends[i-1]
}

// Name returns the name of sequence i, possibly empty.
func (c *Corpus) Name(i int) string { return c.names[i] }

// WithClasses returns the same sequences, their letters shared, with a class of each: what kernels with a [Fitter] may
// learn from besides letters. Subset and Slice keep the classes of what they take.
func (c *Corpus) WithClasses(classes []int) *Corpus {
	with := *c
	with.classes = classes
	return &with
}

// Classes returns the class of each sequence, not to be modified; nil if they are not known.
func (c *Corpus) Classes() []int { return c.classes }

// Subset copies the sequences with the given 0-based indices, in that order, into a new corpus.
func (c *Corpus) Subset(index []int) *Corpus {
	var b CorpusBuilder
	size := 0
	for _, i := range index {
		size += c.ends[i] - startOf(c.ends, i)
	}
	b.Grow(len(index), size)
	for _, i := range index {
		b.Add(c.Name(i), c.Seq(i))
	}
	part := b.Corpus()
	if c.classes != nil {
		part.classes = subset.At(c.classes, index)
	}
	return part
}

// Slice returns sequences from … to − 1 (0-based) as a corpus that shares their letters and names with c.
func (c *Corpus) Slice(from, to int) *Corpus {
	start, end, ends := startOf(c.ends, from), startOf(c.ends, to), make([]int, to-from)
	for i := range ends {
		ends[i] = c.ends[from+i] - start
	}
	slice := &Corpus{letters: c.letters[start:end:end], ends: ends, names: c.names[from:to:to]}
	if c.classes != nil {
		slice.classes = c.classes[from:to:to]
	}
	return slice
}

// CorpusBuilder collects sequences into a Corpus. The zero value is ready for use; it is not safe for concurrent use.
//
// A sequence may be added whole (Add) or in pieces as a reader meets them (Append…, then End).
type CorpusBuilder struct {
	arena []byte
	ends  []int // offsets in arena
	names []string
}

// Grow reserves room for n more sequences of the given total length.
func (b *CorpusBuilder) Grow(n, letters int) {
	if len(b.arena) == 0 && cap(b.arena) < letters {
		b.arena = make([]byte, 0, letters) // slices.Grow writes to all of it, while the garbage collector waits
	}
	b.arena, b.ends, b.names = slices.Grow(b.arena, letters), slices.Grow(b.ends, n), slices.Grow(b.names, n)
}

// Add appends a copy of seq as the next sequence.
func (b *CorpusBuilder) Add(name string, seq []byte) {
	b.Append(seq)
	b.End(name)
}

// Append copies letters to the end of the sequence that is being collected.
func (b *CorpusBuilder) Append(letters []byte) { b.arena = append(b.arena, letters...) }

// Pending returns the letters collected since the last End. The view may be modified in place (a reader upper-cases
// it) and is valid until the next call.
func (b *CorpusBuilder) Pending() []byte {
	return b.arena[startOf(b.ends, len(b.ends)):]
}

// Letters returns the letters of all sequences collected so far. The view may be modified in place and is valid until
// the next call.
func (b *CorpusBuilder) Letters() []byte { return b.arena }

// Seq returns sequence i (0-based) of those collected, a view as that of Letters.
func (b *CorpusBuilder) Seq(i int) []byte { return b.arena[startOf(b.ends, i):b.ends[i]:b.ends[i]] }

// Name returns the name of sequence i (0-based) of those collected.
func (b *CorpusBuilder) Name(i int) string { return b.names[i] }

// Rename names sequence i (0-based) of those collected.
func (b *CorpusBuilder) Rename(i int, name string) { b.names[i] = name }

// End closes the sequence that is being collected, which may be empty, and names it.
func (b *CorpusBuilder) End(name string) {
	b.ends = append(b.ends, len(b.arena))
	b.names = append(b.names, name)
}

// Corpus returns the sequences collected and leaves the builder empty. Letters that no End has closed are dropped.
func (b *CorpusBuilder) Corpus() *Corpus {
	c := &Corpus{letters: b.arena[:startOf(b.ends, len(b.ends))], ends: b.ends, names: b.names}
	*b = CorpusBuilder{}
	return c
}

// BytesUsed reports which bytes occur in some corpora, of which any may be nil.
func BytesUsed(corpora []*Corpus) *[256]bool {
	used := new([256]bool)
	for _, c := range corpora {
		if c == nil {
			continue
		}
		for _, b := range c.Whole() {
			used[b] = true
		}
	}
	return used
}

// View returns a corpus of one sequence that is not copied.
func View(x []byte) *Corpus {
	return &Corpus{letters: x, ends: []int{len(x)}, names: []string{""}}
}
