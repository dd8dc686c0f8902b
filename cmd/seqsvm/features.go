package main

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/components"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/classify/rfe"
	"github.com/seqsvm/seqsvm/classify/search"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/rows"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/matrix"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// featuresOptions are the options of matrix features.
type featuresOptions struct {
	pairOptions
	format        string
	output, names cli.Output
}

func (o *featuresOptions) Flags(f *cli.Flags) {
	o.pairOptions.flags(f)
	f.Format(&o.format, "format: tsv, json (docs/json.md), libsvm, mtx or npz",
		cli.TSV, cli.JSON, "libsvm", "mtx", cli.NPZ)
	f.Output(&o.output, "output,o", "`FILE` to write")
	f.File(&o.names, "names", "`FILE` for the names of the columns, one on a line")
}

func (o *featuresOptions) Run(c *cli.Call) error {
	list, err := o.list(c, "one, or two for the features of a training set")
	if err != nil {
		return err
	}
	m := newFeatureMatrix(list)
	c.Say("seqsvm: %d records, %d features, %d entries", len(m.Ends), m.Columns, len(m.Values))
	c.Stage("writing")
	if err := o.names.Write(m.writeNames); err != nil {
		return err
	}
	return o.write(m)
}

// listed is the kernels whose features have names.
const listed = "words, spectrum, spaced, table, subsequence with span, gapped:filter=gapped, subtree, or sst or ptk with " +
	"depth or size, alone and without rbf, count=min or count=chi2"

// featureMatrix is the features of records, and the names of its columns.
type featureMatrix struct {
	matrix.Sparse
	records *seqio.Set
	names   []string
}

// newFeatureMatrix returns the features of the records of the first file, as the last file has them.
func newFeatureMatrix(l *featureList) *featureMatrix {
	m := &featureMatrix{records: l.records, names: slices.Sorted(slices.Values(l.names))}
	m.Columns = len(m.names)
	m.take(l.rows, l.names)
	return m
}

// featureList is the records of the first file and those of the last, in the features of the latter.
type featureList struct {
	all            *input.Records
	kernel         stringkernel.Kernel // fitted to the last file
	records        *seqio.Set
	rows, training *rows.Rows // the same of one file
	names          []string
}

// list reads one or two operands and lists their features; want says what the operands are.
func (o *pairOptions) list(c *cli.Call, want string) (*featureList, error) {
	spec, r, err := o.open(c, want)
	if err != nil {
		return nil, err
	}
	all, err := r.Files(c.Args)
	if err != nil {
		return nil, err
	}
	l, err := listFeatures(c, &spec, all)
	return l, all.Located(err)
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
		all: all, kernel: kernel, records: first, training: vocabulary.RowsOf(c.Context, features, training.Corpus, true),
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

// denoiseOptions are the options of matrix denoise.
type denoiseOptions struct {
	pairOptions
	reportOptions
	components, top int
	report          cli.Output
}

func (o *denoiseOptions) Flags(f *cli.Flags) {
	o.pairOptions.flags(f)
	f.Section(cli.OfLearning)
	f.Int(&o.components, "components", 10, "number of components, fewer than records").AtLeast(1)
	f.Section(cli.OfOutput)
	f.Int(&o.top, "top", 10, "number of features for each record").AtLeast(1)
	o.reportOptions.flags(f)
	f.File(&o.report, "report", "`FILE` for a table of id and error, the square of what is lost of a record")
}

func (o *denoiseOptions) Run(c *cli.Call) error {
	list, err := o.list(c, "one, or two for the components of a training set")
	if err != nil {
		return err
	}
	denoiser, err := o.find(c, list.training)
	if err != nil {
		return list.all.Located(err)
	}
	return o.write(c, list, denoiser)
}

// find returns the denoiser of the components of some records.
func (o *denoiseOptions) find(c *cli.Call, training *rows.Rows) (*components.Denoiser, error) {
	if err := checkComponents(c, &o.components, training.Len()); err != nil {
		return nil, err
	}
	found, err := findComponents(c, o.components, rows.NewGram(c.Context, training))
	if err != nil {
		return nil, err
	}
	return components.NewDenoiser(c.Context, found, training)
}

// write rebuilds a few records at a time, writes a row for each of their features, and says what is lost.
func (o *denoiseOptions) write(c *cli.Call, list *featureList, denoiser *components.Denoiser) error {
	const together = 1024 // records
	c.Stage("rebuilding")
	n, name := list.rows.Len(), list.records.Corpus.Name
	squares, lost := make([]float64, n), make([]float64, 0, n)
	whole, missing := 0.0, 0.0 // means
	for i := range squares {
		squares[i] = list.kernel.SelfEval(list.records.Corpus.Seq(i))
		whole += squares[i] / float64(n)
	}
	if err := o.output.WriteTable(o.format, func(t *cli.Table) {
		t.Header("id", "feature", "value", "denoised")
		for lo := 0; lo < n && t.Err == nil; lo += together {
			c.Show(float64(lo)/float64(n), "%d of %d records", lo, n)
			var found []components.Denoised
			found, t.Err = denoiser.Of(c.Context, list.rows, lo, min(lo+together, n), squares, o.top)
			for i, x := range found {
				lost, missing = append(lost, x.Error), missing+x.Error/float64(n)
				for _, f := range x.Features {
					t.Row(name(lo+i), stringkernel.Readable(list.names[f.ID]), f.Given, f.Value)
				}
			}
		}
	}); err != nil {
		return err
	}
	c.Say("seqsvm: the mean square of what is lost is %.4g, that of records %.4g", missing, whole)
	return o.report.WriteTable(cli.TSV, func(t *cli.Table) {
		t.Header("id", "error")
		for i, x := range lost {
			t.Row(name(i), x)
		}
	})
}

// rfeOptions are the options of text rfe.
type rfeOptions struct {
	experimentOptions
	reportOptions
	drop     string
	step     float64
	least    int
	by       rfe.Criterion
	metric   string
	features cli.Output
	keep     int
}

func (o *rfeOptions) Flags(f *cli.Flags) {
	o.experimentOptions.flags(f, specHelp)
	o.folds.flags(f, 10)
	f.Section(input.OfLearning)
	f.String(&o.drop, "drop", "0.5", "features to drop in a round: a `SHARE` of those left if below 1, "+
		"otherwise a number")
	f.Int(&o.least, "least", 1, "number of features to stop at").AtLeast(1)
	cli.Choice(f, &o.by, "by", "what ranks features: weights, of the machines of each round, or a `CRITERION` of "+
		"each feature alone: fisher, golub, mean, chi2, information or auroc", rfe.Criteria()...)
	f.String(&o.metric, "metric", "", "`METRIC` of the curve: "+metricHelp).Default("accuracy; f1_micro " +
		"with --multilabel")
	f.File(&o.features, "features", "`FILE` to write features to, one per line")
	f.Int(&o.keep, "keep", 0, "number of features to write").AtLeast(1).Default("the best number")
	o.reportOptions.flags(f)
}

// check finds errors in the options before any file is read.
func (o *rfeOptions) check(c *cli.Call) error {
	if err := o.learning.checkMetric(c, o.metric); err != nil {
		return err
	}
	if o.metric == "" {
		o.metric = "accuracy"
		if task := o.learning.taskNamed(); task != dataset.Classes {
			o.metric = (&dataset.Dataset{Task: task}).DefaultMetric()
		}
		if o.learning.multilabel != "" {
			o.metric = "f1_micro"
		}
	}
	var err error
	o.step, err = strconv.ParseFloat(o.drop, 64)
	whole := o.step == math.Trunc(o.step) && o.step < 1<<31
	switch {
	case err != nil || !(o.step > 0) || o.step > 1 && !whole:
		return cli.Usagef("--drop %.40q, want a share below 1 or a whole number of features", o.drop)
	case o.learning.task == gaussianTask:
		return cli.Usagef("--task %s needs the same k(x, x) of all records, which chosen features have not; "+
			"--task regress --lambda X predicts about the same numbers", gaussianTask)
	case o.learning.Penalty == classify.PenaltySum:
		return cli.Usagef("--penalty %s, want %s for elimination: %s chooses features itself", classify.PenaltySum,
			classify.PenaltySquares, classify.PenaltySum)
	case o.by != rfe.ByWeights && o.learning.taskNamed() != dataset.Classes:
		return cli.Usagef("--by %s compares the records of classes, want --by %s with this --task", o.by, rfe.ByWeights)
	case o.keep > 0 && !o.features.Given():
		return cli.Usagef("--keep needs --features, the file to write them to")
	}
	return o.folds.check()
}

func (o *rfeOptions) Run(c *cli.Call) error {
	if err := o.check(c); err != nil {
		return err
	}
	if len(o.kernel.specs) == 0 {
		return cli.Usagef("--kernel is required, one that has a list of features: %s", listed)
	}
	e, err := newExperiment(c, &o.experimentOptions)
	if err != nil {
		return err
	}
	if len(e.spec.Terms) > 1 || stringkernel.EnumeratorOf(e.trainer.Kernel) == nil {
		return cli.Usagef("the kernel %s has no list of features: want %s", e.spec, listed)
	}
	if err := e.checkLevel(c, o.metric); err != nil {
		return err
	}
	return o.eliminate(c, e)
}

// eliminate makes the curve and chooses the features.
func (o *rfeOptions) eliminate(c *cli.Call, e *experiment) error {
	fold, err := e.folds(c)
	if err != nil {
		return err
	}
	c.Stage("eliminating features")
	run := rfe.Elimination{Trainer: e.trainer, Step: o.step, Least: o.least, By: o.by, Progress: func(done, of int) {
		c.Show(float64(done)/float64(of), "round %d of %d of all folds", done, of)
	}}
	curve, err := e.eliminationCurve(c, run, fold, o.metric)
	if err != nil {
		return e.records.Located(err)
	}
	if o.features.Given() {
		c.Stage("choosing features")
		names, err := run.Select(c.Context, e.data, cmp.Or(o.keep, curve.Best))
		if err != nil {
			return e.records.Located(err)
		}
		if err := o.features.WriteTable(cli.TSV, func(t *cli.Table) {
			for _, name := range names {
				t.Row(stringkernel.Readable(name))
			}
		}); err != nil {
			return err
		}
	}
	return o.output.WriteAs(o.format, curve, curve.write)
}

// rfeCurve is what rfe prints.
type rfeCurve struct {
	Best  int       `json:"best"` // number of features
	Sizes []rfeSize `json:"sizes"`

	table search.Table // of the sizes
}

// rfeSize is a point of the curve.
type rfeSize struct {
	Features int             `json:"features"`
	Mean     metrics.Scalars `json:"mean"`
	SD       metrics.Scalars `json:"sd"`
}

func (e *experiment) eliminationCurve(c *cli.Call, run rfe.Elimination, fold []int, metric string) (*rfeCurve, error) {
	count, err := run.Count(c.Context, e.data)
	if err != nil {
		return nil, err
	}
	sizes := run.Sizes(count)
	outcomes, err := run.CrossValidate(c.Context, e.data, fold, sizes)
	if err != nil {
		return nil, err
	}
	curve := &rfeCurve{table: search.Table{Metric: metric}}
	for s, outcome := range outcomes {
		m, err := search.MeasureFolds(e.data, outcome)
		if err != nil {
			return nil, err
		}
		curve.Sizes = append(curve.Sizes, rfeSize{sizes[s], m.Mean, m.SD})
		curve.table.Results = append(curve.table.Results, search.Result{Measured: m})
	}
	return curve, curve.choose()
}

// choose finds the best size, the smallest of equal ones.
func (t *rfeCurve) choose() error {
	for s := range t.Sizes {
		if t.table.Compare(s, t.table.Best) <= 0 {
			t.table.Best = s
		}
	}
	if mean, _ := t.table.Value(t.table.Best); math.IsNaN(mean) {
		return fmt.Errorf("the metric %s is undefined in every fold for every number of features, want another or "+
			"fewer folds", t.table.Metric)
	}
	t.Best = t.Sizes[t.table.Best].Features
	return nil
}

func (t *rfeCurve) write(w *cli.Table) {
	w.Row("features", t.table.Metric, "sd", "best")
	for s, size := range t.Sizes {
		mark := ""
		if s == t.table.Best {
			mark = "*"
		}
		mean, sd := t.table.Value(s)
		w.Row(size.Features, cli.Metrics(mean, sd), mark)
	}
}
