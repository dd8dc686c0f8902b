package genomic

import (
	"cmp"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/scan"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/bigwig"
	"github.com/seqsvm/seqsvm/seqio/genome"
	"github.com/seqsvm/seqsvm/seqio/windows"
)

// sequenceOntology has the terms of the kinds of sites that --site names.
var sequenceOntology = map[windows.Kind]string{
	windows.Donor:    "five_prime_cis_splice_site",
	windows.Acceptor: "three_prime_cis_splice_site",
	windows.Start:    "start_codon",
	windows.TSS:      "TSS",
}

// shown is how windows are filtered and written: all that is needed of a scan but the windows.
type shown struct {
	Format    string       `json:"format"`
	TrackLine string       `json:"track_line,omitempty"`
	Label     string       `json:"label"` // name of what is written: of the class, or the term of --site
	Digits    int          `json:"digits"`
	Window    int          `json:"window"`
	Step      int          `json:"step"`
	Offset    int          `json:"offset"`
	Anchor    int          `json:"anchor"` // letters
	Site      windows.Kind `json:"site,omitempty"`
	Merge     bool         `json:"merge,omitempty"`
	Top       int          `json:"top,omitempty"`
	Suppress  int          `json:"suppress,omitempty"`
	scan.Levels
}

// isTrack reports whether a format is of values along the genome, at most one for each position.
func isTrack(format string) bool { return format == BedGraph || format == BigWig }

// IndexOf creates the index beside the output of scan if that is compressed in blocks; otherwise it is nil.
func IndexOf(c *cli.Call, format string, output *cli.Output) (*cli.Output, error) {
	if format != "bed" && format != BedGraph || !cli.EndsInGzip(output.Path()) {
		return nil, nil
	}
	index := output.Indexed(".tbi")
	return index, c.Create(index)
}

// places writes lines or values of places, which come in order.
type places interface {
	add(site *genome.Site) error
	end() error
}

// open begins to write.
func (r *scanRun) open(w io.Writer) (places, error) {
	if r.Format == BigWig {
		out, err := NewBigWig(w, r.chroms)
		return valuesOut{out}, err
	}
	head := r.TrackLine
	if r.Format == "gff3" {
		head = genome.GFF3Header
	}
	_, err := io.WriteString(w, head)
	return &textOut{run: r, w: w}, err
}

// textOut writes lines.
type textOut struct {
	run  *scanRun
	w    io.Writer
	line []byte
}

func (o *textOut) add(site *genome.Site) error {
	o.line = o.run.appendSite(o.line[:0], site)
	_, err := o.w.Write(o.line)
	return err
}

func (o *textOut) end() error { return nil }

// valuesOut writes a bigWig file.
type valuesOut struct{ *bigwig.Writer }

func (o valuesOut) add(site *genome.Site) error {
	return o.Add(site.Record, site.Start, site.End, site.Value)
}

func (o valuesOut) end() error { return o.Close() }

// regionWriter is the last sink of windows and merged regions.
type regionWriter struct {
	run  *scanRun
	out  places
	site genome.Site
}

// Add writes a region.
func (o *regionWriter) Add(region scan.Region) error {
	if o.run.tracks != nil {
		o.run.tracks.Add(region)
	}
	o.run.setSite(&o.site, &region)
	return o.out.add(&o.site)
}

// End ends the output.
func (o *regionWriter) End() error { return o.out.end() }

// siteWriter is the last sink where windows are reported by their sites. Those of the two strands are not in the order
// of the windows: they wait until no window to come can have an earlier one. Of sites at one place a track has the
// greater value.
type siteWriter struct {
	*regionWriter
	held []scan.Region
}

// Add takes a window.
func (o *siteWriter) Add(window scan.Region) error {
	ready := slices.IndexFunc(o.held, func(s scan.Region) bool {
		return s.Index == window.Index && s.Start >= window.Start
	})
	if ready < 0 {
		ready = len(o.held)
	}
	if err := o.write(ready); err != nil {
		return err
	}
	site := o.run.narrowed(window)
	at, _ := slices.BinarySearchFunc(o.held, site, func(a, b scan.Region) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Strand, b.Strand))
	})
	if isTrack(o.run.Format) {
		site.Strand = genome.NoStrand
		for _, i := range []int{at - 1, at} { // the one at the same place, if there is one
			if i >= 0 && i < len(o.held) && o.held[i].Start == site.Start {
				o.held[i].Score = max(o.held[i].Score, site.Score)
				return nil
			}
		}
	}
	o.held = slices.Insert(o.held, at, site)
	return nil
}

// write writes the first n sites.
func (o *siteWriter) write(n int) error {
	for _, site := range o.held[:n] {
		if err := o.regionWriter.Add(site); err != nil {
			return err
		}
	}
	o.held = slices.Delete(o.held, 0, n)
	return nil
}

// End writes what is left.
func (o *siteWriter) End() error {
	if err := o.write(len(o.held)); err != nil {
		return err
	}
	return o.regionWriter.End()
}

// narrowed returns the site of a window: the letters of the anchor, or the letter at --offset without one; in a track
// the first of them.
func (r *scanRun) narrowed(w scan.Region) scan.Region {
	width := max(1, r.Anchor)
	if isTrack(r.Format) {
		width = 1
	}
	if w.Strand == genome.Minus {
		w.End -= r.Offset
		w.Start = w.End - width
		return w
	}
	w.Start += r.Offset
	w.End = w.Start + width
	return w
}

// setSite sets what is written of a region.
func (r *scanRun) setSite(site *genome.Site, region *scan.Region) {
	*site = genome.Site{
		Record: region.Record, Start: region.Start, End: region.End, Strand: byte(region.Strand), Name: r.Label,
		Value: region.Score, Q: math.NaN(), Digits: r.Digits,
	}
	if r.fdr != nil {
		site.Q = r.fdr.Q(region.Score)
	}
	site.Level = int(math.Round(1000 * r.Levels.Of(region.Score)))
	if isTrack(r.Format) && !r.Merge && r.Site == "" {
		width := min(r.Step, r.Window)
		site.Start += (r.Window - width) / 2
		site.End = site.Start + width
	}
}

// appendSite appends a line.
func (r *scanRun) appendSite(dst []byte, site *genome.Site) []byte {
	switch r.Format {
	case cli.JSON:
		return genome.AppendJSON(dst, site)
	case "gff3":
		kind := "sequence_feature"
		if r.Site != "" {
			kind = sequenceOntology[r.Site]
		}
		return genome.AppendGFF3(dst, site, "seqsvm", kind)
	case BedGraph:
		return genome.AppendBedGraph(dst, site)
	}
	return genome.AppendBED(dst, site)
}

// measure finds the lengths of the chromosomes for bigWig: those of --sizes, else of the records, in a pass of its own.
func (r *scanRun) measure() (err error) {
	if r.options.format != BigWig {
		return nil
	}
	if r.chroms, err = r.options.browser.Sizes(); err != nil || r.chroms != nil {
		return err
	}
	if slices.Contains(r.c.Args, "-") {
		return cli.Usagef("--format bigwig needs --sizes FILE to scan standard input (-)")
	}
	r.progress.begin("measuring")
	for _, path := range r.c.Args {
		err := r.stream(path, func(chunk seqio.Chunk) error {
			if chunk.Start == 0 {
				r.chroms = append(r.chroms, bigwig.Chromosome{Name: chunk.Record})
			}
			r.chroms[len(r.chroms)-1].Length = chunk.Start + len(chunk.Seq)
			return r.c.Context.Err()
		})
		if err != nil {
			return err
		}
	}
	return nil
}

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
