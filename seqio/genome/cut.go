package genome

import (
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Point is a place of an interval.
type Point string

// The points.
const (
	Centre Point = "centre" // letter ⌊(start + end)/2⌋, 0-based
	Summit Point = "summit" // of narrowPeak: column 10, counted from start
)

// Cutter makes records of intervals: the letters of each in the genome, on the minus strand their reverse complement.
// The id of a record is its place, 1-based, such as chrI:101-241(+), with the genome's name of the sequence, and without
// a strand if the interval has none; its description is the name of the interval. It implements [seqio.IntervalReader].
type Cutter struct {
	Genome *Genome
	Names  *Renamed // of Genome, where those with "chr" and without are one; nil until EachRecord
	// letters of a record, from Width/2 before At on, as on the plus strand; 0: the whole interval. A record ends where
	// its sequence does
	Width int
	At    Point // Centre by default

	Clipped int     // records that were to reach beyond their sequence
	Misfits Misfits // intervals that were left out
	// records around the middle, since column 10 says that no summit is known, or a letter beyond the interval
	NotCalled, Outside int
	FirstOutside       error // names its line
}

// ErrNoSummit is the cause if a summit is wanted of an interval without a column for it.
var ErrNoSummit = errors.New("no summit, want one in column 10, as in narrowPeak")

// EachRecord cuts the intervals of a BED or narrowPeak file. Those that are not in the genome and those without letters
// are left out; a file of such alone is an [*seqio.Error], and so is, for Summit, an interval without column 10.
func (c *Cutter) EachRecord(r io.Reader, name string, add func(id, description, letters []byte, line int) error) error {
	in, err := NewBEDReader(r, name)
	if err != nil {
		return err
	}
	defer in.Close()
	if c.Names == nil {
		c.Names = NewRenamed(c.Genome, nil)
	}
	var id, letters, reversed []byte
	var misfits Misfits
	err = lines.Each(in.Next, func(x Interval) error {
		span, err := c.place(in.rows, &x)
		if err != nil {
			return misfits.Take(in.rows.Errorf("%w", err))
		}
		misfits.Lines++
		if letters, err = c.Genome.AppendSlice(letters[:0], x.Seq, span.Start, span.End); err != nil {
			return err
		}
		id = fmt.Appendf(id[:0], "%s:%d-%d", x.Seq, span.Start+1, span.End)
		cut := letters
		if x.Strand != NoStrand {
			id = fmt.Appendf(id, "(%s)", x.Strand)
		}
		if x.Strand == Minus {
			reversed = stringkernel.DNA.ReverseComplementTo(reversed[:0], letters)
			cut = reversed
		}
		return add(id, []byte(x.Name), cut, x.Line)
	})
	c.Misfits.Add(misfits)
	return cmp.Or(err, misfits.Check("intervals"))
}

// place returns the letters of an interval's record, whose sequence gets its name in the genome.
func (c *Cutter) place(rows *lines.Rows, x *Interval) (Span, error) {
	x.Seq = c.Names.name(x.Seq)
	length, found := c.Genome.Length(x.Seq)
	switch {
	case !found:
		return Span{}, Misfitf(UnknownSequence, "%s has no sequence %s; it has %s", c.Genome.source, lines.Quote(x.Seq),
			lines.List(c.Genome.names))
	case x.End > length:
		return Span{}, Misfitf(BeyondEnd, "the interval ends at %d, but %s has %d letters in %s", x.End,
			lines.Quote(x.Seq), length, c.Genome.source)
	}
	span := x.Span
	if c.Width > 0 {
		at, err := c.point(rows, x)
		if err != nil {
			return Span{}, err
		}
		start := at - c.Width/2
		span = Span{max(start, 0), min(start+c.Width, length)}
	}
	if span.Len() <= 0 {
		return Span{}, Misfitf(WithoutLetters, "the interval from %d to %d has no letters", x.Start, x.End)
	}
	if span.Len() < c.Width {
		c.Clipped++
	}
	return span, nil
}

// point returns the letter of an interval that its record is around.
func (c *Cutter) point(rows *lines.Rows, x *Interval) (int, error) {
	switch {
	case c.At != Summit:
	case x.Summit == NoSummitColumn:
		return 0, ErrNoSummit
	case x.Summit == SummitNoNumber:
		return 0, fmt.Errorf("column 10 is no whole number: %w", ErrNoSummit)
	case x.Summit == SummitNotCalled:
		c.NotCalled++
	case x.Summit > x.End:
		c.Outside++
		if c.FirstOutside == nil {
			c.FirstOutside = rows.Errorf("column 10 is %d, in an interval of %d letters", x.Summit-1-x.Start, x.Len())
		}
	default:
		return x.Summit - 1, nil
	}
	return x.Start + x.Len()/2, nil
}

var _ seqio.IntervalReader = (*Cutter)(nil)
