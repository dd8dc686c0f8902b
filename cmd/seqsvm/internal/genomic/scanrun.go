package genomic

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/scan"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/genome"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// scanRun is one run of the command.
type scanRun struct {
	c        *cli.Call
	options  *scanOptions
	scanner  *scan.Scanner
	model    *model.Model
	name     string // of the class
	level    func(score float64) float64
	fdr      *scan.FDR // nil without --fdr
	least    *scan.Threshold
	progress *scanProgress

	foreign        int                        // letters of the other nucleic acid
	records, short int                        // short ones have no window
	sample         stringkernel.CorpusBuilder // of the first letters
	sampled        int                        // letters
}

func newScanRun(c *cli.Call, o *scanOptions) (*scanRun, error) {
	m, classifier, err := input.LoadModel(c, &o.Model)
	if err != nil {
		return nil, err
	}
	if err := wantSequences(m.Kernel); err != nil {
		return nil, cli.InFile(cli.InputName(o.Path), err)
	}
	class, err := input.ChosenClass(o.class, &classifier.Rule)
	if err != nil {
		return nil, err
	}
	r := &scanRun{
		c: c, options: o, model: m, name: classifier.Classes[class], level: levelOf(o.raw, classifier, class),
		least: scan.NewThreshold(math.Inf(-1)), progress: &scanProgress{call: c, size: cli.SizeOf(c.Args)},
	}
	if c.Given("min-score") {
		r.least.Raise(o.minScore)
	}
	s, err := o.scanner(c, m, classifier)
	if err != nil {
		return nil, err
	}
	s.Class = class
	s.BetterStrand = o.format == "bedgraph"
	if r.scanner, err = scan.New(s); err != nil {
		return nil, cli.Usagef("%s: %w", cli.InputName(o.Path), errors.Unwrap(err))
	}
	return r, nil
}

// wantSequences returns an error if a window, a piece of a sequence, is not what the kernel reads.
func wantSequences(spec catalog.Spec) error {
	for _, t := range spec.Terms {
		switch {
		case t.OfTrees():
			return fmt.Errorf("scan needs a sequence kernel; this model uses tree kernel %s", t)
		case t.OfText():
			return fmt.Errorf("scan needs a kernel on dna, rna or protein; this model reads text with %s", t)
		}
	}
	return nil
}

// source streams the operands, one after the other, as one set of records.
func (r *scanRun) source(visit func(seqio.Chunk) error) error {
	first := map[string]string{} // file of each record
	records := 0
	for _, path := range r.c.Args {
		before := records
		err := r.stream(path, func(chunk seqio.Chunk) error {
			if chunk.Start == 0 {
				records = before + chunk.Index + 1
				if len(r.c.Args) > 1 {
					if other, twice := first[chunk.Record]; twice {
						return fmt.Errorf("%s: record %.80q: the id is in %s too", cli.InputName(path), chunk.Record,
							cli.InputName(other))
					}
					first[strings.Clone(chunk.Record)] = path
				}
			}
			r.foreign += chunk.Foreign
			chunk.Index += before
			r.take(chunk.Seq)
			return visit(chunk)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *scanRun) stream(path string, visit func(seqio.Chunk) error) error {
	options := r.scanner.Stream(r.model.Input.KeepsCase())
	options.Read = &r.progress.read
	if path == "-" {
		in, stop := r.c.StandardInput()
		defer stop()
		return seqio.Stream(in, cli.StandardInput, options, visit)
	}
	return seqio.StreamFile(path, options, visit)
}

// writeAll makes the pass that writes.
func (r *scanRun) writeAll(w io.Writer) error {
	if r.options.format == "gff3" {
		if _, err := io.WriteString(w, genome.GFF3Header); err != nil {
			return err
		}
	}
	r.progress.begin("scanning")
	job := scan.Job{Least: r.least}
	sink := r.sinks(w)
	if sink == nil {
		job.Work = func(b *scan.Batch) {
			for _, h := range b.Hits {
				b.Text = r.appendRegion(b.Text, r.scanner.Region(b, h))
			}
		}
	}
	job.Emit = func(b *scan.Batch) error {
		r.account(b)
		if sink == nil {
			_, err := w.Write(b.Text)
			return err
		}
		for _, h := range b.Hits {
			if err := sink.Add(r.regionOf(b, h)); err != nil {
				return err
			}
		}
		return nil
	}
	if err := r.scanner.Run(r.c.Context, r.source, job); err != nil || sink == nil {
		return err
	}
	return sink.End()
}

// regionOf returns a hit as a region that outlives the batch.
func (r *scanRun) regionOf(b *scan.Batch, h scan.Hit) scan.Region {
	region := r.scanner.Region(b, h)
	if r.options.format == "bedgraph" {
		region.Strand = genome.NoStrand
	}
	return region
}

// sinks returns the filters of hits before they are written to w, nil if all hits are written.
func (r *scanRun) sinks(w io.Writer) scan.Sink {
	last := &regionWriter{run: r, w: w}
	var sink scan.Sink = last
	if r.options.merge {
		sink = &scan.Merger{Next: sink}
	}
	if n := r.options.top; n > 0 {
		sink = &scan.Top{N: n, Next: sink, Least: r.least}
	}
	if r.fdr != nil {
		sink = &scan.Suppressor{Distance: r.distance(), Joint: true, Next: sink}
	} else if d := r.options.suppress; d > 0 {
		sink = &scan.Suppressor{Distance: d, Next: sink}
	}
	if sink == last {
		return nil
	}
	return sink
}

// regionWriter is the last sink.
type regionWriter struct {
	run  *scanRun
	w    io.Writer
	line []byte
}

// Add writes the line of a region.
func (o *regionWriter) Add(region scan.Region) error {
	o.line = o.run.appendRegion(o.line[:0], region)
	_, err := o.w.Write(o.line)
	return err
}

// End does nothing.
func (o *regionWriter) End() error { return nil }

// appendRegion appends the line of a region.
func (r *scanRun) appendRegion(dst []byte, region scan.Region) []byte {
	site := genome.Site{
		Record: region.Record, Start: region.Start, End: region.End, Strand: byte(region.Strand), Name: r.name,
		Value: region.Score, Q: math.NaN(), Digits: r.c.Digits(),
	}
	if r.fdr != nil {
		site.Q = r.fdr.Q(region.Score)
	}
	site.Level = int(math.Round(1000 * r.level(region.Score)))
	switch r.options.format {
	case cli.JSON:
		return genome.AppendJSON(dst, &site)
	case "gff3":
		return genome.AppendGFF3(dst, &site, "seqsvm", "sequence_feature")
	case "bedgraph":
		if !r.options.merge {
			width := min(r.scanner.Step, r.scanner.Window)
			site.Start += (r.scanner.Window - width) / 2
			site.End = site.Start + width
		}
		return genome.AppendBedGraph(dst, &site)
	}
	return genome.AppendBED(dst, &site)
}
