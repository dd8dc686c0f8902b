package main

import (
	"fmt"
	"io"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"

	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/matrix"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// matrixOptions are the options of kernel.
type matrixOptions struct {
	pairOptions
	format string
	output cli.Output
	shard  cli.Shard
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
two are given. With --shard I/N the I-th of N blocks of rows, which merge joins (docs/shards.md).`,
		Flags: func(f *cli.Flags) {
			o.pairOptions.flags(f)
			f.Format(&o.format, "format: tsv, json (docs/json.md), npy or libsvm", cli.TSV, cli.JSON, "npy", "libsvm")
			f.Output(&o.output, "output,o", "`FILE` to write")
			o.shard.Flags(f)
		},
		Run: o.run,
	}
}

func (o *matrixOptions) run(c *cli.Call) error {
	spec, r, err := o.open(c, "one, or two for a matrix of one against the other")
	if err != nil {
		return err
	}
	if err := o.shard.Check(c, &o.output); err != nil {
		return err
	}
	all, err := r.Unlabelled()
	if err != nil {
		return err
	}
	rows, columns := all.Part(0), all.Part(len(c.Args)-1)
	from, to := 0, rows.Len()
	if o.shard.Given() {
		from, to = o.shard.Stretch(rows.Len())
	}
	if err := checkMatrix(o.format, to-from, columns.Len()); err != nil {
		return all.Located(err)
	}
	_, gram, err := gramMatrix(c, &spec, all, columns.Corpus)
	if err != nil {
		return all.Placed(err)
	}
	c.Stage("computing the matrix")
	m := &matrixPart{gram: gram, rows: rows, columns: columns, from: from, to: to}
	if o.shard.Given() {
		return o.writeShard(c, m)
	}
	return o.output.Write(func(w io.Writer) error {
		out, err := m.open(w, o.format, c.Digits())
		if err != nil {
			return err
		}
		return m.write(c, out)
	})
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
			"written: take fewer records, or write part of the rows at a time (--shard I/N)",
			rows, columns, bytes/1e12, entries*cost.seconds/3600)
	}
	return nil
}

// gramMatrix indexes all records with a kernel fitted to some of them, the last ones.
func gramMatrix(
	c *cli.Call, spec *catalog.Spec, all *input.Records, from *stringkernel.Corpus,
) (stringkernel.Kernel, stringkernel.Gram, error) {
	kernel, err := buildKernel(c, spec, all)
	if err != nil {
		return nil, nil, err
	}
	if from, err = fitTo(spec, all, from); err != nil {
		return nil, nil, err
	}
	if kernel, err = stringkernel.Fit(c.Context, kernel, from); err != nil {
		return nil, nil, err
	}
	c.Stage("indexing")
	gram, err := kernel.Gram(c.Context, all.Corpus)
	if err != nil {
		return nil, nil, err
	}
	remarkApproximations(c, stringkernel.TraitsOf(gram).Approximations)
	return kernel, gram, nil
}

// matrixPart is the rows from … to − 1 of a matrix. The columns are the last ones of the Gram matrix.
type matrixPart struct {
	gram          stringkernel.Gram
	rows, columns *seqio.Set // of the whole matrix
	from, to      int
}

// open begins to write.
func (m *matrixPart) open(w io.Writer, format string, digits int) (matrix.Writer, error) {
	columns := m.columns.Len()
	switch format {
	case "npy":
		return matrix.NewNPY(w, m.to-m.from, columns)
	case cli.JSON:
		return matrix.NewJSON(w, ids(m.rows)[m.from:m.to], columns)
	case "libsvm":
		labels := make([]string, m.rows.Len())
		for i := range labels {
			labels[i] = m.rows.Label(i)
		}
		numbers, _ := matrix.ClassNumbers(labels)
		return matrix.NewLIBSVM(w, numbers[m.from:m.to], m.from+1, columns)
	default:
		return matrix.NewTSV(w, ids(m.rows)[m.from:m.to], ids(m.columns), digits)
	}
}

func ids(s *seqio.Set) []string {
	names := make([]string, s.Len())
	for i := range names {
		names[i] = s.Corpus.Name(i)
	}
	return names
}

// write computes the rows and writes them in order.
func (m *matrixPart) write(c *cli.Call, w matrix.Writer) error {
	rows := m.to - m.from
	if err := stringkernel.EachRow(c.Context, m.gram, m.from, m.to, func(i int, row []float64) error {
		c.Show(float64(i-m.from)/float64(rows), "%d of %d rows", i-m.from, rows)
		return w.WriteRow(i-m.from, row[len(row)-m.columns.Len():])
	}); err != nil {
		return err
	}
	return w.Close()
}
