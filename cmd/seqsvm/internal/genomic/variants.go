package genomic

import (
	"fmt"
	"io"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"

	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/model/kmers"
	"github.com/seqsvm/seqsvm/seqio/genome"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// variantsOptions are the options of variants.
type variantsOptions struct {
	input.Model
	genome string
	format string
	output cli.Output
}

// Variants is the command variants.
func Variants() *cli.Command {
	o := new(variantsOptions)
	return &cli.Command{
		Name:     "variants",
		Usage:    "score the effect of genome variants (deltaSVM)",
		Example:  "seqsvm variants -m gapped.seqsvm --genome genome.fa variants.vcf -o effects.tsv",
		Operands: "-m MODEL --genome REF.fa FILE.vcf",
		Description: `Writes id, chrom, pos, ref, alt and delta per alternative allele: the sum of the raw scores of all
k-mers that overlap the alternative, minus that of those that overlap the reference (see kmers).
Positions are VCF's, 1-based. Alleles that are not sequences of A, C, G and T (<DEL>, breakends, *, N)
are skipped and counted. The genome is FASTA; REF.fa.fai is used if it exists. If an error is found after the first
thousands of lines, standard output has those before it; a file of --output is complete or missing.`,
		Flags: func(f *cli.Flags) {
			o.Model.Flags(f)
			f.String(&o.genome, "genome", "", "FASTA `FILE` of the reference, with or without an index beside it "+
				"(required)").Reads(&o.genome)
			f.Format(&o.format, "format: tsv, or json (docs/json.md)", cli.TSV, cli.JSON)
			f.Output(&o.output, "output,o", "`FILE` to write")
		},
		Run: o.run,
	}
}

func (o *variantsOptions) run(c *cli.Call) error {
	switch {
	case o.genome == "":
		return cli.Usagef("--genome is required: the FASTA file of the reference")
	case len(c.Args) != 1:
		return cli.Usagef("%d VCF files given, want one (- is standard input)", len(c.Args))
	}
	skipped := 0
	err := c.WithOutputs(func() error {
		scorer, m, err := loadKmers(c, &o.Model)
		if err != nil {
			return err
		}
		if scorer.Alphabet() != stringkernel.DNA {
			return fmt.Errorf("%s: the model is of %s, want dna", cli.InputName(o.Path), scorer.Alphabet())
		}
		reference, err := genome.Open(o.genome, m.Input.Options().Case)
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
		err = o.output.WriteTable(o.format, func(t *cli.Table) { t.Err = run.writeAll(t) })
		skipped = run.skipped
		return err
	}, &o.output)
	if err == nil && skipped > 0 {
		c.Say("seqsvm: skipped alleles that are not sequences of A, C, G and T (symbolic ones, breakends, *, N): %d",
			skipped)
	}
	return err
}

// openVariants opens a VCF file, which may be standard input or in memory.
func openVariants(c *cli.Call, path string) (in *genome.VCFReader, stop func(), err error) {
	raw, release := c.Open(path)
	if raw == nil {
		in, err = genome.OpenVCF(path)
		return in, func() { in.Close() }, err
	}
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
	skipped int   // alleles
	size    int64 // bytes of the input, 0 if it is not known
	lines   int   // that have been scored
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
			return t.Err
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
		site, err := r.scorer.Site(r.genome, v)
		if err != nil {
			return nil, r.in.Errorf(v.Line, "%w", err)
		}
		for _, a := range v.Alt {
			if !kmers.Scores(a) {
				r.skipped++
			}
		}
		sites = append(sites, site)
	}
	return sites, r.context.Context.Err()
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
