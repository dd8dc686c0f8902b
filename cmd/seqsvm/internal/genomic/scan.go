// Package genomic has the commands that work on genomes: scan, genome windows and genome negatives, and model kmers and
// variants, which score k-mers and alleles.
package genomic

import (
	"cmp"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"

	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/scan"
	"github.com/seqsvm/seqsvm/seqio/windows"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// scanOptions are the options of scan.
type scanOptions struct {
	input.Model
	window, step  int
	strand        string
	anchor        string
	offset        int
	skipAmbiguous bool
	class         string
	raw           bool
	minScore, fdr float64
	top, suppress int
	calibrate     string
	force         bool
	shuffles      int
	merge         bool
	substitutions string
	regions       string
	format        string
	output        cli.Output
	shard         cli.Shard
	pictures      cli.Pictures
	site          windows.Kind
	browser       Browser
	index         *cli.Output // of output, if that is compressed in blocks
}

// Scan is the command scan.
func Scan() cli.Options { return new(scanOptions) }

func (o *scanOptions) Flags(f *cli.Flags) {
	o.Model.Flags(f)
	f.Section("Windows")
	f.Int(&o.window, "window", 0, "`LETTERS` of a window").Between(1, scan.MaxWindow).
		Default("those of the training sequences, if all had the same number")
	f.Int(&o.step, "step", 1, "windows begin at multiples of `LETTERS`").AtLeast(1)
	f.Choice(&o.strand, "strand", "strand to read: both, + or -", "both", "+", "-")
	f.String(&o.anchor, "anchor", "", "`MOTIF` that a window must have, at --offset, or none").
		Default("what all training windows have at one place, if there is such a motif")
	f.Int(&o.offset, "offset", 0, "`LETTERS` of a window before the anchor").AtLeast(0)
	f.Bool(&o.skipAmbiguous, "skip-ambiguous", "skip windows with letters outside the alphabet")
	f.Section("Scores")
	f.String(&o.class, "class", "", "`CLASS` to score for").Default("the positive one of two")
	f.Bool(&o.raw, "raw", input.RawHelp)
	f.Float64(&o.minScore, "min-score", 0, "least `VALUE` of a window").
		Default("the threshold of a model of train --threshold").Excludes("fdr")
	f.Float64(&o.fdr, "fdr", 0, "greatest estimated false-discovery `RATE`").Default("")
	f.Int(&o.shuffles, "shuffles", 20, "`COPIES` of the files to shuffle, to estimate it from").Between(1, 10_000).
		Needs("fdr, the rate to estimate").Excludes("calibrate")
	f.String(&o.calibrate, "calibrate", "",
		"labelled `FILE` to estimate it from instead, unknown to the model").Reads(&o.calibrate).
		Needs("fdr, the rate to estimate")
	f.Bool(&o.force, "force", "accept a file for --calibrate that the model was trained on").
		Needs("calibrate, whose file it accepts")
	f.Int(&o.suppress, "suppress", 0,
		"drop windows that begin within `LETTERS` of a better one on their strand, 0 for none").AtLeast(0).
		Default("a window with --top, unless windows have an anchor, are merged or are sites; otherwise none")
	f.Int(&o.top, "top", 0, "write only the best `N` windows").AtLeast(1)
	f.Bool(&o.merge, "merge", "join windows that overlap").Excludes("site suppress fdr")
	f.String(&o.substitutions, "substitutions", "", "in place of windows, the effect of every substitution of a base on "+
		"the raw score: `FOLDER` for arrays (npy) by chromosome, or for tracks of bigWig if that is the format").
		Excludes("output window step strand anchor offset skip-ambiguous class raw min-score fdr suppress top merge " +
			"site shard plot")
	f.String(&o.regions, "regions", "", "BED `FILE` of the places to substitute").Default("the whole genome").
		Reads(&o.regions).Needs("substitutions")
	f.Format(&o.format, "format: bed, bedgraph, gff3, bigwig, or json (docs/json.md)", "bed", BedGraph, "gff3",
		BigWig, cli.JSON)
	cli.Choice(f, &o.site, "site", "sites in place of windows: donor, acceptor, start or tss", "", windows.Donor,
		windows.Acceptor, windows.Start, windows.TSS)
	f.Output(&o.output, "output,o", "`FILE` to write; bed and bedgraph in a .gz have an index for tabix beside them")
	o.shard.Flags(f)
	o.browser.Flags(f)
	o.pictures.Flags(f, "`FILE` for a picture of the scores of the windows that are written, along each record")
}

func (o *scanOptions) Run(c *cli.Call) error {
	if o.substitutions != "" {
		return o.runSubstitutions(c)
	}
	if err := o.check(c); err != nil {
		return err
	}
	if err := o.shard.Check(c, &o.output); err != nil {
		return err
	}
	if !o.shard.Given() {
		var err error
		if o.index, err = IndexOf(c, o.format, &o.output); err != nil {
			return err
		}
	}
	r, err := newScanRun(c, o)
	if err != nil {
		return err
	}
	for _, pass := range []func() error{r.measure, r.estimate, r.write} {
		if err := pass(); err != nil {
			return err
		}
	}
	r.remark()
	return r.draw()
}

// check finds wrong and contradictory options before any file is read.
func (o *scanOptions) check(c *cli.Call) error {
	if err := cmp.Or(o.browser.Check(c, o.format, &o.output), o.checkShard(c)); err != nil {
		return err
	}
	switch {
	case len(c.Args) == 0:
		return cli.Usagef("no input file, want at least one file of FASTA, FASTQ or 2bit (- is standard input)")
	case c.Given("offset") && (o.anchor == "" || o.anchor == noAnchor) && o.site == "":
		return cli.Usagef("--offset needs --anchor")
	case math.IsNaN(o.minScore):
		return cli.Usagef("--min-score NaN, want a number")
	case c.Given("fdr"):
		return o.checkRate(c)
	}
	return nil
}

// checkRate finds options that contradict --fdr.
func (o *scanOptions) checkRate(c *cli.Call) error {
	switch {
	case !(o.fdr > 0 && o.fdr < 1):
		return cli.Usagef("--fdr %v, want above 0 and below 1", o.fdr)
	case slices.Contains(c.Args, "-"):
		return cli.Usagef("--fdr reads the sequences several times, which standard input (-) does not allow")
	}
	return nil
}

// scanner returns the options of the library, all but the class.
func (o *scanOptions) scanner(c *cli.Call, m *model.Model, classifier *decide.Classifier) (scan.Options, error) {
	s := scan.Options{
		Classifier: classifier, Alphabet: m.Kernel.Alphabet(), Raw: o.raw,
		Window: o.window, Step: o.step, SkipAmbiguous: o.skipAmbiguous, Offset: o.offset,
	}
	if s.Window == 0 {
		if s.Window = cmp.Or(stringkernel.WindowLength(classifier.Scorer), m.Training.Window); s.Window <= 0 {
			return s, cli.Usagef("--window is required: the model was not trained on sequences of one length")
		}
	}
	if err := o.settleAnchor(c, &s, m.Training); err != nil {
		return s, err
	}
	if t := m.Training.Window; t != 0 && s.Window != t {
		c.Caution("--window %d, but the model was trained on windows of length %d: their scores may not be comparable",
			s.Window, t)
	}
	blind := s.Anchor.Len() == 0
	for _, t := range m.Kernel.Terms {
		blind = blind && t.RC
	}
	switch {
	case o.site != "" && blind && s.Alphabet.Complementary():
		return s, cli.Usagef("--site %s, but the model was trained on both strands alike, by the flag rc of its kernel",
			o.site)
	case o.site != "" && s.Anchor.Len() == 0 && !c.Given("offset"):
		return s, cli.Usagef("--site %s needs the place of the site in a window: --offset LETTERS, or --anchor too",
			o.site)
	case o.site != "" && s.Offset >= s.Window:
		return s, cli.Usagef("--offset %d is past the window of %d letters", s.Offset, s.Window)
	case !s.Alphabet.Complementary() && c.Given("strand") && o.strand != "+":
		return s, cli.Usagef("--strand %s: %s sequences have a single strand", o.strand, s.Alphabet)
	case blind && o.strand != "both":
		return s, cli.Usagef("--strand %s, but the model was trained on both strands alike, by the flag rc of its "+
			"kernel; leave the option out", o.strand)
	case blind || !s.Alphabet.Complementary():
		s.Plus, s.Strandless = true, true
	default:
		s.Plus, s.Minus = o.strand != "-", o.strand != "+"
	}
	return s, nil
}

// noAnchor is the value of --anchor for windows with or without the anchor of the training data.
const noAnchor = "none"

// settleAnchor sets the anchor: that of the training windows, and what --anchor asks for besides, which must agree.
func (o *scanOptions) settleAnchor(c *cli.Call, s *scan.Options, t model.Training) error {
	if o.anchor == noAnchor {
		return nil
	}
	trained, err := scan.Motif{}, error(nil)
	if t.Anchor.Motif != "" {
		if trained, err = scan.ParseMotif(t.Anchor.Motif, s.Alphabet); err != nil {
			return err
		}
	}
	if o.anchor != "" {
		if s.Anchor, err = scan.ParseMotif(o.anchor, s.Alphabet); err != nil {
			return cli.Usagef("--anchor: %w", err)
		}
	}
	switch {
	case trained.Len() == 0:
	case o.anchor == "" && s.Window != t.Window:
		return cli.Usagef("--window %d, but the model was trained on windows of %d letters with %s after %d; leave "+
			"the option out, or add --anchor none", s.Window, t.Window, trained, t.Anchor.Offset)
	case o.anchor == "":
		s.Anchor, s.Offset = trained, t.Anchor.Offset
		c.Note("scoring windows with %s after %d letters, as all training windows have; --anchor none scores all",
			trained, s.Offset)
	case !trained.Agrees(s.Anchor, s.Offset-t.Anchor.Offset):
		return cli.Usagef("--anchor %s --offset %d, but the model was trained on windows with %s after %d letters; "+
			"leave the options out, or use --anchor none", o.anchor, s.Offset, trained, t.Anchor.Offset)
	default:
		both, begin := trained.Both(s.Anchor, s.Offset-t.Anchor.Offset, s.Alphabet)
		if both.String() != s.Anchor.String() {
			s.Anchor, s.Offset = both, t.Anchor.Offset+begin
			c.Note("scoring windows with %s after %d letters: all training windows have %s after %d", both, s.Offset,
				trained, t.Anchor.Offset)
		}
	}
	return nil
}
