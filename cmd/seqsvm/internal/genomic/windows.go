package genomic

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/genome"
	"github.com/seqsvm/seqsvm/seqio/windows"
)

// windowsOptions are the options of genome windows. A length that is not given is −1.
type windowsOptions struct {
	genome string

	annotation, bed, list string       // where the sites are
	site                  windows.Kind // "" for --bed and --list
	exons                 string
	at                    windows.Anchor
	unknown               windows.Unknown

	upstream, downstream int // what a window is
	window, offset       int
	consensus            string

	decoys, testDecoys string // which decoys are wanted
	distance           int
	duplicates         string

	split, format               string
	output, train, test, report cli.Output
}

// Windows is the command genome windows.
func Windows() cli.Options { return new(windowsOptions) }

func (o *windowsOptions) Flags(f *cli.Flags) {
	f.Section("Sites")
	f.String(&o.genome, "genome", "",
		"FASTA `FILE` of the genome, with or without an index beside it (required)").Reads(&o.genome)
	f.String(&o.annotation, "annotation", "",
		"`FILE` of transcripts: GFF3, GTF, or 12-column BED (if named .bed)").Reads(&o.annotation)
	cli.String(f, &o.site, "site", "", "`SITE` of the transcripts: donor, acceptor, start or tss").Needs("annotation")
	f.String(&o.exons, "exons", "auto", "comma-separated `TYPES` of features that are exons; auto: exon or, where a "+
		"transcript has none, its coding parts and UTRs").Needs("annotation")
	f.String(&o.bed, "bed", "", "BED `FILE` of 3 columns or more: an anchor per interval").Reads(&o.bed)
	cli.Choice(f, &o.at, "at", "start, centre or end: the anchor of an interval of --bed, in the direction of "+
		"its strand",
		windows.AtStart, windows.AtCentre, windows.AtEnd).Needs("bed")
	f.String(&o.list, "list", "", "`FILE` of positions: sequence, position (1-based), strand, name").Reads(&o.list)
	cli.Choice(f, &o.unknown, "unknown", "sites on sequences that the genome lacks: error, or skip",
		windows.RefuseUnknown, windows.SkipUnknown)
	f.Section("Windows")
	f.Int(&o.upstream, "upstream", -1, "letters before the anchor").Default("70; 200 for tss, --bed and --list")
	f.Int(&o.downstream, "downstream", -1, "letters from the anchor on").Default("71; 51 for tss, --bed and --list")
	f.Int(&o.window, "window", 0, "`LETTERS` of a window, with --offset: instead of --upstream and --downstream, as "+
		"in scan").AtLeast(1)
	f.Int(&o.offset, "offset", 0, "`LETTERS` of a window before the anchor, with --window")
	f.String(&o.consensus, "consensus", "", "what sites and decoys begin with, in IUPAC codes, or none").Default(
		"GT of donor, AG of acceptor, ATG of start")
	f.Choice(&o.duplicates, "duplicates", "windows with the same letters: drop, or keep", "drop", "keep")
	f.Section("Decoys")
	f.String(&o.decoys, "decoys", "10x", "number of decoys: a `NUMBER`, Rx for R per true window, or all; from "+
		"transcripts, on their strand; for tss, --bed and --list from anywhere, both strands")
	f.String(&o.testDecoys, "test-decoys", "", "number of decoys in the test part").Default("as --decoys").Needs("split")
	f.Int(&o.distance, "distance", -1, "least distance of a decoy to any site, in bases").AtLeast(0).
		Default("0; for tss, --bed and --list so that windows do not overlap")
	f.Section(cli.OfOutput)
	f.String(&o.split, "split", "", "chrom=NAME,NAME… (test on these records) or block=SIZE,test=FRACTION (test on "+
		"random blocks of the genome)")
	f.FormatOf(&o.format, "format of the report: tsv, or json (docs/json.md)", cli.TSV, cli.JSON)
	f.Output(&o.output, "output,o", "`FILE` to write without --split").Holds(cli.FASTA)
	f.File(&o.train, "train", "`FILE` for the windows to train on").Needs("split").Holds(cli.FASTA)
	f.File(&o.test, "test", "`FILE` for the windows to test on").Needs("split").Holds(cli.FASTA)
	f.File(&o.report, "report", "`FILE` for all counts: class, part, item, count").Holds(cli.ByFormat)
}

func (o *windowsOptions) Run(c *cli.Call) error {
	if err := c.NoOperands(); err != nil {
		return err
	}
	request, err := newWindowRequest(c, o)
	if err != nil {
		return err
	}
	c.Stage("reading the annotation")
	reference, err := genome.Open(o.genome, seqio.CaseUpper)
	if err != nil {
		return err
	}
	defer reference.Close() // it was only read
	if err := request.readSites(reference); err != nil {
		return err
	}
	c.Stage("cutting windows")
	result, err := request.plan.Cut(c.Context, reference)
	if err != nil {
		return cli.InFile(request.source, err)
	}
	c.Stage("writing")
	if err := request.write(result); err != nil {
		return err
	}
	request.tell(c, result)
	return nil
}

// write writes the windows and the report.
func (r *windowRequest) write(result *windows.Result) error {
	train := &r.options.output
	if r.plan.Split.Two() {
		train = &r.options.train
		if err := writeWindows(&r.options.test, result.Test); err != nil {
			return err
		}
	}
	if err := writeWindows(train, result.Train); err != nil {
		return err
	}
	return r.options.report.WriteTable(r.options.format, func(t *cli.Table) { r.report(t, result) })
}

func writeWindows(out *cli.Output, list []windows.Window) error {
	return out.Write(func(w io.Writer) error { return seqio.WriteFASTA(w, windows.Set(list), 0) })
}

// report writes every count as class, part, item, count.
func (r *windowRequest) report(t *cli.Table, result *windows.Result) {
	t.Header("class", "part", "item", "count")
	for _, class := range []struct {
		label  string
		counts *windows.Counts
	}{{windows.TrueLabel, &result.True}, {windows.DecoyLabel, &result.Decoy}} {
		t.Row(class.label, "all", "found", class.counts.Found)
		for _, part := range []struct {
			name  string
			tally *windows.Tally
		}{{"train", &class.counts.Train}, {"test", &class.counts.Test}, {"none", &class.counts.Unassigned}} {
			if n := part.tally.Written; n > 0 {
				t.Row(class.label, part.name, "written", n)
			}
			for reason, n := range part.tally.Dropped {
				if n > 0 {
					t.Row(class.label, part.name, "dropped: "+windows.Reason(reason).String(), n)
				}
			}
		}
	}
	for _, line := range r.remarks() {
		t.Row("", "all", line.text, line.count)
	}
}

// remark is a number of parts of the annotation that gave no site.
type remark struct {
	text  string
	count int
}

// remarks lists what was skipped in the files of sites.
func (r *windowRequest) remarks() []remark {
	all := []remark{
		{"skipped: transcripts or places on sequences that the genome lacks", r.misfits.Counts[genome.UnknownSequence]},
		{"skipped: transcripts or places beyond the end of their sequence", r.misfits.Counts[genome.BeyondEnd]},
		{"skipped: places without letters", r.misfits.Counts[genome.WithoutLetters]},
		{"skipped: gaps between exons that are too short for an intron", r.skipped.ShortIntrons},
		{"skipped: transcripts whose start is not annotated, only coding parts", r.skipped.Incomplete},
	}
	if a := r.annotation; a != nil {
		all = append(all, remark{"skipped: exons and coding parts without a transcript", a.Orphans},
			remark{"skipped: transcripts without a strand", a.Unstranded},
			remark{"skipped: transcripts with exons on both strands", a.BothStrands})
	}
	return slices.DeleteFunc(all, func(x remark) bool { return x.count == 0 })
}

// tell prints on standard error what was written and what was not.
func (r *windowRequest) tell(c *cli.Call, result *windows.Result) {
	for _, x := range r.remarks() {
		c.Say("seqsvm: %s: %d", x.text, x.count)
	}
	text := fmt.Sprintf("%s: windows of %d letters, %d of them before the anchor", cmp.Or(r.options.site, "site"),
		r.plan.Upstream+r.plan.Downstream, r.plan.Upstream)
	if r.plan.Motif != "" {
		text += fmt.Sprintf("; to scan for such: --anchor %s --offset %d", r.plan.Motif, r.plan.Upstream)
	}
	c.Say("seqsvm: %s", text)
	tellClass(c, "true sites", &result.True, r.plan.Split.Two())
	tellClass(c, "decoys", &result.Decoy, r.plan.Split.Two())
	if r.misfits.LeftOut() > r.misfits.Counts[genome.UnknownSequence] { // more than --unknown skip asks for
		c.Warn("%s", r.misfits.Text("transcripts or places", r.options.genome))
	}
	for _, t := range []*windows.Tally{&result.Decoy.Train, &result.Decoy.Test} {
		if t.Written < t.Asked {
			c.Warn("%d decoys requested, %d found", t.Asked, t.Written)
		}
	}
}

// tellClass prints the counts of a class.
func tellClass(c *cli.Call, name string, counts *windows.Counts, split bool) {
	text := strconv.Itoa(counts.Train.Written) + " written"
	if split {
		text = fmt.Sprintf("%d for training, %d for testing", counts.Train.Written, counts.Test.Written)
	}
	if dropped := counts.Explain(); dropped != "" {
		text += "; dropped: " + dropped
	}
	c.Say("seqsvm: %s: %d found, %s", name, counts.Found, text)
}
