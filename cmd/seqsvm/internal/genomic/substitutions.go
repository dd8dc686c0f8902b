package genomic

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"net/url"
	"os"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/model/kmers"
	"github.com/seqsvm/seqsvm/seqio/bigwig"
	"github.com/seqsvm/seqsvm/seqio/genome"
	"github.com/seqsvm/seqsvm/seqio/matrix"
	"github.com/seqsvm/seqsvm/seqio/windows"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// substitutionRun is a run of scan --substitutions.
type substitutionRun struct {
	c      *cli.Call
	folder string
	scorer *kmers.Scorer
	genome *genome.Genome
	spans  map[string][]genome.Span // by chromosome
	done   int                      // letters
	all    int
}

// runSubstitutions writes the effect of every substitution of a genome, or of regions.
func (o *scanOptions) runSubstitutions(c *cli.Call) error {
	if len(c.Args) != 1 || c.Args[0] == "-" {
		return cli.Usagef("--substitutions needs one file of a genome, FASTA or 2bit, that is not standard input")
	}
	if c.Given("format") && o.format != BigWig {
		return cli.Usagef("--format %s cannot be used with --substitutions, want bigwig, or none for arrays (npy)", o.format)
	}
	scorer, m, err := loadKmers(c, &o.Model)
	if err != nil {
		return err
	}
	if scorer.Alphabet() != stringkernel.DNA {
		return fmt.Errorf("%s: the model is of %s, want dna", cli.InputName(o.Path), scorer.Alphabet())
	}
	r := &substitutionRun{c: c, folder: o.substitutions, scorer: scorer}
	if r.genome, err = genome.Open(c.Args[0], m.Input.Reading.Case()); err != nil {
		return err
	}
	defer r.genome.Close() // it was only read
	if err := r.settle(o.regions); err != nil {
		return err
	}
	if err := os.MkdirAll(r.folder, 0o777); err != nil {
		return err
	}
	c.Stage("scanning")
	if o.format == BigWig {
		return r.writeBigWigs()
	}
	return r.writeArrays()
}

// settle finds what is to be written: all chromosomes, or regions of a BED file, joined where they overlap.
func (r *substitutionRun) settle(regions string) error {
	r.spans = map[string][]genome.Span{}
	if regions == "" {
		for _, chrom := range r.genome.Names() {
			length, _ := r.genome.Length(chrom)
			r.spans[chrom] = []genome.Span{{End: length}}
		}
	} else {
		intervals, err := genome.ReadBED(nil, regions)
		if err != nil {
			return err
		}
		intervals, misfits, err := windows.FitIntervals(regions, intervals, r.genome, windows.SkipUnknown)
		if err != nil {
			return err
		}
		for _, x := range intervals {
			r.spans[x.Seq] = append(r.spans[x.Seq], x.Span)
		}
		if misfits.LeftOut() > 0 {
			r.c.Warn("%s", misfits.Text("regions", r.c.Args[0]))
		}
	}
	for chrom, spans := range r.spans {
		length, _ := r.genome.Length(chrom)
		r.spans[chrom] = genome.UnionSpans(spans, length)
		for _, s := range r.spans[chrom] {
			r.all += s.Len()
		}
	}
	return nil
}

// each visits the effects in the order of the genome.
func (r *substitutionRun) each(chrom string, visit func(start int, changes []float32) error) error {
	counted := func(start int, changes []float32) error {
		r.done += len(changes) / 4
		r.c.Show(float64(r.done)/float64(max(1, r.all)), "%d letters", r.done)
		return visit(start, changes)
	}
	return r.scorer.EachSubstitution(r.c.Context, r.genome, chrom, r.spans[chrom], counted)
}

// output opens a file of the folder.
func (r *substitutionRun) output(name string) (*cli.Output, error) {
	out := cli.OutputIn("substitutions", r.folder, name)
	return out, r.c.Create(out)
}

// writeArrays writes an array of letters × 4 for each chromosome, and what its rows are.
func (r *substitutionRun) writeArrays() error {
	index, err := r.output("index.tsv")
	if err != nil {
		return err
	}
	return index.WriteTable(cli.TSV, func(t *cli.Table) {
		t.Header("chrom", "start", "end", "file", "row")
		for _, chrom := range r.genome.Names() {
			spans := r.spans[chrom]
			if len(spans) == 0 {
				continue
			}
			name, rows := url.PathEscape(chrom)+".npy", 0
			for _, s := range spans {
				t.Row(chrom, s.Start, s.End, name, rows)
				rows += s.Len()
			}
			if t.Err != nil {
				return
			}
			if t.Err = r.writeArray(name, chrom, rows); t.Err != nil {
				return
			}
		}
	})
}

func (r *substitutionRun) writeArray(name, chrom string, rows int) error {
	out, err := r.output(name)
	if err != nil {
		return err
	}
	return out.Write(func(w io.Writer) error {
		buffered := bufio.NewWriterSize(w, 1<<20)
		if _, err := buffered.WriteString(matrix.NPYHeader("<f4", rows, 4)); err != nil {
			return err
		}
		err := r.each(chrom, func(_ int, changes []float32) error {
			return binary.Write(buffered, binary.LittleEndian, changes)
		})
		if err != nil {
			return err
		}
		return buffered.Flush()
	})
}

// tracks are the names of the bigWig files: the effects of each base, and the greatest, which may be negative.
var tracks = []string{"A", "C", "G", "T", "greatest"}

// writeBigWigs writes all tracks in one pass.
func (r *substitutionRun) writeBigWigs() error {
	var chroms []bigwig.Chromosome // all of the genome
	for _, chrom := range r.genome.Names() {
		length, _ := r.genome.Length(chrom)
		chroms = append(chroms, bigwig.Chromosome{Name: chrom, Length: length})
	}
	return r.writeTracks(chroms, nil)
}

// writeTracks opens the tracks that are not open, and fills all.
func (r *substitutionRun) writeTracks(chroms []bigwig.Chromosome, open []*bigwig.Writer) error {
	if len(open) == len(tracks) {
		for _, chrom := range r.genome.Names() {
			if err := r.each(chrom, func(start int, changes []float32) error {
				return addTracks(open, chrom, start, changes)
			}); err != nil {
				return err
			}
		}
		return nil
	}
	out, err := r.output(tracks[len(open)] + ".bw")
	if err != nil {
		return err
	}
	return out.Write(func(w io.Writer) error {
		track, err := NewBigWig(w, chroms)
		if err != nil {
			return err
		}
		if err := r.writeTracks(chroms, append(open, track)); err != nil {
			return err
		}
		return track.Close()
	})
}

// addTracks adds the effects at some letters.
func addTracks(open []*bigwig.Writer, chrom string, start int, changes []float32) error {
	for i := 0; i < len(changes); i += 4 {
		at, greatest := start+i/4, math.NaN()
		for b, change := range changes[i : i+4] {
			value := float64(change)
			if math.IsNaN(value) {
				continue
			}
			if math.IsNaN(greatest) || math.Abs(value) > math.Abs(greatest) {
				greatest = value
			}
			if err := open[b].Add(chrom, at, at+1, value); err != nil {
				return err
			}
		}
		if !math.IsNaN(greatest) {
			if err := open[len(tracks)-1].Add(chrom, at, at+1, greatest); err != nil {
				return err
			}
		}
	}
	return nil
}
