package main

import (
	"fmt"
	"io"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/model/kmers"
	"github.com/seqsvm/seqsvm/seqio/genome"
	"github.com/seqsvm/seqsvm/stringkernel"
)

func variantsCommand() *cli.Command {
	return &cli.Command{
		Name:      "variants",
		Usage:     "score the difference that variants of a genome make (deltaSVM)",
		ArgsUsage: "-m MODEL --genome REF.fa FILE.vcf",
		Description: "Writes id, chrom, pos, ref, alt and delta per alternative allele: the sum of the raw scores of all words that overlap the alternative, less that of\n" +
			"those that overlap the reference (see kmers). Positions are VCF's, 1-based. Alleles that are no sequence (<DEL>, breakends, *) are skipped and counted.\n" +
			"The genome is FASTA; REF.fa.fai is used if it is there. If an error is met after the first thousands of lines, standard output has those before it;\n" +
			"--output has all or nothing.",
		Flags: join([]cli.Flag{
			modelFlag(),
			&cli.StringFlag{Name: "genome", Usage: "FASTA `FILE` of the reference, with an index beside it or without (required)"},
			outputFlag("`FILE` to write, standard output by default"),
		}, sharedFlags()),
		Action: variants,
	}
}

func variants(c *cli.Context) error {
	switch {
	case c.String("genome") == "":
		return usagef("no --genome, want the FASTA file of the reference")
	case c.NArg() != 1:
		return usagef("%d VCF files, want one (- is standard input)", c.NArg())
	}
	out, err := openOutputs(c, "output")
	if err != nil {
		return err
	}
	defer out.abort() // after commit it does nothing
	scorer, softMask, err := loadWords(c)
	if err != nil {
		return err
	}
	if scorer.Alphabet() != stringkernel.DNA {
		return fmt.Errorf("%s: the model is of %s, want dna", inputName(c.String("model")), scorer.Alphabet())
	}
	reference, err := genome.Open(c.String("genome"), softMask)
	if err != nil {
		return err
	}
	defer reference.Close() // it was only read
	in, stop, err := openVariants(c, c.Args().First())
	if err != nil {
		return err
	}
	defer stop()
	run := variantRun{context: c, in: in, genome: reference, scorer: scorer}
	if err := out.write("output", run.writeAll); err != nil {
		return err
	}
	if err := out.commit(); err != nil {
		return err
	}
	if run.skipped > 0 {
		say(c, "seqsvm: alleles that are no sequence (symbolic ones, breakends, *) and were skipped: %d", run.skipped)
	}
	return nil
}

// openVariants opens a VCF file, or standard input for "-".
func openVariants(c *cli.Context, path string) (in *genome.VCFReader, stop func(), err error) {
	if path != "-" {
		in, err = genome.OpenVCF(path)
		return in, func() { in.Close() }, err
	}
	raw, release := standardInput(c)
	if in, err = genome.NewVCFReader(raw, standardName); err != nil {
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
	context *cli.Context
	in      *genome.VCFReader
	genome  *genome.Genome
	scorer  *kmers.Scorer
	skipped int // alleles
}

// variantBatch is the number of lines that are scored together.
const variantBatch = 1 << 12

func (r *variantRun) writeAll(w io.Writer) error {
	sites := make([]kmers.Site, 0, variantBatch)
	for header := false; ; header = true {
		var err error
		if sites, err = r.read(sites[:0]); err != nil {
			return err
		}
		if !header { // now that the first batch is in order
			if err := row(w, "id", "chrom", "pos", "ref", "alt", "delta"); err != nil {
				return err
			}
		}
		if len(sites) == 0 {
			return nil
		}
		if err := r.write(w, sites); err != nil {
			return err
		}
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
			if a.Symbolic {
				r.skipped++
			}
		}
		sites = append(sites, site)
	}
	return sites, r.context.Context.Err()
}

// write scores a batch on all processors and writes it in order.
func (r *variantRun) write(w io.Writer, sites []kmers.Site) error {
	const block = 64 // lines per task
	effects := make([][]kmers.Effect, len(sites))
	err := parallel.Do(r.context.Context, (len(sites)+block-1)/block, func(b int) error {
		for i := b * block; i < min((b+1)*block, len(sites)); i++ {
			effects[i] = r.scorer.Effects(sites[i])
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i, site := range sites {
		v := site.Variant
		for _, e := range effects[i] {
			if err := row(w, v.ID, v.Chrom, strconv.Itoa(v.Pos), v.Ref, e.Alt, number(e.Delta)); err != nil {
				return err
			}
		}
	}
	return nil
}
