package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/scan"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
)

func scanCommand() *cli.Command {
	return &cli.Command{
		Name:      "scan",
		Usage:     "score every window of a genome with a model",
		ArgsUsage: "-m MODEL [--window L] FILE…",
		Description: "Scores the windows of every record of FASTA files, on both strands of DNA and RNA, as predict scores them, and writes them in the order of the files,\n" +
			"sorted by position. Memory does not grow with a record's length. Without a threshold every window is written.\n" +
			"\n" +
			"bed       record, start (0-based), end (exclusive), class, level, strand, value and, with --fdr, q-value; level is 1000·P with a calibrated model of two\n" +
			"          classes, else 1000/(1 + exp(−value)), rounded\n" +
			"bedgraph  record, start (0-based), end (exclusive) and value; the --step letters in the middle of each window, or all of a merged region; of two\n" +
			"          strands the greater value\n" +
			"gff3      1-based, end inclusive, with the value as score, and attributes Name (the class) and qvalue\n" +
			"\n" +
			"A place is that of the plus strand for both strands. Models with the flag rc do not tell strands apart: windows then have strand '.', and one line.\n" +
			"Letters outside the alphabet, N too, break matches as they do in predict. --anchor takes IUPAC codes; its place is counted on the strand that is read:\n" +
			"--anchor AG --offset 38 scores the windows in which AG follows 38 letters.\n" +
			"\n" +
			"--fdr Q keeps windows with a q-value of at most Q, estimated from the records of --calibrate that are not of the class: with n of those and M windows,\n" +
			"FDR(t) = M·F(t)/H(t), F(t) = (1 + those at t or above)/(n + 1), H(t) = windows at t or above. The files are read twice then.\n" +
			"--suppress D keeps of windows of one strand that begin less than D letters apart the best, best first; --top N takes the best N of what is left;\n" +
			"--merge joins what overlaps or touches on one strand, with the best value.\n" +
			"docs/scan.md has all of this at length.\n" +
			"If an error is met in the middle of a long file, standard output has the lines before it; --output has all or nothing.",
		Flags: join([]cli.Flag{
			modelFlag(),
			&cli.IntFlag{Name: "window", Usage: "`LETTERS` of a window; by default those of each training sequence, if all had as many"},
			&cli.IntFlag{Name: "step", Value: 1, Usage: "windows begin at multiples of `LETTERS`"},
			&cli.StringFlag{Name: "strand", Value: "both", Usage: "both, + or -"},
			&cli.StringFlag{Name: "anchor", Usage: "`MOTIF` that a window must have, at --offset"},
			&cli.IntFlag{Name: "offset", Usage: "`LETTERS` of a window before the anchor"},
			&cli.BoolFlag{Name: "skip-ambiguous", Usage: "pass over windows with letters outside the alphabet"},
			&cli.StringFlag{Name: "class", Usage: "`CLASS` to score for; by default the positive one of two"},
			rawFlag(),
			formatFlag("bed, bedgraph or gff3", "bed"),
			outputFlag("`FILE` to write, standard output by default"),
			&cli.Float64Flag{Name: "min-score", Usage: "least `VALUE` of a window"},
			&cli.IntFlag{Name: "top", Usage: "the best `N` windows alone"},
			&cli.Float64Flag{Name: "fdr", Usage: "greatest estimated false-discovery `RATE`, with --calibrate"},
			&cli.StringFlag{Name: "calibrate", Usage: "labelled `FILE` to estimate it from, of sequences like windows"},
			&cli.IntFlag{Name: "suppress", Usage: "`LETTERS` within which a better window drops others of its strand"},
			&cli.BoolFlag{Name: "merge", Usage: "join windows that overlap"},
		}, sharedFlags()),
		Action: scanGenome,
	}
}

func scanGenome(c *cli.Context) error {
	format, err := choose(c, "format", "bed", "bedgraph", "gff3")
	if err != nil {
		return err
	}
	if err := checkScanOptions(c); err != nil {
		return err
	}
	out, err := openOutputs(c, "output")
	if err != nil {
		return err
	}
	defer out.abort() // after commit it does nothing
	r, err := newScanRun(c, format)
	if err != nil {
		return err
	}
	defer r.progress.clear()
	if err := r.estimate(); err != nil {
		return err
	}
	if err := out.write("output", r.writeAll); err != nil {
		return err
	}
	r.remark()
	return out.commit()
}

// checkScanOptions finds wrong and contradictory options before any file is read.
func checkScanOptions(c *cli.Context) error {
	if _, err := choose(c, "strand", "both", "+", "-"); err != nil {
		return err
	}
	for _, positive := range []string{"window", "step", "top", "suppress"} {
		if c.IsSet(positive) && c.Int(positive) < 1 {
			return usagef("--%s %d, want 1 or more", positive, c.Int(positive))
		}
	}
	switch {
	case c.String("model") == "":
		return usagef("no --model, want a file that train wrote")
	case c.NArg() == 0:
		return usagef("no input file, want at least one FASTA file (- is standard input)")
	case c.Int("window") > scan.MaxWindow:
		return usagef("--window %d, want at most %d", c.Int("window"), scan.MaxWindow)
	case c.IsSet("offset") && !c.IsSet("anchor"):
		return usagef("--offset without --anchor, whose place it is")
	case c.Int("offset") < 0:
		return usagef("--offset %d, want 0 or more", c.Int("offset"))
	case math.IsNaN(c.Float64("min-score")):
		return usagef("--min-score NaN, want a number")
	case c.IsSet("fdr") && !(c.Float64("fdr") > 0 && c.Float64("fdr") < 1):
		return usagef("--fdr %v, want above 0 and below 1", c.Float64("fdr"))
	case c.IsSet("fdr") != c.IsSet("calibrate"):
		return usagef("--fdr and --calibrate go together")
	case c.IsSet("fdr") && c.IsSet("min-score"):
		return usagef("--fdr beside --min-score, want one or the other")
	case c.IsSet("fdr") && slices.Contains(c.Args().Slice(), "-"):
		return usagef("--fdr reads the sequences twice, and standard input (-) can be read once")
	case c.Bool("merge") && c.IsSet("suppress"):
		return usagef("--merge beside --suppress, want one or the other")
	}
	return nil
}

// scanRun is one run of the command.
type scanRun struct {
	c        *cli.Context
	scanner  *scan.Scanner
	input    model.Input
	format   string
	name     string // of the class
	level    func(score float64) float64
	fdr      *scan.FDR // nil without --fdr
	least    *scan.Threshold
	progress *scanProgress

	records, short int                        // short ones have no window
	sample         stringkernel.CorpusBuilder // of the first letters
	sampled        int                        // letters
}

func newScanRun(c *cli.Context, format string) (*scanRun, error) {
	path := c.String("model")
	m, classifier, err := loadModel(c, path)
	if err != nil {
		return nil, err
	}
	class, err := scannedClass(c, &classifier.Decision)
	if err != nil {
		return nil, err
	}
	r := &scanRun{
		c: c, input: m.Input, format: format, name: classifier.Classes[class], level: levelOf(c, classifier, class),
		least: scan.NewThreshold(math.Inf(-1)), progress: newScanProgress(c),
	}
	if c.IsSet("min-score") {
		r.least.Raise(c.Float64("min-score"))
	}
	o, err := scanOptions(c, m, classifier)
	if err != nil {
		return nil, err
	}
	o.Class = class
	o.BetterStrand = format == "bedgraph"
	if r.scanner, err = scan.New(o); err != nil {
		return nil, usagef("%s: %w", inputName(path), errors.Unwrap(err))
	}
	return r, nil
}

// scannedClass returns the class that scores speak for.
func scannedClass(c *cli.Context, d *classify.Decision) (int, error) {
	name := c.String("class")
	switch class := slices.Index(d.Classes, name); {
	case class >= 0:
		return class, nil
	case name != "":
		return 0, usagef("--class %q, want one of: %s", name, listNames(d.Classes))
	case len(d.Classes) > 2:
		return 0, usagef("no --class, and the model has several: %s", listNames(d.Classes))
	}
	return d.Positive, nil
}

// scanOptions reads the options of what is scored, all but the class.
func scanOptions(c *cli.Context, m *model.Model, classifier *classify.Classifier) (scan.Options, error) {
	o := scan.Options{
		Classifier: classifier, Alphabet: inputAlphabet(m.Kernel), Raw: c.Bool("raw"),
		Window: c.Int("window"), Step: c.Int("step"), SkipAmbiguous: c.Bool("skip-ambiguous"), Offset: c.Int("offset"),
	}
	if o.Window == 0 {
		if o.Window = cmp.Or(stringkernel.WindowLength(classifier.Scorer), m.Training.Window); o.Window <= 0 {
			return o, usagef("no --window, and the model was not trained on sequences of one length")
		}
	}
	if c.IsSet("anchor") {
		var err error
		if o.Anchor, err = scan.ParseMotif(c.String("anchor"), o.Alphabet); err != nil {
			return o, usagef("--anchor: %w", err)
		}
	}
	blind := o.Anchor.Len() == 0
	for _, t := range m.Kernel.Terms {
		blind = blind && t.RC
	}
	strand := c.String("strand")
	switch {
	case !o.Alphabet.Complementary() && c.IsSet("strand") && strand != "+":
		return o, usagef("--strand %s, and sequences of %s have one strand", strand, o.Alphabet)
	case blind || !o.Alphabet.Complementary():
		o.Plus, o.Strandless = true, true
	default:
		o.Plus, o.Minus = strand != "-", strand != "+"
	}
	return o, nil
}

// levelOf returns what makes a share of 1000 of a score: the probability, or a logistic function.
func levelOf(c *cli.Context, classifier *classify.Classifier, class int) func(float64) float64 {
	sigmoid := classifier.Machines[0].Sigmoid
	if sigmoid == nil || classifier.Scheme != classify.TwoClass || c.Bool("raw") {
		return func(score float64) float64 { return 1 / (1 + math.Exp(-score)) }
	}
	if class == classifier.Positive {
		return sigmoid.Probability
	}
	return func(score float64) float64 { return 1 - sigmoid.Probability(-score) }
}

// source streams the operands, one behind the other, as one set of records.
func (r *scanRun) source(visit func(seqio.Chunk) error) error {
	first := map[string]string{} // file of each record
	records := 0
	for _, path := range r.c.Args().Slice() {
		before := records
		err := r.stream(path, func(chunk seqio.Chunk) error {
			if chunk.Start == 0 {
				records = before + chunk.Index + 1
				if r.c.NArg() > 1 {
					if other, twice := first[chunk.Record]; twice {
						return fmt.Errorf("%s: record %q: the id is in %s too", inputName(path), chunk.Record, inputName(other))
					}
					first[strings.Clone(chunk.Record)] = path
				}
			}
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
	options := r.scanner.Stream(r.input.SoftMask)
	if path == "-" {
		in, stop := standardInput(r.c)
		defer stop()
		return seqio.Stream(in, standardName, options, visit)
	}
	return seqio.StreamFile(path, options, visit)
}

// estimate makes the first pass of --fdr, and sets the threshold.
func (r *scanRun) estimate() error {
	path := r.c.String("calibrate")
	if path == "" {
		return nil
	}
	negatives, err := r.negatives(path)
	if err != nil {
		return err
	}
	if r.fdr, err = scan.NewFDR(negatives); err != nil {
		return fmt.Errorf("%s: every record is of class %q, want others too, to estimate a false-discovery rate from", inputName(path), r.name)
	}
	both := *r.scanner
	both.BetterStrand = false
	r.progress.begin("estimating")
	err = both.Run(r.c.Context, r.source, scan.Job{Work: r.fdr.Count, Emit: func(b *scan.Batch) error {
		r.progress.add(b.Bases)
		return nil
	}})
	if err != nil {
		return err
	}
	r.fdr.Estimate()
	rate := r.c.Float64("fdr")
	r.least.Raise(r.fdr.Threshold(rate))
	if least := r.fdr.Least(); least > rate {
		warn(r.c, "no window has a false-discovery rate of at most %v; the least is %.3g, estimated from %d records of %s", rate, least, len(negatives), inputName(path))
	}
	return nil
}

// negatives returns the scores of the records that are not of the class.
func (r *scanRun) negatives(path string) ([]float64, error) {
	in := reader{in: r.c, options: seqio.Options{SoftMask: r.input.SoftMask, Alphabet: r.scanner.Alphabet}}
	data, err := in.files([]string{path})
	if err != nil {
		return nil, err
	}
	if err := data.wantLabels(); err != nil {
		return nil, err
	}
	classes, err := data.classesOf(&r.scanner.Classifier.Decision)
	if err != nil {
		return nil, err
	}
	fixed := stringkernel.WindowLength(r.scanner.Classifier.Scorer)
	var scores []float64
	for i, class := range classes {
		if err := r.c.Context.Err(); err != nil {
			return nil, err
		}
		x := data.corpus.Seq(i)
		if fixed > 0 && len(x) != fixed {
			return nil, data.errorf(i, "%d letters, and the model is of sequences of %d", len(x), fixed)
		}
		if class != r.scanner.Class {
			scores = append(scores, r.scanner.Score(x))
		}
	}
	return scores, nil
}

// writeAll makes the pass that writes.
func (r *scanRun) writeAll(w io.Writer) error {
	if r.format == "gff3" {
		if _, err := io.WriteString(w, seqio.GFF3Header); err != nil {
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
	if r.format == "bedgraph" {
		region.Strand = scan.Neither
	}
	return region
}

// sinks returns what chooses among hits before they are written to w, nil if all are.
func (r *scanRun) sinks(w io.Writer) scan.Sink {
	last := &regionWriter{run: r, w: w}
	var sink scan.Sink = last
	if r.c.Bool("merge") {
		sink = &scan.Merger{Next: sink}
	}
	if n := r.c.Int("top"); n > 0 {
		sink = &scan.Top{N: n, Next: sink, Least: r.least}
	}
	if d := r.c.Int("suppress"); d > 0 {
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

func (o *regionWriter) Add(region scan.Region) error {
	o.line = o.run.appendRegion(o.line[:0], region)
	_, err := o.w.Write(o.line)
	return err
}

func (o *regionWriter) End() error { return nil }

// appendRegion appends the line of a region.
func (r *scanRun) appendRegion(dst []byte, region scan.Region) []byte {
	site := seqio.Site{
		Record: region.Record, Start: region.Start, End: region.End, Strand: byte(region.Strand), Name: r.name, Value: region.Score, Q: math.NaN(),
	}
	if r.fdr != nil {
		site.Q = r.fdr.Q(region.Score)
	}
	switch r.format {
	case "gff3":
		return seqio.AppendGFF3(dst, &site, "seqsvm", "sequence_feature")
	case "bedgraph":
		if !r.c.Bool("merge") {
			width := min(r.scanner.Step, r.scanner.Window)
			site.Start += (r.scanner.Window - width) / 2
			site.End = site.Start + width
		}
		return seqio.AppendBedGraph(dst, &site)
	}
	site.Level = int(math.Round(1000 * r.level(region.Score)))
	return seqio.AppendBED(dst, &site)
}
