package spectrum

import (
	"context"

	"github.com/seqsvm/seqsvm/internal/countof"
	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// Space returns the table of all k-mers where an array has room for it and there is one length; else nil. Counts are
// raw, or those of nucleotides through a function.
func (k Kernel) Space() compose.Space {
	if k.Bounded || k.TFIDF || k.Alphabet.Bits()*k.K > tableBits {
		return nil
	}
	s := space{Coder: kmer.New(k.Alphabet, k.K), kernel: k}
	switch {
	case k.Count.Linear():
		return &rawSpace{space: s}
	case s.KmerLength() == 0:
		return nil
	case k.bothStrands:
		return &strandedSpace{countedSpace{s, countof.New(k.Count)}}
	}
	return &countedSpace{s, countof.New(k.Count)}
}

// space is the weights of k-mers by code: see [compose.Space].
type space struct {
	kmer.Coder
	kernel Kernel
}

// rawSpace is that of raw counts.
type rawSpace struct {
	space
	compose.RawCounts
}

// Scale returns 1.
func (s *rawSpace) Scale([]byte) float64 { return 1 }

// Scorer returns the scorer of the k-mers whose weights are not all 0.
func (s *rawSpace) Scorer(ctx context.Context, tables [][]float64) (stringkernel.Scorer, error) {
	return newScorer(s.kernel.Alphabet, len(tables), []level{s.level(tables)}), ctx.Err()
}

// Size returns 2 to the power of the bits of a k-mer.
func (s *space) Size() int { return int(s.Mask) + 1 }

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

// level returns the weights of tables, one per output, of the k-mers whose weights are not all 0.
func (s *space) level(tables [][]float64) level {
	rows := tables[0]
	if n := len(tables); n > 1 {
		rows = make([]float64, n*s.Size())
		for m, table := range tables {
			for code, weight := range table {
				rows[code*n+m] = weight
			}
		}
	}
	return levelOf(s.K, rows, len(tables))
}

// countedSpace is that of counts through a function g, in units of g(1).
type countedSpace struct {
	space
	values countof.Values
}

// Scale returns g(1).
func (s *countedSpace) Scale([]byte) float64 { return s.values.At(1) }

// Scatter adds a for each k-mer of x, and the surplus of those that occur more than once.
func (s *countedSpace) Scatter(table []float64, x []byte, a float64) {
	s.Coder.Scatter(table, x, a)
	s.eachRepeat(x, func(r repeat) { table[r.code] += float64(a * s.Surplus(r.count)) })
}

// Gather adds up the entries of the k-mers of x, and the surplus of those that occur more than once.
func (s *countedSpace) Gather(table []float64, x []byte) float64 {
	sum := s.Coder.Gather(table, x)
	s.eachRepeat(x, func(r repeat) { sum += float64(table[r.code] * s.Surplus(r.count)) })
	return sum
}

// Repeats appends the k-mers of x that occur more than once.
func (s *countedSpace) Repeats(dst []compose.Repeat, x []byte) (repeats []compose.Repeat, occurrences int) {
	occurrences = s.eachRepeat(x, func(r repeat) {
		dst = append(dst, compose.Repeat{Entry: uint32(r.code), Count: r.count})
	})
	return dst, occurrences
}

// eachRepeat calls visit with the k-mers of x that occur more than once, and returns how many there are in all.
func (s *countedSpace) eachRepeat(x []byte, visit func(r repeat)) (occurrences int) {
	c := counters.Get().(*counter)
	defer counters.Put(c)
	c.findRepeats(context.Background(), &s.Coder, s.K, false, s.kernel.record(x))
	for _, r := range c.repeats {
		visit(r)
	}
	return c.occurrences
}

// Surplus returns g(n)/g(1) − n, of both strands half of that.
func (s *countedSpace) Surplus(n uint32) float64 {
	surplus := s.values.Surplus(n)
	if s.kernel.bothStrands {
		surplus /= 2
	}
	return surplus
}

// Scorer returns the scorer of the k-mers whose weights are not all 0.
func (s *countedSpace) Scorer(ctx context.Context, tables [][]float64) (stringkernel.Scorer, error) {
	return s.kernel.scorer(len(tables), 0, []level{s.level(tables)}), ctx.Err()
}

// strandedSpace is that of the counts of both strands. Records are scattered and gathered on one: with P, which
// exchanges each k-mer and its reverse complement, the features of both are (I + P)·Φᵀ if Φ has half of each surplus,
// since both k-mers of a pair have it, and one that is its own reverse complement has it twice.
type strandedSpace struct{ countedSpace }

// Strands returns 2.
func (s *strandedSpace) Strands() int { return 2 }

// Filter makes the table of both strands.
func (s *strandedSpace) Filter(ctx context.Context, table []float64) error {
	compose.FilterStrands(table, s.K)
	return ctx.Err()
}

// Scorer returns the scorer of the k-mers whose weights are not all 0, of both strands.
func (s *strandedSpace) Scorer(ctx context.Context, tables [][]float64) (stringkernel.Scorer, error) {
	for _, table := range tables {
		compose.AddOpposites(table, s.K)
	}
	return s.countedSpace.Scorer(ctx, tables)
}
