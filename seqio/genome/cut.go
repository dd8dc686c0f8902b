package genome

import (
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
// The id of a record is its place, 1-based, such as chrI:101-241(+), without a strand if the interval has none; its
// description is the name of the interval. It implements [seqio.IntervalReader].
type Cutter struct {
	Genome *Genome
	// letters of a record, from Width/2 before At on, as on the plus strand; 0: the whole interval. A record ends where
	// its sequence does
	Width int
	At    Point // Centre by default

	// Clipped counts the records that were to reach beyond their sequence.
	Clipped int
}

// EachRecord cuts the intervals of a BED or narrowPeak file. An interval that is not in the genome, one without letters
// and, for Summit, one without a summit are an [*seqio.Error].
func (c *Cutter) EachRecord(
	r io.Reader, name string, add func(id, description, letters []byte, line int) error,
) error {
	in, err := NewBEDReader(r, name)
	if err != nil {
		return err
	}
	defer in.Close()
	var id, letters, reversed []byte
	return lines.Each(in.Next, func(x Interval) error {
		span, err := c.place(&x)
		if err != nil {
			return in.rows.Errorf("%w", err)
		}
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
}

// place returns the letters of an interval's record.
func (c *Cutter) place(x *Interval) (Span, error) {
	length, found := c.Genome.Length(x.Seq)
	switch {
	case !found:
		return Span{}, fmt.Errorf("%s has no sequence %s; it has %s", c.Genome.source, lines.Quote(x.Seq),
			lines.List(c.Genome.names))
	case x.End > length:
		return Span{}, fmt.Errorf("the interval ends at %d, but %s has %d letters in %s; is it of another assembly?",
			x.End, lines.Quote(x.Seq), length, c.Genome.source)
	}
	span := x.Span
	if c.Width > 0 {
		at := x.Start + x.Len()/2
		if c.At == Summit {
			if x.Summit == 0 {
				return Span{}, fmt.Errorf("no summit, want one in column 10, as in narrowPeak")
			}
			at = x.Summit - 1
		}
		span.Start = at - c.Width/2
		span.End = span.Start + c.Width
		if span.Start < 0 || span.End > length {
			c.Clipped++
			span.Start, span.End = max(span.Start, 0), min(span.End, length)
		}
	}
	if span.Len() == 0 {
		return Span{}, fmt.Errorf("the interval from %d to %d has no letters", x.Start, x.End)
	}
	return span, nil
}

var _ seqio.IntervalReader = (*Cutter)(nil)
