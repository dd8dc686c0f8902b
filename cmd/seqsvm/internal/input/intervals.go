package input

import (
	"io"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/internal/plural"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/genome"
)

// intervals cuts the letters of intervals from the file of --genome, which is opened when the first are read.
type intervals struct {
	path    string
	letters seqio.Case
	cutter  genome.Cutter
}

// EachRecord implements seqio.IntervalReader.
func (v *intervals) EachRecord(
	r io.Reader, name string, add func(id, description, letters []byte, line int) error,
) error {
	if v.cutter.Genome == nil {
		g, err := genome.Open(v.path, v.letters)
		if err != nil {
			return err
		}
		v.cutter.Genome = g
	}
	return v.cutter.EachRecord(r, name, add)
}

// end closes the genome and says what was left out or cut off.
func (v *intervals) end(c *cli.Call) {
	if v == nil || v.cutter.Genome == nil {
		return
	}
	misfits := &v.cutter.Misfits
	if misfits.LeftOut() > 0 {
		c.Warn("%s", misfits.Text("intervals", v.path))
	}
	records := misfits.Lines - misfits.LeftOut()
	if n := v.cutter.NotCalled; n > 0 {
		c.Warn("%d of %d intervals have no summit (a negative number, . or NA in column 10): the middle of each is taken", n, records)
	}
	if n := v.cutter.Outside; n > 0 {
		c.Warn("the summits of %d of %d intervals are beyond their ends: the middle of each is taken; the first: %v", n,
			records, v.cutter.FirstOutside)
	}
	if n := v.cutter.Clipped; n > 0 {
		c.Warn("%s of %d letters would reach beyond the ends of sequences and are shorter", plural.Of(n, "window"),
			v.cutter.Width)
	}
	v.cutter.Genome.Close() // it was only read
	v.cutter = genome.Cutter{Width: v.cutter.Width, At: v.cutter.At}
}

// checkIntervals returns an error about options for intervals that do not go together, or the reader of intervals, nil
// without --genome.
func (o *Reading) checkIntervals(c *cli.Call) (*intervals, error) {
	if o.genome == "" {
		return nil, c.Require("--genome", "width", "at")
	}
	if o.width == 0 {
		if err := c.Require("--width", "at"); err != nil {
			return nil, err
		}
	}
	cutter := genome.Cutter{Width: o.width, At: o.at}
	return &intervals{path: o.genome, letters: o.Letters(), cutter: cutter}, nil
}
