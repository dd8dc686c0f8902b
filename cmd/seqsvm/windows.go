package main

import (
	"errors"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/genome"
	"github.com/seqsvm/seqsvm/seqio/windows"
)

func windowsCommand() *cli.Command {
	return &cli.Command{
		Name:      "windows",
		Usage:     "cut labelled windows around true sites, and decoys, from a genome and an annotation",
		ArgsUsage: "--genome REF.fa --annotation GENES.gff3 --site donor -o FILE  or  … --split SPLIT --train FILE --test FILE",
		Description: "Sites come from the transcripts of a GFF3, GTF or 12-column BED file (--annotation and --site: donor and acceptor are the ends of introns, start is the first\n" +
			"coding base, tss the first of a transcript), from the intervals of a BED file (--bed and --at) or from a list of places (--list: sequence, 1-based position,\n" +
			"strand, name, with tabs between). A window has --upstream letters before the anchor, in the direction of the strand, and --downstream letters from it on; the anchor is\n" +
			"the first letter of the consensus, or the site itself without one. scan --anchor CONSENSUS --offset UPSTREAM looks at the same windows.\n\n" +
			"Decoys are places with the same consensus that are annotated as none. Windows are written in the direction of their strand, true ones with the label 1 and decoys with -1;\n" +
			"the id of a record is its place, such as chrI:101-241(+), 1-based. Windows over an end of a sequence or with letters but A, C, G and T are dropped, and so are those\n" +
			"whose letters another one has. With --split no test window shares a position with a training window: those across a border are dropped. What was found, written and dropped\n" +
			"is told on standard error and, in numbers, in the file of --report.",
		Flags: join([]cli.Flag{
			&cli.StringFlag{Name: "genome", Usage: "FASTA `FILE` of the genome, with an index beside it or without (required)"},
		}, siteFlags(), shapeFlags(), decoyFlags(), []cli.Flag{
			&cli.StringFlag{Name: "split", Usage: "chrom=NAME,NAME… (records for testing) or block=SIZE,test=FRACTION (blocks of the genome, drawn at random)"},
			outputFlag("`FILE` to write without --split, standard output by default"),
			&cli.StringFlag{Name: "train", Usage: "`FILE` for the windows to train on, with --split"},
			&cli.StringFlag{Name: "test", Usage: "`FILE` for the windows to test on, with --split"},
			&cli.StringFlag{Name: "report", Usage: "`FILE` for all counts: class, part, item, count"},
		}, sharedFlags()),
		Action: cutWindows,
	}
}

func cutWindows(c *cli.Context) error {
	if c.NArg() > 0 {
		return usagef("operand %q, want options alone", c.Args().First())
	}
	request, err := newWindowRequest(c)
	if err != nil {
		return err
	}
	options := []string{"output", "report"}
	if request.plan.Split.Two() {
		options = []string{"train", "test", "report"}
	}
	out, err := openOutputs(c, options...)
	if err != nil {
		return err
	}
	defer out.abort() // after commit it does nothing
	reference, err := genome.Open(c.String("genome"), false)
	if err != nil {
		return err
	}
	defer reference.Close() // it was only read
	if err := request.readSites(c, reference); err != nil {
		return err
	}
	result, err := request.plan.Cut(c.Context, reference)
	if err != nil {
		return inWindows(request.source, err)
	}
	if err := request.write(out, result); err != nil {
		return err
	}
	if err := out.commit(); err != nil {
		return err
	}
	request.tell(c, result)
	return nil
}

// inWindows names the source of the sites in an error, unless it names a file by itself.
func inWindows(source string, err error) error {
	var own *seqio.Error
	if errors.As(err, &own) {
		return err
	}
	return inFile(source, err)
}

// write writes the windows and the report.
func (r *windowRequest) write(out *outputs, result *windows.Result) error {
	first := "output"
	if r.plan.Split.Two() {
		first = "train"
	}
	for _, file := range []struct {
		option string
		list   []windows.Window
	}{{first, result.Train}, {"test", result.Test}} {
		if !out.wants(file.option) {
			continue
		}
		set := windows.Set(file.list)
		set.Source = file.option
		if err := out.write(file.option, func(w io.Writer) error { return seqio.WriteFASTA(w, set, 0) }); err != nil {
			return err
		}
	}
	if !out.wants("report") {
		return nil
	}
	return out.write("report", func(w io.Writer) error { return r.report(w, result) })
}
