package main

import (
	"io"
	"math"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/genomic"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/seqio/bigwig"
	"github.com/seqsvm/seqsvm/seqio/genome"
)

// genomeTrack collects the contributions of records that were cut from a genome.
type genomeTrack struct {
	*explanation
	regions []genome.Interval // of the records, in their order; nil: the ids have them
	next    int               // record
	letters int
	track   genome.Track
}

// writeGenome writes the contributions of letters at their positions of the genome.
func (e *explanation) writeGenome(o *explainOptions) error {
	g := &genomeTrack{explanation: e}
	chroms, err := o.browser.Sizes()
	if err == nil && o.regions != "" {
		g.regions, err = genome.ReadBED(nil, o.regions)
	}
	if err != nil {
		return err
	}
	if o.format == genomic.BigWig && chroms == nil {
		return cli.Usagef("--format bigwig needs --sizes FILE: the lengths of the chromosomes")
	}
	if err := g.collect(); err != nil {
		return err
	}
	return o.output.Write(func(w io.Writer) error {
		if o.format == genomic.BigWig {
			return g.writeBigWig(w, chroms)
		}
		return g.writeBedGraph(w, o)
	})
}

// collect explains the operands.
func (g *genomeTrack) collect() error {
	return g.eachBatch(func(data *input.Records) error {
		g.letters += data.Corpus.Letters()
		const point = 32 // bytes, while a list grows
		if err := memory.Check(point * float64(g.letters)); err != nil {
			return err
		}
		i := 0
		return g.eachRecord(g.Reader.Call.Context, data.Corpus, func(r explained) error {
			at, err := g.place(data, i)
			if err != nil {
				return err
			}
			g.track.Add(at.Seq, at.Start, at.Strand, r.Contributions)
			i++
			return nil
		})
	})
}

// place returns where record i of a batch is in the genome.
func (g *genomeTrack) place(data *input.Records, i int) (genome.Interval, error) {
	letters := len(data.Corpus.Seq(i))
	defer func() { g.next++ }()
	if g.regions != nil {
		if g.next >= len(g.regions) {
			return genome.Interval{}, data.Errorf(i, "--regions has %d intervals, and there are more records",
				len(g.regions))
		}
		at := g.regions[g.next]
		if at.Len() != letters {
			return at, data.Errorf(i, "%d letters, and its interval, %s:%d-%d on line %d of --regions, has %d", letters,
				at.Seq, at.Start+1, at.End, at.Line, at.Len())
		}
		return at, nil
	}
	id := data.Corpus.Name(i)
	region, ok := genome.ParseRegion(id)
	if !ok {
		return genome.Interval{}, data.Errorf(i, "the id is no place of a genome such as chr1:100-200(+); "+
			"--regions FILE has the places in BED")
	}
	start, end, ok := region.Bounds(letters)
	if !ok {
		return genome.Interval{}, data.Errorf(i, "%d letters, which is not the length of its place", letters)
	}
	return genome.Interval{Seq: region.Seq, Span: genome.Span{Start: start, End: end}, Strand: region.Strand}, nil
}

func (g *genomeTrack) writeBigWig(w io.Writer, chroms []bigwig.Chromosome) error {
	out, err := genomic.NewBigWig(w, chroms)
	if err != nil {
		return err
	}
	for _, seq := range g.track.Sequences() {
		err := g.track.Each(seq, func(at int, value float64) error { return out.Add(seq, at, at+1, value) })
		if err != nil {
			return err
		}
	}
	return out.Close()
}

func (g *genomeTrack) writeBedGraph(w io.Writer, o *explainOptions) error {
	if _, err := io.WriteString(w, o.browser.TrackLine(o.format)); err != nil {
		return err
	}
	var line []byte
	for _, seq := range g.track.Sequences() {
		err := g.track.Each(seq, func(at int, value float64) error {
			line = genome.AppendBedGraph(line[:0], &genome.Site{
				Record: seq, Start: at, End: at + 1, Value: value, Q: math.NaN(), Digits: g.Reader.Call.Digits(),
			})
			_, err := w.Write(line)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
