package genomic

import (
	"io"
	"strconv"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"

	"github.com/seqsvm/seqsvm/seqio/bigwig"
	"github.com/seqsvm/seqsvm/seqio/genome"
)

// Formats of tracks of values.
const (
	BedGraph = "bedgraph"
	BigWig   = "bigwig"
)

// Browser is the options of files for genome browsers.
type Browser struct {
	sizes string
	track string
}

// Flags binds them.
func (o *Browser) Flags(f *cli.Flags) {
	f.Section(cli.OfOutput)
	f.String(&o.sizes, "sizes", "", "`FILE` of names and lengths of chromosomes, chrom.sizes or .fai, for bigwig").
		Reads(&o.sizes)
	f.String(&o.track, "track", "", "begin bed and bedgraph with a track line of this `NAME`")
}

// Check finds options that the format has no use for.
func (o *Browser) Check(c *cli.Call, format string, output *cli.Output) error {
	switch {
	case format == BigWig && (!output.Given() || output.Path() == "-"):
		return cli.Usagef("--format bigwig needs --output FILE: its index is written last, and stands first")
	case format != BigWig && o.sizes != "":
		return cli.Usagef("--sizes needs --format bigwig")
	case o.track != "" && format != "bed" && format != BedGraph:
		return cli.Usagef("--track needs --format bed or bedgraph")
	}
	return nil
}

// TrackLine returns the line for genome browsers, "" if none is wanted.
func (o *Browser) TrackLine(format string) string {
	switch {
	case o.track == "":
		return ""
	case format == BedGraph:
		return "track type=bedGraph name=" + strconv.Quote(o.track) + "\n"
	}
	return "track name=" + strconv.Quote(o.track) + " useScore=1\n"
}

// Sizes reads the file of --sizes; without that option it returns nil.
func (o *Browser) Sizes() ([]bigwig.Chromosome, error) {
	if o.sizes == "" {
		return nil, nil
	}
	list, err := genome.ReadSizes(nil, o.sizes)
	chroms := make([]bigwig.Chromosome, len(list))
	for i, s := range list {
		chroms[i] = bigwig.Chromosome{Name: s.Name, Length: s.Length}
	}
	return chroms, err
}

// NewBigWig begins a bigWig file.
func NewBigWig(w io.Writer, chroms []bigwig.Chromosome) (*bigwig.Writer, error) {
	file, ok := w.(bigwig.File)
	if !ok {
		return nil, cli.Usagef("--format bigwig is compressed already: want a name that does not end in .gz or .zst")
	}
	return bigwig.NewWriter(file, chroms)
}
