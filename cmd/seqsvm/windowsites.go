package main

import (
	"math"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seqsvm/seqsvm/seqio/genome"
	"github.com/seqsvm/seqsvm/seqio/windows"
)

// siteFlags say where the true sites are.
func siteFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "annotation", Usage: "`FILE` of transcripts: GFF3, GTF, or BED of 12 columns (by the name, .bed)"},
		&cli.StringFlag{Name: "site", Usage: "donor, acceptor, start or tss: the sites of the transcripts"},
		&cli.StringFlag{Name: "exons", Value: "auto", Usage: "types of features that are exons, with commas between; auto: exon, or where a transcript has none, its coding parts and UTRs"},
		&cli.IntFlag{Name: "min-intron", Value: 10, Usage: "shorter gaps between exons are no introns (frameshifts)"},
		&cli.StringFlag{Name: "bed", Usage: "BED `FILE` of 3 columns or more: an anchor per interval"},
		&cli.StringFlag{Name: "at", Value: "start", Usage: "start, centre or end: the anchor of an interval of --bed, in the direction of its strand"},
		&cli.StringFlag{Name: "list", Usage: "`FILE` of places: sequence, position (1-based), strand, name"},
		&cli.StringFlag{Name: "unknown", Value: "error", Usage: "sites on sequences that the genome lacks: error, or skip"},
	}
}

// shapeFlags say what a window is.
func shapeFlags() []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "upstream", Value: -1, DefaultText: "70; 200 for tss, --bed and --list", Usage: "letters before the anchor"},
		&cli.IntFlag{Name: "downstream", Value: -1, DefaultText: "71; 51 for tss, --bed and --list", Usage: "letters from the anchor on"},
		&cli.IntFlag{Name: "window", Usage: "`LETTERS` of a window, with --offset: in place of --upstream and --downstream, as scan has it"},
		&cli.IntFlag{Name: "offset", Usage: "`LETTERS` of a window before the anchor, with --window"},
		&cli.StringFlag{Name: "consensus", DefaultText: "GT of donor, AG of acceptor, ATG of start", Usage: "what sites and decoys begin with, in IUPAC codes, or none"},
	}
}

// decoyFlags say which decoys are wanted.
func decoyFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "decoys", Value: "10x", Usage: "how many: a number, Rx for R per true window, or all"},
		&cli.StringFlag{Name: "test-decoys", DefaultText: "as --decoys", Usage: "how many in the test part"},
		&cli.StringFlag{Name: "decoys-from", DefaultText: "transcripts; genome for tss, --bed and --list", Usage: "transcripts (on their strand) or genome (anywhere, both strands)"},
		&cli.IntFlag{Name: "distance", Value: -1, DefaultText: "0; for tss, --bed and --list so that windows do not overlap", Usage: "least distance of a decoy to any site, in bases"},
		&cli.StringFlag{Name: "duplicates", Value: "drop", Usage: "windows with the letters of another: drop, or keep"},
	}
}

// windowRequest is what the options ask for, and what the files of sites had to be left out.
type windowRequest struct {
	plan      windows.Plan
	name      string       // of a true site
	source    string       // file of the sites
	kind      windows.Kind // "" for --bed and --list
	minIntron int
	exons     []string
	anchor    windows.Anchor
	skip      bool // sites on unknown sequences

	annotation *genome.Annotation // nil for --bed and --list
	skipped    windows.Skipped
	unknown    int // transcripts, intervals or places on unknown sequences
}

// newWindowRequest reads the options.
func newWindowRequest(c *cli.Context) (*windowRequest, error) {
	r := &windowRequest{minIntron: c.Int("min-intron")}
	if c.String("genome") == "" {
		return nil, usagef("no --genome, want the FASTA file of the genome")
	}
	for _, read := range []func(*cli.Context) error{r.readSource, r.readShape, r.readDecoys, r.readSplit} {
		if err := read(c); err != nil {
			return nil, err
		}
	}
	r.plan.Seed = c.Uint64("seed")
	if err := r.plan.Check(); err != nil {
		return nil, &usageError{err}
	}
	return r, nil
}

// readSource reads siteFlags.
func (r *windowRequest) readSource(c *cli.Context) error {
	given := 0
	for _, option := range []string{"annotation", "bed", "list"} {
		if c.String(option) != "" {
			given++
			r.source, r.name = c.String(option), "site"
		}
	}
	if given != 1 {
		return usagef("%d of --annotation, --bed and --list, want one", given)
	}
	if r.source == "-" {
		return usagef("sites from standard input, want a file")
	}
	at, err := choose(c, "at", string(windows.AtStart), string(windows.AtCentre), string(windows.AtEnd))
	if err != nil {
		return err
	}
	r.anchor = windows.Anchor(at)
	unknown, err := choose(c, "unknown", "error", "skip")
	if err != nil {
		return err
	}
	r.skip = unknown == "skip"
	if c.String("annotation") == "" {
		return onlyWith(c, "--annotation", "site", "exons", "min-intron")
	}
	if err := onlyWith(c, "--bed", "at"); err != nil {
		return err
	}
	site, err := choose(c, "site", kindNames()...)
	if err != nil {
		return err
	}
	r.kind, r.name = windows.Kind(site), site
	if r.minIntron < 1 {
		return usagef("--min-intron %d, want 1 or more", r.minIntron)
	}
	if types := c.String("exons"); types != "auto" {
		r.exons = strings.Split(types, ",")
	}
	return nil
}

// onlyWith returns an error if one of the options is given, which belong to another.
func onlyWith(c *cli.Context, other string, options ...string) error {
	for _, option := range options {
		if c.IsSet(option) {
			return usagef("--%s without %s", option, other)
		}
	}
	return nil
}

func kindNames() []string {
	names := make([]string, len(windows.Kinds))
	for i, k := range windows.Kinds {
		names[i] = string(k)
	}
	return names
}

// isPoint reports whether sites are single places without a consensus of their own.
func (r *windowRequest) isPoint() bool { return r.kind == "" || r.kind == windows.TSS }

// readShape reads shapeFlags.
func (r *windowRequest) readShape(c *cli.Context) error {
	p := &r.plan
	p.Upstream, p.Downstream, p.Motif = 70, 71, r.kind.Consensus()
	if r.isPoint() {
		p.Upstream, p.Downstream = 200, 51
	}
	if err := readExtent(c, p); err != nil {
		return err
	}
	switch text := c.String("consensus"); text {
	case "":
	case "none":
		p.Motif = ""
	default:
		var err error
		if p.Motif, err = windows.ParseMotif(text); err != nil {
			return usagef("--%w", err)
		}
	}
	return nil
}

// readExtent reads how far a window reaches, if an option says so.
func readExtent(c *cli.Context, p *windows.Plan) error {
	ends, length := c.IsSet("upstream") || c.IsSet("downstream"), c.IsSet("window") || c.IsSet("offset")
	switch {
	case ends && length:
		return usagef("--upstream or --downstream beside --window or --offset, want one pair")
	case c.IsSet("window") != c.IsSet("offset"):
		return usagef("--window and --offset go together")
	case length:
		p.Upstream, p.Downstream = c.Int("offset"), c.Int("window")-c.Int("offset")
		if p.Upstream < 0 || p.Downstream < 1 {
			return usagef("--window %d --offset %d, want an offset from 0 to below the window", c.Int("window"), c.Int("offset"))
		}
	}
	if c.IsSet("upstream") {
		p.Upstream = c.Int("upstream")
	}
	if c.IsSet("downstream") {
		p.Downstream = c.Int("downstream")
	}
	return nil
}

// readDecoys reads decoyFlags.
func (r *windowRequest) readDecoys(c *cli.Context) error {
	p := &r.plan
	var err error
	if p.Train, err = parseDecoys(c, "decoys"); err != nil {
		return err
	}
	if p.Test = p.Train; c.IsSet("test-decoys") {
		if p.Test, err = parseDecoys(c, "test-decoys"); err != nil {
			return err
		}
	}
	p.Anywhere = r.isPoint()
	if c.IsSet("decoys-from") {
		from, err := choose(c, "decoys-from", "transcripts", "genome")
		if err != nil {
			return err
		}
		if from == "transcripts" && r.kind == "" {
			return usagef("--decoys-from transcripts without --annotation")
		}
		p.Anywhere = from == "genome"
	}
	if r.isPoint() {
		p.Distance = 2*max(p.Upstream, p.Downstream) + 1
	}
	if c.IsSet("distance") {
		if p.Distance = c.Int("distance"); p.Distance < 0 {
			return usagef("--distance %d, want 0 or more", p.Distance)
		}
	}
	duplicates, err := choose(c, "duplicates", "drop", "keep")
	p.KeepDuplicates = duplicates == "keep"
	return err
}

// parseDecoys reads a number, a ratio or "all".
func parseDecoys(c *cli.Context, option string) (d windows.Decoys, err error) {
	text := c.String(option)
	ratio, isRatio := strings.CutSuffix(text, "x")
	switch {
	case text == "all":
		d.All = true
	case isRatio:
		d.Ratio, err = strconv.ParseFloat(ratio, 64)
	default:
		d.Number, err = strconv.Atoi(text)
	}
	if err != nil || d.Number < 0 || !(d.Ratio >= 0 && d.Ratio <= math.MaxInt32) {
		return d, usagef("--%s %q, want a number, a ratio such as 10x, or all", option, text)
	}
	return d, nil
}

// readSplit reads --split and checks that its outputs are named.
func (r *windowRequest) readSplit(c *cli.Context) error {
	text := c.String("split")
	if text == "" {
		return onlyWith(c, "--split", "train", "test", "test-decoys")
	}
	var err error
	if r.plan.Split, err = parseSplit(text); err != nil {
		return err
	}
	switch {
	case c.IsSet("output"):
		return usagef("--output with --split, want --train and --test")
	case !c.IsSet("train") || !c.IsSet("test"):
		return usagef("--split without --train and --test, want the files of both parts")
	}
	return nil
}

// parseSplit reads “chrom=NAME,NAME” or “block=SIZE,test=FRACTION”.
func parseSplit(text string) (windows.Split, error) {
	wrong := usagef("--split %q, want chrom=NAME,NAME… or block=SIZE,test=FRACTION", text)
	if names, found := strings.CutPrefix(text, "chrom="); found {
		s := windows.Split{Records: strings.Split(names, ",")}
		for _, name := range s.Records {
			if name == "" {
				return s, wrong
			}
		}
		return s, nil
	}
	size, fraction, found := strings.Cut(text, ",")
	size, isBlock := strings.CutPrefix(size, "block=")
	fraction, isTest := strings.CutPrefix(fraction, "test=")
	if !found || !isBlock || !isTest {
		return windows.Split{}, wrong
	}
	n, err := strconv.Atoi(size)
	if err != nil || n < 1 {
		return windows.Split{}, usagef("--split %q: the size of a block is %q, want a whole number ≥ 1", text, size)
	}
	f, err := strconv.ParseFloat(fraction, 64)
	if err != nil || !(f > 0 && f < 1) {
		return windows.Split{}, usagef("--split %q: the fraction is %q, want one between 0 and 1", text, fraction)
	}
	return windows.Split{Block: n, Fraction: f}, nil
}

// readSites reads the file of sites and checks that it fits the genome.
func (r *windowRequest) readSites(c *cli.Context, reference *genome.Genome) error {
	switch {
	case c.String("bed") != "":
		intervals, err := genome.ReadBEDFile(r.source)
		if err != nil {
			return err
		}
		return r.useIntervals(intervals, reference)
	case c.String("list") != "":
		places, err := genome.ReadPointsFile(r.source)
		if err != nil {
			return err
		}
		return r.useIntervals(places, reference)
	}
	var err error
	if r.annotation, err = genome.ReadAnnotationFile(r.source, r.exons...); err != nil {
		return err
	}
	transcripts, unknown, err := windows.FitTranscripts(r.source, r.annotation.Transcripts, reference, r.skip)
	if err != nil {
		return err
	}
	r.unknown = unknown
	r.plan.Regions = windows.Transcribed(transcripts)
	r.plan.Sites, r.skipped, err = windows.Sites(transcripts, r.kind, r.plan.Motif, r.minIntron)
	return err
}

// useIntervals makes sites of intervals.
func (r *windowRequest) useIntervals(intervals []genome.Interval, reference *genome.Genome) error {
	fit, unknown, err := windows.FitIntervals(r.source, intervals, reference, r.skip)
	if err != nil {
		return err
	}
	r.unknown = unknown
	r.plan.Sites, err = windows.IntervalSites(r.source, fit, r.anchor)
	return err
}
