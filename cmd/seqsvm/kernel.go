package main

import (
	"context"
	"fmt"
	"io"
	"runtime"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"

	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/matrix"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// matrixOptions are the options of kernel.
type matrixOptions struct {
	kernelOptions
	input.Reading
	format string
	output cli.Output
}

func kernelCommand() *cli.Command {
	o := new(matrixOptions)
	return &cli.Command{
		Name:     "kernel",
		Usage:    "write the Gram matrix of one corpus, or of one against another",
		Example:  "seqsvm kernel --kernel spectrum:k=4,rc --format npy testdata/fasta/promoters.fa -o gram.npy",
		Operands: "FILE [FILE]",
		Description: `Rows are the records of the first file; columns those of the second, or of the first again.
libsvm is LIBSVM's precomputed format (svm-train -t 4); with two files its row numbers are those of the
first. A kernel with document frequencies takes them from the last file, which is the training set when
two are given.`,
		Flags: func(f *cli.Flags) {
			o.kernelOptions.flags(f, specHelp)
			o.RecordFlags(f)
			o.AlphabetFlags(f)
			f.Format(&o.format, "format: tsv, json (docs/json.md), npy or libsvm", cli.TSV, cli.JSON, "npy", "libsvm")
			f.Output(&o.output, "output,o", "`FILE` to write")
		},
		Run: o.run,
	}
}

func (o *matrixOptions) run(c *cli.Call) error {
	if len(c.Args) < 1 || len(c.Args) > 2 {
		return cli.Usagef("%d input files given, want one, or two for a matrix of one against the other", len(c.Args))
	}
	spec, r, err := kernelAndReader(c, &o.kernelOptions, &o.Reading)
	if err != nil {
		return err
	}
	return c.WithOutputs(func() error {
		all, err := r.Unlabelled()
		if err != nil {
			return err
		}
		rows, columns := all.Part(0), all.Part(len(c.Args)-1)
		if err := checkMatrix(o.format, rows.Len(), columns.Len()); err != nil {
			return all.Located(err)
		}
		_, gram, err := gramMatrix(c, &spec, all, columns.Corpus)
		if err != nil {
			return all.Placed(err)
		}
		c.Stage("computing the matrix")
		if gram, err = wholeMatrix(c.Context, gram, rows.Len()); err != nil {
			return err
		}
		return o.output.Write(func(w io.Writer) error {
			matrix, err := newMatrix(w, o.format, c.Digits(), rows, columns)
			if err != nil {
				return err
			}
			return writeRows(c, matrix, gram, rows.Len(), columns.Len())
		})
	}, &o.output)
}

// entryCosts are what an entry of a matrix takes in a format: bytes, and seconds for a kernel that is fast, measured on
// 4,000 records of 4 letters.
var entryCosts = map[string]struct{ bytes, seconds float64 }{
	cli.TSV: {19, 95e-9}, "npy": {8, 12e-9}, "libsvm": {24, 118e-9},
}

// mostMatrix is how many bytes a matrix may take.
const mostMatrix = 1e12

// checkMatrix refuses a matrix that nobody can store.
func checkMatrix(format string, rows, columns int) error {
	entries, cost := float64(rows)*float64(columns), entryCosts[format]
	if bytes := entries * cost.bytes; bytes > mostMatrix {
		return fmt.Errorf("a matrix of %d × %d would take about %.3g TB and at least %.3g hours, and at most 1 TB is "+
			"written: take fewer records, or write part of the rows at a time (seqsvm kernel PART ALL)",
			rows, columns, bytes/1e12, entries*cost.seconds/3600)
	}
	return nil
}

// gramMatrix indexes all records with a kernel fitted to some of them.
func gramMatrix(
	c *cli.Call, spec *catalog.Spec, all *input.Records, from *stringkernel.Corpus,
) (stringkernel.Kernel, stringkernel.Gram, error) {
	kernel, err := buildKernel(c, spec, all)
	if err != nil {
		return nil, nil, err
	}
	if kernel, err = stringkernel.Fit(c.Context, kernel, from); err != nil {
		return nil, nil, err
	}
	c.Stage("indexing")
	gram, err := kernel.Gram(c.Context, all.Corpus)
	return kernel, gram, err
}

func newMatrix(w io.Writer, format string, digits int, rows, columns *seqio.Set) (matrix.Writer, error) {
	switch format {
	case "npy":
		return matrix.NewNPY(w, rows.Len(), columns.Len())
	case cli.JSON:
		return matrix.NewJSON(w, ids(rows), columns.Len())
	case "libsvm":
		labels := make([]string, rows.Len())
		for i := range labels {
			labels[i] = rows.Label(i)
		}
		numbers, _ := matrix.ClassNumbers(labels)
		return matrix.NewLIBSVM(w, numbers, columns.Len())
	default:
		return matrix.NewTSV(w, ids(rows), ids(columns), digits)
	}
}

func ids(s *seqio.Set) []string {
	names := make([]string, s.Len())
	for i := range names {
		names[i] = s.Corpus.Name(i)
	}
	return names
}

// wholeMatrix returns the matrix in memory if computing all entries at once takes less time than that many rows,
// otherwise g.
func wholeMatrix(ctx context.Context, g stringkernel.Gram, rows int) (stringkernel.Gram, error) {
	n, dense := g.Len(), stringkernel.DenseOf(g)
	if dense == nil || memory.Check(8*float64(n)*float64(n)) != nil {
		return g, nil
	}
	all, product, err := dense.DenseCost(ctx, float64(rows))
	if err != nil || !(all < float64(product*float64(rows))) {
		return g, err
	}
	whole := &svm.Precomputed{N: n, K: make([]float64, n*n)}
	return whole, dense.DenseTo(ctx, whole.K)
}

// writeRows computes a few rows at a time in parallel and writes them in order. The columns are the last ones of the
// Gram matrix.
func writeRows(c *cli.Call, w matrix.Writer, g stringkernel.Gram, rows, columns int) error {
	batch := make([][]float64, min(rows, 4*runtime.GOMAXPROCS(0)))
	for i := range batch {
		batch[i] = make([]float64, g.Len())
	}
	for first := 0; first < rows; first += len(batch) {
		c.Show(float64(first)/float64(rows), "%d of %d rows", first, rows)
		n := min(len(batch), rows-first)
		err := parallel.Do(c.Context, n, func(i int) error {
			return cancel.Run(c.Context, func() { g.Row(batch[i], first+i) })
		})
		if err != nil {
			return err
		}
		for i, row := range batch[:n] {
			if err := w.WriteRow(first+i, row[g.Len()-columns:]); err != nil {
				return err
			}
		}
	}
	return w.Close()
}
