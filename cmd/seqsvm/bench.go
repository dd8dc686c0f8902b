package main

import (
	"io"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seqsvm/seqsvm/benchmarks/throughput"
	"github.com/seqsvm/seqsvm/catalog"
)

func benchCommand() *cli.Command {
	return &cli.Command{
		Name:  "bench",
		Usage: "measure the kernels on this machine",
		Description: "Index, product K·v, training to a relative gap of 1e-3 and scoring, raw and normalised, on generated DNA with a planted motif.\n" +
			"Times are medians in seconds, rates in letters per second, on --threads processors. Compare rows of one run.",
		Flags: join([]cli.Flag{
			&cli.StringSliceFlag{Name: "kernel", Aliases: []string{"k"}, Usage: "`SPEC` is NAME:KEY=VALUE,FLAG, may be given several times; by default an example of each kernel of sequences"},
			&cli.StringFlag{Name: "sequences", Aliases: []string{"n"}, Value: "2000", Usage: "sizes of the training set, separated by commas"},
			&cli.IntFlag{Name: "length", Value: 300, Usage: "letters per sequence"},
			&cli.IntFlag{Name: "repeats", Value: 3, Usage: "runs of which the median counts"},
			&cli.Float64Flag{Name: "C", Value: 1, Usage: "cost of a margin error"},
			formatFlag("tsv or json", "tsv"), outputFlag("`FILE` to write, standard output by default"),
		}, sharedFlags()),
		Action: bench,
	}
}

func bench(c *cli.Context) error {
	if c.NArg() > 0 {
		return usagef("operand %q, want none", c.Args().First())
	}
	format, err := choose(c, "format", "tsv", "json")
	if err != nil {
		return err
	}
	sizes, err := benchSizes(c)
	if err != nil {
		return err
	}
	kernels := c.StringSlice("kernel")
	for _, text := range kernels {
		if _, err := parseKernel(text, ""); err != nil {
			return err
		}
	}
	if len(kernels) == 0 {
		for _, e := range catalog.Default() {
			if !e.OfTrees() {
				kernels = append(kernels, e.Example)
			}
		}
	}
	out, err := openOutputs(c, "output")
	if err != nil {
		return err
	}
	defer out.abort() // after commit it does nothing
	rows := make([]throughput.Row, 0, len(kernels)*len(sizes))
	for _, kernel := range kernels {
		for _, n := range sizes {
			r, err := throughput.Measure(c.Context, kernel, throughput.Options{
				Sequences: n, Length: c.Int("length"), Repeats: c.Int("repeats"), C: c.Float64("C"), Seed: c.Uint64("seed"),
			})
			if err != nil {
				return err
			}
			rows = append(rows, r)
		}
	}
	err = out.write("output", func(w io.Writer) error {
		if format == "json" {
			return writeJSON(w, rows)
		}
		return writeBench(w, rows)
	})
	if err != nil {
		return err
	}
	return out.commit()
}

// benchSizes reads the sizes and checks the other numbers.
func benchSizes(c *cli.Context) ([]int, error) {
	var sizes []int
	for item := range strings.SplitSeq(c.String("sequences"), ",") {
		n, err := strconv.Atoi(item)
		if err != nil || n < 10 || n > 1_000_000 {
			return nil, usagef("--sequences %q, want numbers from 10 to 1000000 separated by commas", c.String("sequences"))
		}
		sizes = append(sizes, n)
	}
	switch {
	case c.Int("length") < 20 || c.Int("length") > 100_000:
		return nil, usagef("--length %d, want 20 to 100000", c.Int("length"))
	case c.Int("repeats") < 1 || c.Int("repeats") > 100:
		return nil, usagef("--repeats %d, want 1 to 100", c.Int("repeats"))
	}
	return sizes, checkC(c.Float64("C"))
}

func writeBench(w io.Writer, rows []throughput.Row) error {
	err := row(w, "kernel", "sequences", "letters", "index_s", "product_s", "train_s", "iterations", "solver", "raw_letters_per_s", "normalized_letters_per_s")
	if err != nil {
		return err
	}
	significant := func(x float64) string { return strconv.FormatFloat(x, 'g', 3, 64) }
	for _, r := range rows {
		err := row(w, r.Kernel, strconv.Itoa(r.Sequences), strconv.Itoa(r.Letters), significant(r.Index), significant(r.Product),
			significant(r.Train), strconv.Itoa(r.Iterations), r.Solver, significant(r.Raw), significant(r.Normalized))
		if err != nil {
			return err
		}
	}
	return nil
}
