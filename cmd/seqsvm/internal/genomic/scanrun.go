package genomic

import (
	"cmp"
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

// estimate makes the passes of --fdr before the one that writes, and sets the threshold.
func (r *scanRun) estimate() error {
	o := r.options
	if !r.c.Given("fdr") {
		return nil
	}
	null, from, err := r.null()
	if err != nil {
		return err
	}
	r.fdr, err = r.scanner.EstimateFDR(r.c.Context, r.counted("estimating"), null, r.distance())
	if errors.Is(err, scan.ErrNoNull) {
		return fmt.Errorf("no window of %d letters to estimate a false-discovery rate from in %s", r.scanner.Window, from)
	}
	if err != nil {
		return err
	}
	r.least.Raise(r.fdr.Threshold(o.fdr))
	r.scanner.BetterStrand = true
	if n := r.fdr.Discoveries(o.fdr); n > 0 {
		r.c.Say("seqsvm: %d discoveries at a false-discovery rate of %v, estimated from %s", n, o.fdr, from)
	} else {
		r.c.Warn("no window has a false-discovery rate of at most %v; the least is %.3g, estimated from %s", o.fdr,
			r.fdr.Least(), from)
	}
	return nil
}

// distance returns how far apart discoveries begin: by default they do not overlap.
func (r *scanRun) distance() int { return cmp.Or(r.options.suppress, r.scanner.Window) }

// counted is the source, with its letters counted by the progress of a stage.
func (r *scanRun) counted(stage string) scan.Source {
	return func(visit func(seqio.Chunk) error) error {
		r.progress.begin(stage)
		return r.source(func(chunk seqio.Chunk) error {
			r.progress.add(len(chunk.Seq))
			return visit(chunk)
		})
	}
}

// null returns what is without sites, and its name.
func (r *scanRun) null() (null scan.Null, name string, err error) {
	if path := r.options.calibrate; path != "" {
		null.Source, name, err = r.negatives(path)
		return null, name, err
	}
	n := r.options.shuffles
	return scan.Null{Source: r.counted("shuffling"), Copies: n, Seed: r.c.Seed}, fmt.Sprintf("%d shuffles", n), nil
}

// negatives returns the records of a file that are not of the class, and says how many there are.
func (r *scanRun) negatives(path string) (source scan.Source, name string, err error) {
	in, err := input.ForModel(r.c, &input.Reading{}, r.model)
	if err != nil {
		return nil, "", err
	}
	data, err := in.Files([]string{path})
	if err != nil {
		return nil, "", err
	}
	if err := data.WantLabels(); err != nil {
		return nil, "", err
	}
	classes, err := data.ClassesOf(&r.scanner.Classifier.Rule)
	if err != nil {
		return nil, "", err
	}
	var index []int
	for i, class := range classes {
		if class != r.scanner.Class {
			index = append(index, i)
		}
	}
	if len(index) == 0 {
		return nil, "", fmt.Errorf("%s: every record is of class %.80q, want others too, to estimate a false-discovery "+
			"rate from", cli.InputName(path), r.name)
	}
	negatives := data.Corpus.Subset(index)
	return scan.SourceOf(negatives, r.scanner.Stream(false)),
		fmt.Sprintf("%d records of %s", len(index), cli.InputName(path)), r.checkUnseen(data, negatives)
}

// checkUnseen returns an error if the model was trained on negatives, unless they are accepted by --force.
func (r *scanRun) checkUnseen(data *input.Records, negatives *stringkernel.Corpus) error {
	training := input.NewTrainingData(r.model)
	training.Add(data, negatives)
	known := training.Known()
	switch {
	case known == "":
		return nil
	case r.options.force:
		r.c.Warn("%s of the negatives in %s are in the model's training data: false-discovery rates are higher than "+
			"estimated", known, data.Source())
		return nil
	}
	return fmt.Errorf("%s: %s of the negatives are in the model's training data, which score lower than others; use "+
		"unseen ones, or no --calibrate, or --force", data.Source(), known)
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
