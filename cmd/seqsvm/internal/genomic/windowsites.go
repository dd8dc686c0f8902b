package genomic

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"

	"github.com/seqsvm/seqsvm/seqio/genome"
	"github.com/seqsvm/seqsvm/seqio/windows"
)

// minIntron is the shortest gap between exons that is an intron; shorter ones are frameshifts.
const minIntron = 10

// windowRequest is what the options ask for, and what was skipped in the files of sites.
type windowRequest struct {
	options *windowsOptions
	plan    windows.Plan
	source  string // file of the sites
	exons   []string

	annotation *genome.Annotation // nil for --bed and --list
	skipped    windows.Skipped
	misfits    genome.Misfits // transcripts, intervals or places
}

// newWindowRequest reads the options.
func newWindowRequest(c *cli.Call, o *windowsOptions) (*windowRequest, error) {
	r := &windowRequest{options: o}
	if o.genome == "" {
		return nil, cli.Usagef("--genome is required: the FASTA file of the genome")
	}
	for _, read := range []func(*cli.Call) error{r.readSource, r.readShape, r.readDecoys, r.readSplit} {
		if err := read(c); err != nil {
			return nil, err
		}
	}
	r.plan.Seed = c.Seed
	if err := r.plan.Check(); err != nil {
		return nil, &cli.UsageError{Err: err}
	}
	return r, nil
}

// readSource reads the options that say where the sites are.
func (r *windowRequest) readSource(c *cli.Call) error {
	given, o := 0, r.options
	for _, path := range []string{o.annotation, o.bed, o.list} {
		if path != "" {
			given++
			r.source = path
		}
	}
	if given != 1 {
		return cli.Usagef("%d of --annotation, --bed and --list given, want one", given)
	}
	if r.source == "-" {
		return cli.Usagef("sites cannot be read from standard input")
	}
	if o.annotation == "" {
		return nil
	}
	if o.exons != "auto" {
		r.exons = strings.Split(o.exons, ",")
	}
	return cli.OneOf(c.Flags, "site", o.site, windows.Kinds)
}

// isPoint reports whether sites are single positions without a consensus.
func (r *windowRequest) isPoint() bool { return r.options.site == "" || r.options.site == windows.TSS }

// readShape reads the options of the section Windows.
func (r *windowRequest) readShape(c *cli.Call) error {
	p := &r.plan
	p.Upstream, p.Downstream, p.Motif = 70, 71, r.options.site.Consensus()
	if r.isPoint() {
		p.Upstream, p.Downstream = 200, 51
	}
	if err := readExtent(c, r.options, p); err != nil {
		return err
	}
	switch text := r.options.consensus; text {
	case "":
	case "none":
		p.Motif = ""
	default:
		var err error
		if p.Motif, err = windows.ParseMotif(text); err != nil {
			return cli.Usagef("--%w", err)
		}
	}
	return nil
}

// readExtent reads the options for the extent of a window.
func readExtent(c *cli.Call, o *windowsOptions, p *windows.Plan) error {
	ends, length := c.Given("upstream") || c.Given("downstream"), c.Given("window") || c.Given("offset")
	switch {
	case ends && length:
		return cli.Usagef("--upstream and --downstream cannot be used with --window and --offset")
	case c.Given("window") != c.Given("offset"):
		return cli.Usagef("--window and --offset must be given together")
	case length:
		p.Upstream, p.Downstream = o.offset, o.window-o.offset
		if p.Upstream < 0 || p.Downstream < 1 {
			return cli.Usagef("--window %d --offset %d, want an offset from 0 to below the window", o.window, o.offset)
		}
	}
	cli.IfGiven(c.Flags, "upstream", &p.Upstream, o.upstream)
	cli.IfGiven(c.Flags, "downstream", &p.Downstream, o.downstream)
	return nil
}

// readDecoys reads the options of the section Decoys.
func (r *windowRequest) readDecoys(c *cli.Call) error {
	p, o := &r.plan, r.options
	var err error
	if p.Train, err = parseDecoys("decoys", o.decoys); err != nil {
		return err
	}
	if p.Test = p.Train; c.Given("test-decoys") {
		if p.Test, err = parseDecoys("test-decoys", o.testDecoys); err != nil {
			return err
		}
	}
	p.Anywhere = r.isPoint()
	if p.Anywhere {
		p.Distance = 2*max(p.Upstream, p.Downstream) + 1
	}
	cli.IfGiven(c.Flags, "distance", &p.Distance, o.distance)
	p.KeepDuplicates = o.duplicates == "keep"
	return nil
}

// parseDecoys reads a number, a ratio or "all".
func parseDecoys(option, text string) (d windows.Decoys, err error) {
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
		return d, cli.Usagef("--%s %q, want a number, a ratio such as 10x, or all", option, text)
	}
	return d, nil
}

// readSplit reads --split and checks that its outputs are named.
func (r *windowRequest) readSplit(c *cli.Call) error {
	text := r.options.split
	if text == "" {
		return nil
	}
	var err error
	if r.plan.Split, err = parseSplit(text); err != nil {
		return err
	}
	switch {
	case c.Given("output"):
		return cli.Usagef("--output cannot be used with --split, which needs --train and --test")
	case !c.Given("train") || !c.Given("test"):
		return cli.Usagef("--split needs --train and --test")
	}
	return nil
}

// parseSplit reads “chrom=NAME,NAME” or “block=SIZE,test=FRACTION”.
func parseSplit(text string) (windows.Split, error) {
	wrong := cli.Usagef("--split %q, want chrom=NAME,NAME… or block=SIZE,test=FRACTION", text)
	if names, found := strings.CutPrefix(text, "chrom="); found {
		s := windows.Split{Records: strings.Split(names, ",")}
		if slices.Contains(s.Records, "") {
			return s, wrong
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
		return windows.Split{}, cli.Usagef("--split %q: the size of a block is %q, want a whole number ≥ 1", text, size)
	}
	f, err := strconv.ParseFloat(fraction, 64)
	if err != nil || !(f > 0 && f < 1) {
		return windows.Split{}, cli.Usagef("--split %q: the fraction is %q, want one between 0 and 1", text, fraction)
	}
	return windows.Split{Block: n, Fraction: f}, nil
}

// readSites reads the file of sites and checks that it fits the genome.
func (r *windowRequest) readSites(reference *genome.Genome) error {
	if r.options.annotation == "" {
		read := genome.ReadBED
		if r.options.list != "" {
			read = genome.ReadPoints
		}
		places, err := read(nil, r.source)
		if err != nil {
			return err
		}
		if places, r.misfits, err = windows.FitIntervals(r.source, places, reference, r.options.unknown); err != nil {
			return err
		}
		r.plan.Sites, err = windows.IntervalSites(r.source, places, r.options.at)
		return err
	}
	var err error
	if r.annotation, err = genome.ReadAnnotation(nil, r.source, r.exons...); err != nil {
		return err
	}
	var transcripts []genome.Transcript
	transcripts, r.misfits, err = windows.FitTranscripts(r.source, r.annotation.Transcripts, reference,
		r.options.unknown)
	if err != nil {
		return err
	}
	r.plan.Regions = windows.Transcribed(transcripts)
	r.plan.Sites, r.skipped, err = windows.Sites(transcripts, r.options.site, r.plan.Motif, minIntron)
	if err != nil {
		err = fmt.Errorf("%s: %w, which --site %s needs; the features are: %s", r.source, err, r.options.site,
			cli.ListNames(r.annotation.Types))
	}
	return err
}
