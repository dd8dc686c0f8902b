package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify/discrepancy"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/matrix"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// matrixOptions are the options of matrix gram.
type matrixOptions struct {
	pairOptions
	format string
	output cli.Output
	shard  cli.Shard
}

func (o *matrixOptions) Flags(f *cli.Flags) {
	o.pairOptions.flags(f)
	f.Format(&o.format, "format: tsv, json (docs/json.md), npy or libsvm", cli.TSV, cli.JSON, "npy", "libsvm")
	f.Output(&o.output, "output,o", "`FILE` to write")
	o.shard.Flags(f)
}

func (o *matrixOptions) Run(c *cli.Call) error {
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
	m := &matrixPart{gram: gram, rows: rows, columns: columns, from: from, to: to, bare: c.Bare()}
	if o.shard.Given() {
		return o.writeShard(c, m)
	}
	if (o.format == "npy" || o.format == "libsvm") && o.output.Given() && o.output.Path() != "-" {
		if err := o.writeIDs(c, m); err != nil {
			return err
		}
	}
	if o.output.Parquet() {
		return o.output.WriteTable(o.format, func(t *cli.Table) {
			t.Header("id", ids(m.columns))
			t.Err = m.write(c, tableWriter{t, ids(m.rows)})
		})
	}
	return o.output.Write(func(w io.Writer) error {
		out, err := m.open(w, o.format, c.Digits())
		if err != nil {
			return err
		}
		return m.write(c, out)
	})
}

// tableWriter writes a matrix as a table: a row of an id and numbers for each.
type tableWriter struct {
	*cli.Table
	ids []string
}

// WriteRow implements [matrix.Writer].
func (w tableWriter) WriteRow(i int, row []float64) error {
	w.Row(w.ids[i], row)
	return w.Err
}

// writeIDs writes the ids of the rows beside a matrix without them, and those of the columns if they are others.
func (o *matrixOptions) writeIDs(c *cli.Call, m *matrixPart) error {
	sets := map[string]*seqio.Set{".ids": m.rows}
	if len(c.Args) > 1 {
		sets[".columns.ids"] = m.columns
	}
	for suffix, set := range sets {
		list := o.output.Beside(suffix)
		if err := c.Create(list); err != nil {
			return err
		}
		if err := list.Write(func(w io.Writer) error {
			_, err := io.WriteString(w, strings.Join(ids(set), "\n")+"\n")
			return err
		}); err != nil {
			return err
		}
	}
	return nil
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
	bare          bool // no header
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
		return matrix.NewTSV(w, !m.bare, ids(m.rows)[m.from:m.to], ids(m.columns), digits)
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

// searchOptions are the options of matrix search.
type searchOptions struct {
	pairOptions
	reportOptions
	top int
}

func (o *searchOptions) Flags(f *cli.Flags) {
	o.pairOptions.flags(f)
	f.Section(cli.OfOutput)
	f.Int(&o.top, "top", 10, "number of records for each query").AtLeast(1)
	o.reportOptions.flags(f)
}

func (o *searchOptions) Run(c *cli.Call) error {
	spec, r, err := o.open(c, "queries and a corpus, or a corpus alone")
	if err != nil {
		return err
	}
	if kernel, err := spec.Compile(stringkernel.DNA); err == nil && compose.IsApproximated(kernel) {
		return cli.Usagef("kernel %s: rank and fourier make training faster and search slower, want the kernel itself",
			spec)
	}
	all, err := r.Files(c.Args)
	if err != nil {
		return err
	}
	s, err := newSearch(c, &spec, all)
	if err != nil {
		return all.Located(err)
	}
	return o.output.WriteTable(o.format, func(t *cli.Table) { t.Err = s.write(c, t, o.top) })
}

// corpusSearch is queries and the corpus to find their neighbours in.
type corpusSearch struct {
	queries, corpus *seqio.Set
	nearest         *compose.Nearest
	labels          bool
	lost            int // queries that found nothing
}

func newSearch(c *cli.Call, spec *catalog.Spec, all *input.Records) (*corpusSearch, error) {
	s := &corpusSearch{queries: all.Part(0), corpus: all.Part(len(c.Args) - 1)}
	if err := all.CheckMemory("features", 48); err != nil {
		return nil, err
	}
	kernel, err := buildKernel(c, spec, all)
	if err != nil {
		return nil, err
	}
	corpus, err := fitTo(spec, all, s.corpus.Corpus)
	if err != nil {
		return nil, err
	}
	c.Stage("indexing")
	if s.nearest, err = compose.NewNearest(c.Context, kernel, corpus); err != nil {
		return nil, err
	}
	if all.KnownLabels() != nil {
		for i := range s.corpus.Len() {
			s.labels = s.labels || s.corpus.Label(i) != ""
		}
	}
	return s, nil
}

// write finds and writes the neighbours of a few queries at a time.
func (s *corpusSearch) write(c *cli.Call, t *cli.Table, top int) error {
	const together = 1024 // queries
	header := []any{"id", "rank", "other", "similarity"}
	if s.labels {
		header = append(header, "label")
	}
	t.Header(header...)
	c.Stage("comparing")
	n := s.queries.Len()
	for first := 0; first < n; first += together {
		c.Show(float64(first)/float64(n), "%d of %d queries", first, n)
		part := s.queries.Corpus.Slice(first, min(first+together, n))
		itself := -1
		if len(c.Args) == 1 {
			itself = first
		}
		found, err := s.nearest.OfEach(c.Context, part, top, itself)
		if err != nil {
			return err
		}
		for i, neighbours := range found {
			s.rows(t, part, i, neighbours)
		}
	}
	if s.lost > 0 {
		c.Warn("%s no feature in common with any other record, and no rows", queriesHave(s.lost))
	}
	return t.Err
}

func (s *corpusSearch) rows(t *cli.Table, queries *stringkernel.Corpus, i int, found []compose.Neighbour) {
	if len(found) == 0 {
		s.lost++
	}
	for rank, x := range found {
		cells := []any{queries.Name(i), rank + 1, s.corpus.Corpus.Name(x.Record), x.Similarity}
		if s.labels {
			cells = append(cells, s.corpus.Label(x.Record))
		}
		t.Row(cells...)
	}
}

func queriesHave(n int) string {
	if n == 1 {
		return "1 query has"
	}
	return fmt.Sprintf("%d queries have", n)
}

// compareSetsOptions are the options of matrix mmd.
type compareSetsOptions struct {
	pairOptions
	permutations int
	format       string
	output       cli.Output
}

func (o *compareSetsOptions) Flags(f *cli.Flags) {
	o.pairOptions.flags(f)
	f.Int(&o.permutations, "permutations", 999, "`N` times that the records are divided at random").Between(1, 1e6)
	f.Format(&o.format, "format: tsv, or json (docs/json.md)", cli.TSV, cli.JSON)
	f.Output(&o.output, "output,o", "`FILE` to write")
}

// discrepancyOf is the result of matrix mmd.
type discrepancyOf struct {
	N            []int   `json:"n"` // records of the two sets
	MMD2         float64 `json:"mmd2"`
	Null95       float64 `json:"null_95"`
	P            float64 `json:"p"`
	Permutations int     `json:"permutations"`
}

func (o *compareSetsOptions) Run(c *cli.Call) error {
	if len(c.Args) != 2 {
		return cli.Usagef("%d input files given, want two sets of records", len(c.Args))
	}
	spec, r, err := o.open(c, "two")
	if err != nil {
		return err
	}
	all, err := r.Unlabelled()
	if err != nil {
		return err
	}
	_, gram, err := gramMatrix(c, &spec, all, all.Corpus)
	if err != nil {
		return all.Placed(err)
	}
	c.Stage("permuting")
	test := discrepancy.Test{Permutations: o.permutations, Seed: c.Seed,
		Progress: func(done int) { c.Show(float64(done)/float64(o.permutations), "%d permutations", done) }}
	n := all.Part(0).Len()
	found, err := test.Run(c.Context, gram, n)
	if err != nil {
		return err
	}
	result := discrepancyOf{[]int{n, all.Corpus.Len() - n}, found.MMD2, found.Null, found.P, o.permutations}
	return o.output.WriteAs(o.format, result, func(t *cli.Table) {
		t.Header("n", "other_n", "mmd2", "null_95", "p", "permutations")
		t.Row(result.N[0], result.N[1], result.MMD2, result.Null95, result.P, result.Permutations)
	})
}
