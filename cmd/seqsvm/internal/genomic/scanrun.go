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
	"github.com/seqsvm/seqsvm/internal/plural"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/report"
	"github.com/seqsvm/seqsvm/scan"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/bigwig"
	"github.com/seqsvm/seqsvm/seqio/genome"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// scanRun is one run of the command.
type scanRun struct {
	shown
	c        *cli.Call
	options  *scanOptions
	scanner  *scan.Scanner
	model    *model.Model
	name     string              // of the class
	index    *cli.Output         // of an output that is compressed in blocks, else nil
	fdr      *scan.FDR           // nil without --fdr
	chroms   []bigwig.Chromosome // of bigWig
	least    *scan.Threshold
	progress *scanProgress
	tracks   *report.ScanTracks // nil without --plot
	pieces   *scanPieces        // nil without --shard

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
	class, err := input.ChosenClass(c, o.class, &classifier.Rule)
	if err != nil {
		return nil, err
	}
	r := &scanRun{
		c: c, options: o, model: m, name: classifier.Classes[class], index: o.index, least: scan.NewThreshold(math.Inf(-1)),
		progress: &scanProgress{call: c, size: cli.SizeOf(c.Args)},
	}
	switch rule := &classifier.Rule; {
	case c.Given("min-score"):
		r.least.Raise(o.minScore)
	case rule.Criterion != "" && class == rule.Positive && !o.raw && !c.Given("fdr"):
		r.least.Raise(math.Nextafter(rule.Machines[0].Threshold, math.Inf(1)))
		c.Note("writing windows above the model's threshold, %.6g (%s); --min-score sets another",
			rule.Machines[0].Threshold, rule.Criterion)
	}
	s, err := o.scanner(c, m, classifier)
	if err != nil {
		return nil, err
	}
	if o.pictures.Wanted() {
		r.tracks = &report.ScanTracks{Title: "class " + r.name}
	}
	s.Class = class
	s.BetterStrand = isTrack(o.format) && o.site == ""
	if r.scanner, err = scan.New(s); err != nil {
		return nil, cli.Usagef("%s: %w", cli.InputName(o.Path), errors.Unwrap(err))
	}
	r.shown = o.shown(c, r)
	return r, nil
}

// shown returns how a run writes windows.
func (o *scanOptions) shown(c *cli.Call, r *scanRun) shown {
	label := r.name
	if o.site != "" {
		label = sequenceOntology[o.site]
	}
	return shown{
		Format: o.format, TrackLine: o.browser.TrackLine(o.format), Label: label, Digits: c.Digits(),
		Window: r.scanner.Window, Step: r.scanner.Step, Offset: r.scanner.Offset, Anchor: r.scanner.Anchor.Len(),
		Site: o.site, Merge: o.merge, Top: o.top, Suppress: o.suppress, Levels: r.scanner.Levels(),
	}
}

// wantSequences returns an error if a window, a piece of a sequence, is not what the kernel reads.
func wantSequences(spec catalog.Spec) error {
	for _, t := range spec.Terms {
		switch {
		case t.OfStructures():
			return fmt.Errorf("scan needs a sequence kernel; this model reads trees or graphs with %s", t)
		case t.OfText():
			return fmt.Errorf("scan needs a kernel on dna, rna or protein; this model reads text with %s", t)
		}
	}
	return nil
}

// mostNames is how many records of several files have their ids compared, so that memory has a bound.
const mostNames = 1 << 20

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
					if records <= mostNames {
						first[strings.Clone(chunk.Record)] = path
					}
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
	options := r.scanner.Stream(r.model.Input.Options().Case)
	options.Read = &r.progress.read
	in, stop := r.c.Open(path)
	defer stop()
	if in == nil {
		return genome.StreamFile(path, options, visit)
	}
	return genome.Stream(in, cli.InputName(path), options, visit)
}

// writeAll makes the pass that writes.
func (r *scanRun) writeAll(w io.Writer) error {
	source := scan.Source(r.source)
	if r.pieces != nil {
		r.pieces.shard.Begin(w)
		w, source = r.pieces.shard, r.pieces.of(source, r.scanner.Window)
		if r.compares() {
			return r.writeCandidates(w, source)
		}
	}
	out, err := r.open(w)
	if err != nil {
		return err
	}
	if r.pieces != nil {
		r.pieces.shard.EndHead(nil)
	}
	r.progress.begin("scanning")
	job := scan.Job{Least: r.least}
	sink := r.sinks(out)
	if sink == nil {
		job.Work = func(b *scan.Batch) {
			var site genome.Site
			for _, h := range b.Hits {
				region := r.regionOf(b, h)
				r.setSite(&site, &region)
				b.Text = r.appendSite(b.Text, &site)
			}
		}
	}
	job.Emit = func(b *scan.Batch) error {
		r.account(b)
		if sink == nil {
			if r.tracks != nil {
				for _, h := range b.Hits {
					r.tracks.Add(r.regionOf(b, h))
				}
			}
			_, err := w.Write(b.Text)
			if r.pieces != nil {
				r.pieces.shard.EndPiece()
			}
			return err
		}
		for _, h := range b.Hits {
			if err := sink.Add(r.regionOf(b, h)); err != nil {
				return err
			}
		}
		return nil
	}
	if err := r.scanner.Run(r.c.Context, source, job); err != nil || sink == nil {
		return err
	}
	return sink.End()
}

// regionOf returns a hit as a region that outlives the batch.
func (r *scanRun) regionOf(b *scan.Batch, h scan.Hit) scan.Region {
	region := r.scanner.Region(b, h)
	if isTrack(r.Format) && r.Site == "" {
		region.Strand = genome.NoStrand
	}
	return region
}

// sinks returns the filters of hits before they are written, nil if all hits are written as lines of their own.
func (r *scanRun) sinks(out places) scan.Sink {
	last := &regionWriter{run: r, out: out}
	var sink scan.Sink = last
	if r.Site != "" {
		sink = &siteWriter{regionWriter: last}
	}
	if r.Merge {
		sink = &scan.Merger{Next: sink}
	}
	if n := r.Top; n > 0 {
		sink = &scan.Top{N: n, Next: sink, Least: r.least}
	}
	if r.fdr != nil {
		sink = &scan.Suppressor{Distance: r.distance(), Joint: true, Next: sink}
	} else if d := r.Suppress; d > 0 {
		sink = &scan.Suppressor{Distance: d, Next: sink}
	}
	if _, lines := out.(*textOut); lines && sink == last {
		return nil
	}
	return sink
}

// draw draws the windows that were written, with the threshold if there is one.
func (r *scanRun) draw() error {
	if r.tracks == nil {
		return nil
	}
	if n := r.tracks.Left(); n > 0 {
		r.c.Warn("the picture has no room for %s more", plural.Of(n, "record"))
	}
	if least := r.least.Value(); !math.IsInf(least, -1) && r.Top == 0 {
		r.tracks.Threshold = &least
	}
	return r.options.pictures.Draw(r.tracks.Figure())
}
