package genomic

import (
	"cmp"
	"fmt"
	"io"
	"strconv"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/model/kmers"
	"github.com/seqsvm/seqsvm/seqio/genome"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// variantsOptions are the options of variants.
type variantsOptions struct {
	input.Model
	genome  string
	format  string
	output  cli.Output
	leftOut cli.Output
}

// Variants is the command variants.
func Variants() cli.Options { return new(variantsOptions) }

func (o *variantsOptions) Flags(f *cli.Flags) {
	o.Model.Flags(f)
	f.String(&o.genome, "genome", "", "FASTA `FILE` of the reference, with or without an index beside it "+
		"(required)").Reads(&o.genome)
	f.Format(&o.format, "format: tsv, or json (docs/json.md)", cli.TSV, cli.JSON)
	f.Output(&o.output, "output,o", "`FILE` to write")
	f.File(&o.leftOut, "left-out", "`FILE` for the alleles without a score: line, id, chrom, pos, ref, alt, "+
		"reason")
}

func (o *variantsOptions) Run(c *cli.Call) error {
	switch {
	case o.genome == "":
		return cli.Usagef("--genome is required: the FASTA file of the reference")
	case len(c.Args) != 1:
		return cli.Usagef("%d VCF files given, want one (- is standard input)", len(c.Args))
	}
	scorer, m, err := loadKmers(c, &o.Model)
	if err != nil {
		return err
	}
	if scorer.Alphabet() != stringkernel.DNA {
		return fmt.Errorf("%s: the model is of %s, want dna", cli.InputName(o.Path), scorer.Alphabet())
	}
	reference, err := genome.Open(o.genome, m.Input.Reading.Case())
	if err != nil {
		return err
	}
	defer reference.Close() // it was only read
	c.Stage("scoring")
	in, stop, err := openVariants(c, c.Args[0])
	if err != nil {
		return err
	}
	defer stop()
	run := variantRun{context: c, in: in, genome: reference, scorer: scorer, size: cli.SizeOf(c.Args)}
	if err := o.write(&run); err != nil {
		return err
	}
	if run.skipped > 0 {
		c.Say("seqsvm: skipped alleles that are not sequences of A, C, G and T (symbolic ones, breakends, *, N and other "+
			"codes, or such a REF): %d", run.skipped)
	}
	if run.misfits.LeftOut() > 0 {
		c.Warn("%s", run.misfits.Text("variants", o.genome))
	}
	return nil
}

// write writes both tables.
func (o *variantsOptions) write(run *variantRun) (err error) {
	main := func() error {
		return o.output.WriteTable(o.format, func(t *cli.Table) { t.Err = run.writeAll(t) })
	}
	if !o.leftOut.Given() {
		return main()
	}
	return o.leftOut.WriteTable(cli.TSV, func(t *cli.Table) {
		t.Header("line", "id", "chrom", "pos", "ref", "alt", "reason")
		run.leftOut = t
		t.Err = cmp.Or(main(), t.Err)
	})
}

// openVariants opens a VCF file, which may be standard input or in memory.
func openVariants(c *cli.Call, path string) (in *genome.VCFReader, stop func(), err error) {
	raw, release := c.Open(path)
	if in, err = genome.NewVCFReader(raw, cli.InputName(path)); err != nil {
		release()
		return nil, nil, err
	}
	return in, func() {
		release() // first: the reader may be waiting for more
		in.Close()
	}, nil
}

// variantRun reads, scores and writes variants a batch at a time.
type variantRun struct {
	context *cli.Call
	in      *genome.VCFReader
	genome  *genome.Genome
	scorer  *kmers.Scorer
	skipped int // alleles
	misfits genome.Misfits
	leftOut *cli.Table // of alleles without a score; nil if it is not wanted
	size    int64      // bytes of the input, 0 if it is not known
	lines   int        // that have been scored
}

// variantBatch is the number of lines that are scored together.
const variantBatch = 1 << 12

func (r *variantRun) writeAll(t *cli.Table) error {
	sites := make([]kmers.Site, 0, variantBatch)
	t.Header("id", "chrom", "pos", "ref", "alt", "delta")
	for {
		var err error
		if sites, err = r.read(sites[:0]); err != nil {
			return err
		}
		if len(sites) == 0 {
			return cmp.Or(r.misfits.Check("variants"), t.Err)
		}
		if err := r.write(t, sites); err != nil {
			return err
		}
		r.lines += len(sites)
		share := 0.0
		if r.size > 0 {
			share = float64(r.in.BytesRead()) / float64(r.size)
		}
		r.context.Show(share, "%d variants", r.lines)
	}
}

// read appends the next batch.
func (r *variantRun) read(sites []kmers.Site) ([]kmers.Site, error) {
	for len(sites) < variantBatch {
		v, err := r.in.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if site, fits, err := r.site(v); err != nil {
			return nil, err
		} else if fits {
			sites = append(sites, site)
		}
	}
	return sites, r.context.Context.Err()
}

// site looks a variant up and reports whether it has an allele to score and fits the genome. It counts and lists the
// alleles without a score.
func (r *variantRun) site(v genome.Variant) (site kmers.Site, fits bool, err error) {
	var wanted []genome.Allele
	for _, a := range v.Alt {
		if kmers.Scores(v.Ref, a) {
			wanted = append(wanted, a)
			continue
		}
		r.skipped++
		r.list(v, a, "REF or ALT is not a sequence of A, C, G and T")
	}
	if len(wanted) == 0 {
		return site, false, nil
	}
	site, misfit := r.scorer.Site(r.genome, v)
	if misfit == nil {
		return site, true, r.misfits.Take(nil)
	}
	for _, a := range wanted {
		r.list(v, a, misfit.Error())
	}
	return site, false, r.misfits.Take(r.in.Errorf(v.Line, "%w", misfit))
}

// list lists an allele without a score.
func (r *variantRun) list(v genome.Variant, a genome.Allele, reason string) {
	if r.leftOut != nil {
		r.leftOut.Row(v.Line, v.ID, v.Chrom, v.Pos, v.Ref, a.Text, reason)
	}
}

// write scores a batch on all processors and writes it in order.
func (r *variantRun) write(t *cli.Table, sites []kmers.Site) error {
	effects := make([][]kmers.Effect, len(sites))
	err := parallel.Do(r.context.Context, len(sites), func(i int) error {
		effects[i] = r.scorer.Effects(sites[i])
		return nil
	})
	if err != nil {
		return err
	}
	for i, site := range sites {
		v := site.Variant
		for _, e := range effects[i] {
			t.Row(v.ID, v.Chrom, v.Pos, v.Ref, e.Alt, e.Delta)
		}
	}
	return t.Err
}

// kmersOptions are the options of model kmers.
type kmersOptions struct {
	input.Model
	input.Reading
	format string
	output cli.Output
}

// Kmers is the command model kmers.
func Kmers() cli.Options { return new(kmersOptions) }

func (o *kmersOptions) Flags(f *cli.Flags) {
	o.Model.Flags(f)
	o.Reading.Flags(f)
	f.Format(&o.format, "format: tsv, or json (docs/json.md)", cli.TSV, cli.JSON)
	f.Output(&o.output, "output,o", "`FILE` to write")
}

func (o *kmersOptions) Run(c *cli.Call) error {
	scorer, m, err := loadKmers(c, &o.Model)
	if err != nil {
		return err
	}
	set, err := kmersOfFiles(c, &o.Reading, scorer, m)
	if err != nil {
		return err
	}
	c.Stage("scoring")
	return o.output.Write(func(w io.Writer) error {
		return scorer.WriteRows(c.Context, w, set, kmers.Rows{
			Append: o.row(c.Digits()), Progress: func(share float64) { c.Show(share, "k-mers") },
		})
	})
}

// row returns how a k-mer is written.
func (o *kmersOptions) row(digits int) func(dst, kmer []byte, score float64) []byte {
	if o.format == cli.JSON {
		return func(dst, kmer []byte, score float64) []byte {
			dst = append(append(append(dst, `{"kmer":"`...), kmer...), `","score":`...)
			return append(strconv.AppendFloat(dst, score, 'g', -1, 64), "}\n"...)
		}
	}
	return func(dst, kmer []byte, score float64) []byte {
		dst = append(append(dst, kmer...), '\t')
		return append(strconv.AppendFloat(dst, score, 'g', digits, 64), '\n')
	}
}

// loadKmers reads a model, and makes it a scorer of k-mers.
func loadKmers(c *cli.Call, o *input.Model) (scorer *kmers.Scorer, m *model.Model, err error) {
	if m, err = o.Read(c); err != nil {
		return nil, nil, err
	}
	scorer, err = kmers.NewScorer(c.Context, m)
	input.NotePositive(c, &m.Decision)
	return scorer, m, cli.InFile(cli.InputName(o.Path), err)
}

// kmersOfFiles collects the k-mers of the operands, one file at a time. It returns nil if there are no operands.
func kmersOfFiles(c *cli.Call, o *input.Reading, scorer *kmers.Scorer, m *model.Model) (*kmers.Set, error) {
	r, err := input.ForModel(c, o, m)
	if err != nil || len(c.Args) == 0 {
		return nil, err
	}
	set := scorer.NewSet()
	for _, path := range c.Args {
		if err := c.Context.Err(); err != nil {
			return nil, err
		}
		data, err := r.File(path)
		if err != nil {
			return nil, err
		}
		for i := range data.Len() {
			set.Add(data.Corpus.Seq(i))
		}
	}
	if set.Len() == 0 {
		return nil, fmt.Errorf("%s: no k-mer of %d letters of %s", c.OperandNames(), scorer.Length(), scorer.Alphabet())
	}
	return set, nil
}
