package seqio

import (
	"errors"
	"fmt"
	"io"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// Batches reads an input as [Read] does and gives it away in sets of consecutive records, in order, so that it need not fit in memory: a set is given as
// soon as its [BatchSize] is at least size, the last one when the input ends. Together they are the set of Read, but that the labels of a set are nil
// if none of its own records has one, and that [Options].MaxLetters holds for each. A set may be kept. Besides it, memory is taken for the record being read,
// and for inputs whose records have ids of their own, some 60 bytes and the id of each to find duplicates.
//
// What is wrong with an input is the error that Read gives; sets before it have been given by then. An error of visit ends the reading and is returned as it
// is. [AmbiguousError] wants [Options].Alphabet: that of an input is not known before its end.
func Batches(r io.Reader, name string, opt Options, size int, visit func(*Set) error) error {
	b, err := newBatcher(opt, size, visit)
	if err != nil {
		return err
	}
	in, format, err := openText(r, name, opt)
	if err != nil {
		return err
	}
	defer in.Close()
	c := newCollector(name, opt, format, 0)
	c.batch = b
	return c.failure(in, b.finish(c, parse(in.Reader, c)))
}

// BatchSize is about how many bytes records take: their letters and 64 each for what else is known of them.
func BatchSize(records, letters int) int { return letters + 64*records }

// BatchesFile reads a file or a folder in batches as [ReadFile] and [Batches] do.
func BatchesFile(path string, opt Options, size int, visit func(*Set) error) error {
	if isFolder(path, opt.Format) {
		b, err := newBatcher(opt, size, visit)
		if err != nil {
			return err
		}
		c := newFolderCollector(path, opt)
		c.batch = b
		return b.finish(c, parseFolder(path, c))
	}
	f, err := lines.OpenFile(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return Batches(f, path, opt, size, visit)
}

// batcher takes the sets of a collector and gives them away.
type batcher struct {
	size  int
	visit func(*Set) error
	err   error // of visit, or what is wrong with a set
	lines []int // of the records of earlier sets, if they have ids of their own
	some  bool  // there was a set
}

func newBatcher(opt Options, size int, visit func(*Set) error) (*batcher, error) {
	if err := opt.check(); err != nil {
		return nil, err
	}
	if size < 1 {
		return nil, fmt.Errorf("seqio: batches of size %d, want 1 or more", size)
	}
	if opt.Ambiguous == AmbiguousError && opt.Alphabet == "" {
		return nil, errors.New("seqio: batches with ambiguous = error want the alphabet")
	}
	return &batcher{size: size, visit: visit}, nil
}

// full tells whether it is time to give the set away.
func (b *batcher) full(c *collector) bool {
	return BatchSize(len(c.set.Lines), c.total) >= b.size
}

// give gives the set away and begins another.
func (b *batcher) give(c *collector) {
	if b.err != nil {
		return
	}
	done := c.set
	if len(c.ids.ids) > 0 {
		b.lines = append(b.lines, done.Lines...)
	}
	set, err := c.pack()
	if err == nil {
		err = b.visit(set)
	}
	b.err, b.some = err, true
	c.set = &Set{Source: done.Source, Format: done.Format, Corpus: done.Corpus, folder: done.folder}
	c.total, c.beside, c.marks, c.text = 0, 0, nil, textArena{}
}

// finish gives the rest away after the parser has returned err.
func (b *batcher) finish(c *collector, err error) error {
	if b.err != nil {
		return b.err
	}
	if err != nil {
		return err
	}
	c.end()
	if len(c.set.Lines) > 0 {
		b.give(c)
	} else if !b.some {
		return &Error{File: c.set.Source, Err: lines.ErrNoRecords}
	}
	return b.err
}

// failure gives an error of the reader the name of the input. An error of visit and nil stay as they are.
func (c *collector) failure(in *lines.Input, err error) error {
	if err == nil || c.batch != nil && c.batch.err != nil {
		return err
	}
	return in.Wrap(err)
}
