package main

import (
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/internal/throughput"
)

// benchOptions are the options of bench.
type benchOptions struct {
	kernels   []string
	sequences string
	throughput.Options
	reportOptions
}

func benchCommand() *cli.Command {
	o := new(benchOptions)
	return &cli.Command{
		Name:    "bench",
		Usage:   "measure the kernels on this machine",
		Example: "seqsvm bench --kernel spectrum:k=6,rc --sequences 200,400",
		Description: `Measures index, product K·v, training to a relative gap of 1e-3 and scoring, raw and normalised, on
generated DNA with a planted motif. Times are medians in seconds, rates in letters per second, on
--threads processors. Compare rows of one run.`,
		Random: true,
		Flags: func(f *cli.Flags) {
			f.Section("Measurement")
			f.Strings(&o.kernels, "kernel,k", "kernel `SPEC`, NAME:KEY=VALUE,FLAG; repeat for several").
				ReadsAll(func() []string { return input.ListFiles(o.kernels) }).
				Completes(kernelWords).
				Default("an example of each kernel of sequences")
			f.String(&o.sequences, "sequences,n", "2000", "comma-separated `SIZES` of the training set")
			f.Int(&o.Length, "length", 300, "letters per sequence").Between(20, 100_000)
			f.Int(&o.Repeats, "repeats", 3, "runs to take the median of").Between(1, 100)
			o.reportOptions.flags(f)
		},
		Run: o.run,
	}
}

func (o *benchOptions) run(c *cli.Call) error {
	if err := c.NoOperands(); err != nil {
		return err
	}
	sizes, err := o.sizes()
	if err != nil {
		return err
	}
	if len(o.kernels) == 0 {
		for _, e := range catalog.Default() {
			if e.OfSequences() {
				o.kernels = append(o.kernels, e.Example)
			}
		}
	}
	if _, err := parseKernels(&kernelOptions{specs: o.kernels}, ""); err != nil {
		return err
	}
	o.Seed, o.C = c.Seed, 1
	c.Stage("measuring")
	rows := make([]throughput.Row, 0, len(o.kernels)*len(sizes))
	for _, kernel := range o.kernels {
		for _, o.Sequences = range sizes {
			r, err := throughput.Measure(c.Context, kernel, o.Options)
			if err != nil {
				return err
			}
			rows = append(rows, r)
			c.Show(float64(len(rows))/float64(cap(rows)), "%d of %d measurements", len(rows), cap(rows))
		}
	}
	return o.output.WriteTable(o.format, func(t *cli.Table) { writeBench(t, rows) })
}

// sizes parses --sequences.
func (o *benchOptions) sizes() ([]int, error) {
	var sizes []int
	for item := range strings.SplitSeq(o.sequences, ",") {
		n, err := strconv.Atoi(item)
		if err != nil || n < 10 || n > 1_000_000 {
			return nil, cli.Usagef("--sequences %q, want numbers from 10 to 1000000 separated by commas", o.sequences)
		}
		sizes = append(sizes, n)
	}
	return sizes, nil
}

func writeBench(t *cli.Table, rows []throughput.Row) {
	t.Header("kernel", "sequences", "letters", "index_s", "product_s", "train_s", "iterations", "solver",
		"raw_letters_per_s", "normalized_letters_per_s")
	significant := func(x float64) string { return strconv.FormatFloat(x, 'g', 3, 64) } // of what was measured
	for _, r := range rows {
		if t.JSON() {
			t.Object(r)
			continue
		}
		t.Row(r.Kernel, r.Sequences, r.Letters, significant(r.Index), significant(r.Product), significant(r.Train),
			r.Iterations, r.Solver, significant(r.Raw), significant(r.Normalized))
	}
}
