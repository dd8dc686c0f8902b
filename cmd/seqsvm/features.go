package main

import (
	"bufio"
	"fmt"
	"io"
	"slices"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/rows"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/matrix"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// featuresOptions are the options of features.
type featuresOptions struct {
	pairOptions
	format        string
	output, names cli.Output
}

func featuresCommand() *cli.Command {
	o := new(featuresOptions)
	return &cli.Command{
		Name:     "features",
		Usage:    "write the explicit features of a kernel: a sparse matrix",
		Example:  "seqsvm features --kernel spectrum:k=4,rc --format mtx testdata/fasta/promoters.fa",
		Operands: "FILE [TRAINING]",
		Description: `A row for each record of the first file and a column for each feature, such as a k-mer or a word, of the
last file: the inner products of rows are the values of the kernel. With two files, features and document
frequencies are those of the second, which is the training set, so that the matrices of both have the same
columns; what else the first file has is left out. Columns are in order of the names.

tsv and json have a row for each entry: id, feature and value. libsvm is the format of LIBSVM and LIBLINEAR,
mtx that of Matrix Market, both numbered from 1; npz is what scipy.sparse.load_npz reads.`,
		Flags: func(f *cli.Flags) {
			o.pairOptions.flags(f)
			f.Format(&o.format, "format: tsv, json (docs/json.md), libsvm, mtx or npz",
				cli.TSV, cli.JSON, "libsvm", "mtx", cli.NPZ)
			f.Output(&o.output, "output,o", "`FILE` to write")
			f.File(&o.names, "names", "`FILE` for the names of the columns, one on a line")
		},
		Run: o.run,
	}
}

func (o *featuresOptions) run(c *cli.Call) error {
	spec, r, err := o.open(c, "one, or two for the features of a training set")
	if err != nil {
		return err
	}
	all, err := r.Files(c.Args)
	if err != nil {
		return err
	}
	m, err := newFeatureMatrix(c, &spec, all)
	if err != nil {
		return all.Located(err)
	}
	c.Say("seqsvm: %d records, %d features, %d entries", len(m.Ends), m.Columns, len(m.Values))
	c.Stage("writing")
	if err := o.names.Write(m.writeNames); err != nil {
		return err
	}
	return o.write(m)
}

// listed is the kernels whose features have names.
const listed = "words, spectrum, spaced, subsequence with span, gapped:filter=gapped, subtree, or sst or ptk with " +
	"depth or size, alone and without rbf, count=min or count=chi2"

// featureMatrix is the features of records, and the names of its columns.
type featureMatrix struct {
	matrix.Sparse
	records *seqio.Set
	names   []string
}

// newFeatureMatrix lists the features of the records of the first file, as the last file has them.
func newFeatureMatrix(c *cli.Call, spec *catalog.Spec, all *input.Records) (*featureMatrix, error) {
	l, err := listFeatures(c, spec, all)
	if err != nil {
		return nil, err
	}
	m := &featureMatrix{records: l.records, names: slices.Sorted(slices.Values(l.names))}
	m.Columns = len(m.names)
	m.take(l.rows, l.names)
	return m, nil
}

// featureList is the records of the first file and those of the last, in the features of the latter.
type featureList struct {
	kernel         stringkernel.Kernel // fitted to the last file
	records        *seqio.Set
	rows, training *rows.Rows // the same of one file
	names          []string
}

func listFeatures(c *cli.Call, spec *catalog.Spec, all *input.Records) (l *featureList, err error) {
	defer cancel.Catch(&err)
	first, training := all.Part(0), all.Part(len(c.Args)-1)
	if err := all.CheckMemory("features", 48); err != nil {
		return nil, err
	}
	kernel, err := buildKernel(c, spec, all)
	if err != nil {
		return nil, err
	}
	if stringkernel.EnumeratorOf(kernel) == nil {
		return nil, fmt.Errorf("the kernel %s has no list of features: want %s", spec, listed)
	}
	if kernel, err = stringkernel.Fit(c.Context, kernel, training.Corpus); err != nil {
		return nil, err
	}
	features := stringkernel.EnumeratorOf(kernel)
	c.Stage("listing features")
	var vocabulary rows.Vocabulary
	l = &featureList{
		kernel: kernel, records: first, training: vocabulary.RowsOf(c.Context, features, training.Corpus, true),
	}
	if l.rows = l.training; len(c.Args) > 1 {
		l.rows = vocabulary.RowsOf(c.Context, features, first.Corpus, false)
	}
	l.names = vocabulary.Names
	return l, nil
}

// take takes the entries of rows, whose features have their names in another order.
func (m *featureMatrix) take(rows *rows.Rows, names []string) {
	places := make([]uint32, len(names))
	for id, name := range names {
		place, _ := slices.BinarySearch(m.names, name)
		places[id] = uint32(place)
	}
	type entry struct {
		column uint32
		value  float64
	}
	var row []entry
	for i := range rows.Len() {
		ids, values := rows.Row(i)
		row = row[:0]
		for e, id := range ids {
			row = append(row, entry{places[id], values[e]})
		}
		slices.SortFunc(row, func(a, b entry) int { return int(a.column) - int(b.column) })
		for _, e := range row {
			m.Indices, m.Values = append(m.Indices, e.column), append(m.Values, e.value)
		}
		m.Ends = append(m.Ends, len(m.Indices))
	}
}

func (m *featureMatrix) writeNames(w io.Writer) error {
	out := bufio.NewWriter(w)
	for _, name := range m.names {
		out.WriteString(name)
		out.WriteByte('\n')
	}
	return out.Flush()
}

func (o *featuresOptions) write(m *featureMatrix) error {
	switch o.format {
	case "libsvm":
		labels := make([]string, len(m.Ends))
		for i := range labels {
			labels[i] = m.records.Label(i)
		}
		numbers, _ := matrix.ClassNumbers(labels)
		return o.output.Write(func(w io.Writer) error { return m.WriteLIBSVM(w, numbers) })
	case "mtx":
		return o.output.Write(m.WriteMarket)
	case cli.NPZ:
		return o.output.Write(m.WriteNPZ)
	}
	return o.output.WriteTable(o.format, func(t *cli.Table) {
		t.Header("id", "feature", "value")
		for i := range m.Ends {
			name := m.records.Corpus.Name(i)
			indices, values := m.Row(i)
			for e, j := range indices {
				t.Row(name, m.names[j], values[e])
			}
		}
	})
}
