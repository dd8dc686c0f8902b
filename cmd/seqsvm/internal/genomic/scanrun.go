package genomic

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
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
		c: c, options: o, model: m, name: classifier.Classes[class], least: scan.NewThreshold(math.Inf(-1)),
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
	if o.top > 0 && !o.merge && o.site == "" && r.scanner.Anchor.Len() == 0 && !c.Given("suppress") && !c.Given("fdr") {
		if o.suppress = r.scanner.Window; o.shard.Given() {
			return nil, cli.Usagef("--top with --shard needs --suppress: %d, as without shards, for which each writes all its "+
				"windows, or 0 for the best windows, whatever is near", o.suppress)
		}
		c.Note("of windows that begin within %d letters the best is written; --suppress 0 writes all", o.suppress)
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
	if spec.OfPairs() {
		return errors.New("scan needs a kernel on one sequence; this model compares pairs")
	}
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
	options := r.scanner.Stream(r.model.Input.Reading.Case())
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

// scanProgress shows how many bases of a pass have been scanned, and how fast.
type scanProgress struct {
	call  *cli.Call
	size  int64 // bytes of the operands, 0 if it is not known
	read  atomic.Int64
	bases int
	start time.Time
}

// begin begins a pass.
func (p *scanProgress) begin(stage string) {
	p.call.Stage(stage)
	p.bases, p.start = 0, time.Now()
	p.read.Store(0)
}

// add counts letters.
func (p *scanProgress) add(bases int) {
	p.bases += bases
	share := 0.0
	if p.size > 0 {
		share = float64(p.read.Load()) / float64(p.size)
	}
	millions := float64(p.bases) / 1e6
	p.call.Show(share, "%.1f million bases, %.2f million bases/s", millions, millions/time.Since(p.start).Seconds())
}

// account counts the records and bases of a batch.
func (r *scanRun) account(b *scan.Batch) {
	r.progress.add(b.Bases)
	if b.Last {
		r.records++
	}
	if b.Short {
		r.short++
	}
}

// take keeps the first letters, to check whether they are in the kernel's alphabet.
func (r *scanRun) take(x []byte) {
	const enough = 1 << 20
	if r.sampled < enough {
		r.sample.Add("", x)
		r.sampled += len(x)
	}
}

// remark warns of sequences that look wrong.
func (r *scanRun) remark() {
	a := r.scanner.Alphabet
	if r.foreign > 0 {
		input.NoteForeign(r.c, a)
	}
	input.WarnShareOutside(r.c, seqio.ShareOutside(r.sample.Corpus(), a), r.c.OperandNames(), a)
	if r.short > 0 {
		r.c.Warn("%d of %d records are shorter than the window of %d letters, and have none", r.short, r.records,
			r.scanner.Window)
	}
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
	training := input.NewTrainingData(r.model)
	genome := r.counted("estimating", func(chunk seqio.Chunk) { training.AddPiece(chunk.Seq) })
	r.fdr, err = r.scanner.EstimateFDR(r.c.Context, genome, null, r.distance())
	if errors.Is(err, scan.ErrNoNull) {
		return fmt.Errorf("no window of %d letters to estimate a false-discovery rate from in %s", r.scanner.Window,
			from)
	}
	if err != nil {
		return err
	}
	if covered := training.Covered(); covered > 0 {
		r.c.Warn("the sequences have about %.0f %% of the model's training data in them: windows that it was "+
			"trained on "+
			"score as they were labelled, and are no discoveries", covered)
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

// counted is the source, with its letters counted by the progress of a stage, and seen by a function.
func (r *scanRun) counted(stage string, see func(seqio.Chunk)) scan.Source {
	return func(visit func(seqio.Chunk) error) error {
		r.progress.begin(stage)
		return r.source(func(chunk seqio.Chunk) error {
			r.progress.add(len(chunk.Seq))
			see(chunk)
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
	if name = fmt.Sprintf("%d shuffles", n); n == 1 {
		name = "1 shuffle"
	}
	source := r.counted("shuffling", func(seqio.Chunk) {})
	return scan.Null{Source: source, Copies: n, Seed: r.c.Seed}, name, nil
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
	if i := slices.Index(data.Labels, ""); i >= 0 {
		return nil, "", data.Errorf(i, "no label: want label=X in the header, X being a class of the model (%s)",
			cli.ListNames(r.scanner.Classifier.Classes))
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
		return nil, "", fmt.Errorf(
			"%s: every record is of class %.80q, want others too, to estimate a false-discovery "+
				"rate from", cli.InputName(path), r.name)
	}
	negatives := data.Corpus.Subset(index)
	return scan.SourceOf(negatives, r.scanner.Stream(seqio.CaseUpper)),
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
