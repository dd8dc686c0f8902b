package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/genomic"
	"github.com/seqsvm/seqsvm/seqio/shards"
)

func mergeCommand() *cli.Command {
	output := new(cli.Output)
	return &cli.Command{
		Name:  "merge",
		Usage: "join the shards of predict, scan or kernel",
		Example: `seqsvm kernel --shard 1/2 --kernel spectrum:k=4 --format npy testdata/fasta/promoters.fa -o 1.npy
seqsvm kernel --shard 2/2 --kernel spectrum:k=4 --format npy testdata/fasta/promoters.fa -o 2.npy
seqsvm merge 1.npy 2.npy -o whole.npy`,
		Operands: "FILE…",
		Description: `Joins what --shard 1/N to N/N wrote, in any order, to the bytes of the run without --shard; of scan it
compares the windows, where --top, --suppress, --merge or --site of the shards say so. Beside each
file is FILE` + shards.Suffix + `, which says what it holds. A shard that is missing, given twice, of another run
or not as it was written is an error that names it. If a file is found to be wrong while it is copied,
standard output has what is before it; a file of --output is complete or missing.`,
		Flags: func(f *cli.Flags) {
			f.Output(output, "output,o", "`FILE` to write; bed and bedgraph of scan in a .gz have an index for tabix "+
				"beside them").Holds(cli.Anything)
		},
		Run: func(c *cli.Call) error { return merge(c, output) },
	}
}

func merge(c *cli.Call, output *cli.Output) error {
	if len(c.Args) == 0 {
		return cli.Usagef("no shard, want those of a run, all of them")
	}
	set, err := shards.Open(c.Args)
	if errors.Is(err, shards.ErrNoNote) {
		return fmt.Errorf("%w: --shard writes FILE%s, which goes wherever the file goes", err, shards.Suffix)
	}
	if err != nil {
		return err
	}
	format := cmp.Or(genomic.FormatOf(set.Run), set.Run.Get("--format"), cli.TSV)
	if err := output.CheckHolds(format); err != nil {
		return err
	}
	var index *cli.Output
	if genomic.Indexed(format, output.Path()) {
		index = output.Indexed(".tbi")
		if err := c.Create(index); err != nil {
			return err
		}
	}
	c.Stage("joining")
	return output.Write(func(w io.Writer) error {
		join := func(w io.Writer) error { return set.Join(c.Context, w) }
		if genomic.Compares(set.Run) {
			return genomic.Refine(c, w, index, join)
		}
		if index != nil {
			return genomic.WriteIndexed(w, index, join)
		}
		return join(w)
	})
}
