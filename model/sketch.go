package model

import (
	"context"
	"fmt"
	"runtime"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/sketch"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Sketch is a sample of the training data, by which other data can be compared with them: the least hashes of the
// records and of their k-mers. It takes at most 192 KiB, whatever the training data.
//
// The hash of a record is that of its letters without case, U being T in dna and rna. K-mers have 24 letters in dna and
// rna, where one and its reverse complement are the same, and 10 in protein: so long that unrelated data share hardly
// any. Other alphabets have none: any two texts share phrases.
//
// Hashes are not secret. With a sketch anyone can test whether a record, or a k-mer, was among the training data,
// though only for a sample of these if there were many; and the k-mers of a small training set can be found by trying.
// Leave it out of a model of data that must not be known.
type Sketch struct {
	Alphabet stringkernel.Alphabet `json:"alphabet"` // of the k-mers
	Records  []uint64              `json:"-"`        // the least hashes of records, ascending; all if fewer than 8,192
	Kmers    []uint64              `json:"-"`        // those of k-mers; all if there are fewer than 16,384
}

// Sizes of sketches.
const (
	sketchRecords = 1 << 13
	sketchKmers   = 1 << 14
)

// NewSketch makes the sketch of a corpus, whose letters are of an alphabet, on all processors. O(letters). The error is
// that of ctx.
func NewSketch(ctx context.Context, c *stringkernel.Corpus, a stringkernel.Alphabet) (*Sketch, error) {
	b := NewSketchBuilder(a)
	if err := b.Add(ctx, c); err != nil {
		return nil, err
	}
	return b.Sketch(), nil
}

// check returns an error if it is not a sketch.
func (s *Sketch) check() error {
	if err := s.Alphabet.Check(); err != nil {
		return fmt.Errorf("sketch: %w", err)
	}
	for _, of := range []struct {
		name   string
		hashes []uint64
		most   int
	}{{recordsName, s.Records, sketchRecords}, {kmersName, s.Kmers, sketchKmers}} {
		if len(of.hashes) > of.most {
			return fmt.Errorf("array %q has %d hashes, want at most %d", sketchPrefix+of.name, len(of.hashes), of.most)
		}
		for i, h := range of.hashes {
			if i > 0 && h <= of.hashes[i-1] {
				return fmt.Errorf("array %q is not ascending", sketchPrefix+of.name)
			}
		}
	}
	return nil
}

// sketchKmer returns the length of k-mers in a sketch, 0 if it has none.
func sketchKmer(a stringkernel.Alphabet) int {
	switch {
	case a.Complementary():
		return 24
	case a.OfAminoAcids():
		return 10
	}
	return 0
}

// SketchBuilder makes the sketch of records that come corpus by corpus.
type SketchBuilder struct {
	alphabet       stringkernel.Alphabet
	letters        *sketchLetters
	records, kmers *sketch.Builder
	codes          []uint64 // scratch of addKmers
}

// NewSketchBuilder returns the builder of the sketch of no records yet.
func NewSketchBuilder(a stringkernel.Alphabet) *SketchBuilder {
	return &SketchBuilder{
		alphabet: a, letters: newSketchLetters(a),
		records: sketch.NewBuilder(sketchRecords), kmers: sketch.NewBuilder(sketchKmers),
	}
}

// Add adds records. The error is that of ctx.
func (b *SketchBuilder) Add(ctx context.Context, c *stringkernel.Corpus) (err error) {
	defer cancel.Catch(&err)
	b.add(ctx, c, nil)
	return nil
}

// Sketch returns that of the records added.
func (b *SketchBuilder) Sketch() *Sketch {
	return &Sketch{Alphabet: b.alphabet, Records: b.records.Sketch().Least, Kmers: b.kmers.Sketch().Least}
}

// sketchLetters are how records and k-mers of an alphabet are read.
type sketchLetters struct {
	folded  [256]byte // letters without case, U as T in dna and rna
	strands bool      // of dna and rna
	coder   kmer.Coder
}

func newSketchLetters(a stringkernel.Alphabet) *sketchLetters {
	l := &sketchLetters{strands: a.Complementary()}
	for i := range l.folded {
		l.folded[i] = byte(i)
		if i >= 'a' && i <= 'z' {
			l.folded[i] -= 'a' - 'A'
		}
	}
	if l.strands {
		a, l.folded['U'], l.folded['u'] = stringkernel.DNA, 'T', 'T'
	}
	if k := sketchKmer(a); k > 0 {
		l.coder = kmer.New(a, k)
		codes := *l.coder.Letter
		for i := range codes {
			codes[i] = l.coder.Letter[l.folded[i]]
		}
		l.coder.Letter = &codes
	}
	return l
}

// leastSketched is the number of letters from which on a builder of its own for each processor pays.
const leastSketched = 1 << 18

// add adds all records of a corpus, and writes the code of each to codes unless that is nil. Package cancel ends it.
func (b *SketchBuilder) add(ctx context.Context, c *stringkernel.Corpus, codes []uint64) {
	workers := min(runtime.GOMAXPROCS(0), 1+c.Letters()/leastSketched)
	builders := make(chan *SketchBuilder, workers)
	builders <- b
	for range workers - 1 {
		builders <- &SketchBuilder{letters: b.letters, records: b.records.Apart(), kmers: b.kmers.Apart()}
	}
	parallel.ForContext(ctx, c.Len(), func(lo, hi int) {
		own := <-builders
		defer func() { builders <- own }()
		own.addRange(ctx, c, lo, hi, codes)
	})
	for range workers {
		if part := <-builders; part != b {
			b.records.Join(part.records)
			b.kmers.Join(part.kmers)
		}
	}
}

// addRange adds records lo…hi−1.
func (b *SketchBuilder) addRange(ctx context.Context, c *stringkernel.Corpus, lo, hi int, codes []uint64) {
	for ; lo < hi; lo += recordsAtOnce {
		cancel.Check(ctx)
		var some [recordsAtOnce][]byte
		n := min(recordsAtOnce, hi-lo)
		for j := range n {
			some[j] = c.Seq(lo + j)
			b.addKmers(some[j])
		}
		of := b.letters.records(some)
		b.records.Add(of[:n]...)
		if codes != nil {
			copy(codes[lo:], of[:n])
		}
	}
}

// recordsAtOnce is how many records are hashed side by side, so that none waits for the product of its last letter.
const recordsAtOnce = 2

// records returns the 64-bit FNV-1a of records: http://www.isthe.com/chongo/tech/comp/fnv.
func (l *sketchLetters) records(some [recordsAtOnce][]byte) (codes [recordsAtOnce]uint64) {
	const offset, prime = 14695981039346656037, 1099511628211
	a, b, n := uint64(offset), uint64(offset), min(len(some[0]), len(some[1]))
	for i := range n {
		a = (a ^ uint64(l.folded[some[0][i]])) * prime
		b = (b ^ uint64(l.folded[some[1][i]])) * prime
	}
	codes = [recordsAtOnce]uint64{a, b}
	for j, record := range some {
		for _, letter := range record[n:] {
			codes[j] = (codes[j] ^ uint64(l.folded[letter])) * prime
		}
	}
	return codes
}

// sketchedAtOnce is how many k-mers of a record are listed at a time.
const sketchedAtOnce = 1 << 12

func (b *SketchBuilder) addKmers(x []byte) {
	coder := &b.letters.coder
	if coder.K == 0 {
		return
	}
	list := coder.Append
	if b.letters.strands {
		list = coder.AppendCanonical
	}
	for lo := 0; lo < len(x); lo += sketchedAtOnce {
		b.codes = list(b.codes[:0], x[lo:min(lo+sketchedAtOnce+coder.K-1, len(x))])
		b.kmers.Add(b.codes...)
	}
}

// Overlap says how much of some data was among the training data.
type Overlap struct {
	Records    int     // of the data
	Known      float64 // share of the records that were training records
	KnownError float64 // its standard error, 0 if it is exact
	K          int     // length of k-mers, 0 if there are none
	KnownKmers float64 // share of the distinct k-mers that were in training records
	KmersError float64 // its standard error, 0 if it is exact
	// Covered is the share of the distinct k-mers of the training data that the data have, and CoveredError its
	// standard error.
	Covered, CoveredError float64
}

// Shares from which data count as training data. Some records of independent data may be equal if they are short, and
// some k-mers by homology and repeats.
const (
	knownRecords = 0.01
	knownKmers   = 0.1
)

// Found reports whether data are, in part, training data: whether at least one record in a hundred or one k-mer in ten
// is known, by more than two standard errors.
func (o Overlap) Found() bool { return o.foundRecords() || o.KnownKmers-2*o.KmersError >= knownKmers }

// Covers reports whether the data have a part of the training data in them: one k-mer in ten, by more than two standard
// errors.
func (o Overlap) Covers() bool { return o.Covered-2*o.CoveredError >= knownKmers }

func (o Overlap) foundRecords() bool { return o.Known > 0 && o.Known-2*o.KnownError >= knownRecords }

// String says which share of the data is known, as in “about 47 % (± 3 %) of the 24-mers”.
func (o Overlap) String() string {
	if o.foundRecords() || !o.Found() {
		if o.KnownError == 0 {
			return fmt.Sprintf("%.0f of %d records (%.3g %%)", o.Known*float64(o.Records), o.Records, 100*o.Known)
		}
		return fmt.Sprintf("about %.2g %% (± %.1g %%) of %d records", 100*o.Known, 100*o.KnownError, o.Records)
	}
	if o.KmersError == 0 {
		return fmt.Sprintf("%.3g %% of the %d-mers", 100*o.KnownKmers, o.K)
	}
	return fmt.Sprintf("about %.2g %% (± %.1g %%) of the %d-mers", 100*o.KnownKmers, 100*o.KmersError, o.K)
}

// Comparison compares data, in one or several parts, with the training data of a model. It is not safe for concurrent
// use.
type Comparison struct {
	of       *Sketch
	training struct{ records, kmers sketch.Sketch }
	given    *SketchBuilder
	records  int
	known    sketch.Share
}

// Compare begins a comparison. It takes about 1 MB.
func (s *Sketch) Compare() *Comparison {
	c := &Comparison{of: s, given: NewSketchBuilder(s.Alphabet)}
	c.training.records = sketch.Of(s.Records, sketchRecords)
	c.training.kmers = sketch.Of(s.Kmers, sketchKmers)
	return c
}

// Add adds records, on all processors. O(letters).
func (c *Comparison) Add(corpus *stringkernel.Corpus) {
	c.records += corpus.Len()
	codes := make([]uint64, corpus.Len())
	c.given.add(context.Background(), corpus, codes)
	for _, code := range codes {
		if in, known := c.training.records.Find(sketch.Hash(code)); known {
			c.known.Add(in)
		}
	}
}

// AddKmers adds the k-mers of a piece of a sequence that is not a record. O(letters).
func (c *Comparison) AddKmers(x []byte) { c.given.addKmers(x) }

// Overlap returns the shares of what was added.
func (c *Comparison) Overlap() Overlap {
	o := Overlap{Records: c.records, K: sketchKmer(c.of.Alphabet)}
	c.known.Exact = c.training.records.Complete()
	o.Known, o.KnownError = c.known.Estimate()
	given := c.given.kmers.Sketch()
	o.KnownKmers, o.KmersError = given.ContainedIn(c.training.kmers).Estimate()
	o.Covered, o.CoveredError = c.training.kmers.ContainedIn(given).Estimate()
	return o
}
