package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify/components"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/report/figure"
	"github.com/seqsvm/seqsvm/seqio/matrix"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// embedOptions are the options of matrix embed.
type embedOptions struct {
	kernelOptions
	input.Model
	input.Labels
	input.Reading
	components     int
	clusters       int
	format         string
	output, report cli.Output
	pictures       cli.Pictures
	saved          summaryOptions // the model alone
}

func (o *embedOptions) Flags(f *cli.Flags) {
	o.kernelOptions.flags(f, specHelp)
	o.Model.Flags(f)
	f.Section(cli.OfLearning)
	f.Int(&o.components, "components", 10, "number of components, fewer than records").AtLeast(1)
	f.Int(&o.clusters, "clusters", 0, "also divide the records into `N` clusters").AtLeast(2)
	o.Labels.Flags(f)
	o.RecordFlags(f)
	f.Format(&o.format, "format: tsv, json (docs/json.md) or npy", cli.TSV, cli.JSON, "npy")
	f.Output(&o.output, "output,o", "`FILE` to write")
	o.pictures.Flags(f, "`FILE` for a picture of the first two components")
	f.File(&o.saved.model, "save", "`FILE` for a model of the components").Holds(cli.ModelFile)
	f.File(&o.report, "report", "`FILE` for a table of component, eigenvalue, share and residual; with labels also how "+
		"much of them is along it, and the cost of as many components in the estimate of the relevant dimension")
}

// embedding is records and where components put them.
type embedding struct {
	records *input.Records
	labels  []string // nil if there are none
	names   *input.Namer
	points  [][]float64 // a row per record
	shares  []float64   // of each component, nil if they are not known
	cluster []int       // of each record, from 0; nil if there are none
}

func (o *embedOptions) Run(c *cli.Call) error {
	if err := o.check(c); err != nil {
		return err
	}
	embed := o.fit
	if o.Path != "" {
		embed = o.apply
	}
	e, err := embed(c)
	if err != nil {
		return err
	}
	if err := o.cluster(c, e); err != nil {
		return e.records.Located(err)
	}
	c.Stage("writing")
	if err := o.draw(e); err != nil {
		return err
	}
	return o.write(c, e)
}

// check returns an error about options before any file is read.
func (o *embedOptions) check(c *cli.Call) error {
	if o.Path != "" {
		err := c.Refuse("--model, which has components", "kernel", "no-normalize", "components", "save", "report")
		if err != nil {
			return err
		}
	}
	switch {
	case o.pictures.Wanted() && o.components < 2:
		return cli.Usagef("--plot with --components %d, want at least 2", o.components)
	case o.format == "npy" && o.clusters > 0:
		return cli.Usagef("--clusters cannot be used with --format npy, which has no column for them")
	}
	return nil
}

// fit reads the records and finds their components.
func (o *embedOptions) fit(c *cli.Call) (*embedding, error) {
	spec, r, err := kernelAndReader(c, &o.kernelOptions, &o.Reading)
	if err != nil {
		return nil, err
	}
	r.Labels, r.Options.OptionalLabels = input.OptionalLabels, true
	records, err := r.Labelled(&o.Labels)
	if err != nil {
		return nil, err
	}
	found, kernel, err := o.find(c, &spec, records)
	if err != nil {
		return nil, records.Located(err)
	}
	m := components.NewModel(kernel, records.Corpus, found)
	if m.Approximations, err = compose.Approximations(c.Context, kernel); err != nil {
		return nil, err
	}
	if err := o.save(c, records, r, m); err != nil {
		return nil, err
	}
	e := newEmbedding(records)
	e.points = found.Points()
	for j := range found.Values {
		e.shares = append(e.shares, found.Share(j))
	}
	relevance, err := relevanceOf(c, found, e.labels)
	if err != nil {
		return nil, err
	}
	return e, o.summarise(c, found, relevance)
}

// relevanceOf says how many components carry information on labels, which are numbers or classes; nil without labels.
func relevanceOf(c *cli.Call, found *components.Components, labels []string) (*components.Relevance, error) {
	if labels == nil || slices.Contains(labels, "") || len(labels) < 3 {
		return nil, nil
	}
	targets, numbers := components.TargetsOf(labels)
	if len(targets) == 0 {
		return nil, nil // all of one class
	}
	r, err := found.Relevance(targets)
	if err != nil {
		return nil, err
	}
	what := "classes"
	if numbers {
		what = "numbers"
	}
	c.Say("seqsvm: %d components carry what the kernel tells of the %s, and noise is %.0f %% of their variance",
		r.Dimension, what, 100*r.Noise)
	if r.Dimension == len(r.Costs) {
		c.Warn("the relevant dimension may be more than the %d components looked at: --components takes more", r.Dimension)
	}
	return r, nil
}

// save writes the model file.
func (o *embedOptions) save(c *cli.Call, records *input.Records, r input.Reader, trained *decide.Model) error {
	if !o.saved.model.Given() {
		return nil
	}
	e := &experiment{
		records: records, data: &dataset.Dataset{Corpus: records.Corpus},
		input: model.InputOf(records.Settled(r.Options)),
	}
	return e.save(c, trained, &o.saved, o.portable(o.describe(c), &o.Reading))
}

// apply reads the records and projects them onto the components of a model.
func (o *embedOptions) apply(c *cli.Call) (*embedding, error) {
	a, err := input.NewApplication(c, &o.Model, &o.Reading)
	if err != nil {
		return nil, err
	}
	if scheme := a.Classifier.Scheme; scheme != decide.ComponentsScheme {
		return nil, cli.InFile(cli.InputName(o.Path), fmt.Errorf(
			"the model has no components but machines of the scheme %s: see predict", scheme))
	}
	a.Reader.Labels, a.Reader.Options.OptionalLabels = input.OptionalLabels, true
	records, err := a.Reader.Labelled(&o.Labels)
	if err != nil {
		return nil, err
	}
	if err := a.Check(records); err != nil {
		return nil, err
	}
	c.Stage("scoring")
	e := newEmbedding(records)
	err = inParts(records.Corpus, a.Classifier.Scorer.Outputs(), func(part *stringkernel.Corpus) error {
		predictions, err := a.Classifier.Predict(c.Context, part)
		for _, p := range predictions {
			e.points = append(e.points, p.Scores)
			if err := a.Scored(p.Unknown); err != nil {
				return err
			}
		}
		return err
	}, a.Done)
	a.Warn()
	return e, records.Placed(err)
}

func newEmbedding(records *input.Records) *embedding {
	e := &embedding{records: records, labels: records.KnownLabels(), names: input.NewNamer(len(records.Sets) > 1)}
	e.names.Begin(records)
	return e
}

// find returns the components of the records, and the kernel fitted to them.
func (o *embedOptions) find(c *cli.Call, spec *catalog.Spec, records *input.Records) (*components.Components,
	stringkernel.Kernel, error) {
	if err := checkComponents(c, &o.components, records.Corpus.Len()); err != nil {
		return nil, nil, err
	}
	kernel, gram, err := gramMatrix(c, spec, records, records.Corpus)
	if err != nil {
		return nil, nil, err
	}
	if o.saved.model.Given() && !o.saved.keepSequences {
		if err := stringkernel.CheckMerge(kernel, records.Corpus, o.components); err != nil {
			return nil, nil, err
		}
	}
	found, err := findComponents(c, o.components, gram)
	return found, kernel, err
}

// checkComponents returns an error unless n records have a number of components, which is made to fit if --components
// is not given.
func checkComponents(c *cli.Call, count *int, n int) error {
	switch {
	case n < 2:
		return errors.New("one record alone: want two or more, to find how they differ")
	case !c.Given("components"):
		*count = min(*count, n-1)
	case *count >= n:
		return cli.Usagef("--components %d of %d records, want at most %d", *count, n, n-1)
	}
	return nil
}

// findComponents finds components, and says how much of the variance they hold.
func findComponents(c *cli.Call, count int, gram stringkernel.Gram) (*components.Components, error) {
	c.Stage("finding components")
	found, err := components.PCA{Count: count, Seed: c.Seed}.Fit(c.Context, gram)
	if err != nil {
		return nil, err
	}
	sum := 0.0
	var first []string
	for j := range found.Values {
		sum += found.Share(j)
		if j < 3 {
			first = append(first, percent(j, found.Share(j)))
		}
	}
	if len(found.Values) > len(first) {
		first = append(first, "…")
	}
	c.Say("seqsvm: the components hold %.1f %% of the variance: %s", 100*sum, strings.Join(first, ", "))
	if n := len(found.Values); n < count {
		c.Warn("found %d of %d components: the records vary in no more directions", n, count)
	}
	return found, nil
}

// loose is the relative residual of a component from which on it is worth a warning.
const loose = 1e-6

// summarise says how exact the components are, and writes the report.
func (o *embedOptions) summarise(c *cli.Call, found *components.Components, of *components.Relevance) error {
	residual := slices.Max(found.Residuals) / found.Values[0]
	c.Say("seqsvm: greatest residual %.1g of the first eigenvalue", residual)
	if residual > loose {
		c.Warn("the greatest residual is %.2g of the first eigenvalue: components with close eigenvalues are not "+
			"exact", residual)
	}
	return o.report.WriteTable(cli.TSV, func(t *cli.Table) {
		if of == nil {
			t.Header("component", "eigenvalue", "share", "residual")
			for j, value := range found.Values {
				t.Row(j+1, value, found.Share(j), found.Residuals[j])
			}
			return
		}
		t.Header("component", "eigenvalue", "share", "residual", "label_share", "cost")
		for j, value := range found.Values {
			var cost any
			if j < len(of.Costs) {
				cost = of.Costs[j]
			}
			t.Row(j+1, value, found.Share(j), found.Residuals[j], of.Shares[j], cost)
		}
	})
}

// percent names a component with its share.
func percent(j int, share float64) string { return fmt.Sprintf("pc%d (%.1f %%)", j+1, 100*share) }

// cluster divides the records by their components, and says how well the clusters agree with the labels.
func (o *embedOptions) cluster(c *cli.Call, e *embedding) error {
	if o.clusters == 0 {
		return nil
	}
	c.Stage("clustering")
	found, err := components.KMeans{Clusters: o.clusters, Seed: c.Seed}.Cluster(c.Context, e.points)
	if err != nil {
		return err
	}
	e.cluster = found.Of
	if n := len(found.Means); n < o.clusters {
		c.Warn("found %d of %d clusters: other records have the same components", n, o.clusters)
	}
	if e.labels != nil {
		agreement := metrics.Agree(e.cluster, e.labels)
		c.Say("seqsvm: %d clusters, compared with the labels: adjusted Rand index %.4f, purity %.4f",
			len(found.Means), agreement.AdjustedRand, agreement.Purity)
	}
	return nil
}

// write writes a row per record.
func (o *embedOptions) write(c *cli.Call, e *embedding) error {
	if o.format == "npy" {
		return o.output.Write(func(w io.Writer) error {
			return writeNPY(w, len(e.points), len(e.points[0]), func(i int) []float64 { return e.points[i] })
		})
	}
	return o.output.WriteTable(o.format, func(t *cli.Table) { e.write(t) })
}

// writeNPY writes a matrix as NumPy's .npy.
func writeNPY(w io.Writer, rows, width int, row func(i int) []float64) error {
	m, err := matrix.NewNPY(w, rows, width)
	for i := 0; err == nil && i < rows; i++ {
		err = m.WriteRow(i, row(i))
	}
	if err != nil {
		return err
	}
	return m.Close()
}

func (e *embedding) write(t *cli.Table) {
	header := e.names.Columns()
	if e.labels != nil {
		header = append(header, "label")
	}
	for j := range e.points[0] {
		header = append(header, fmt.Sprintf("pc%d", j+1))
	}
	if e.cluster != nil {
		header = append(header, "cluster")
	}
	t.Header(header...)
	for i, point := range e.points {
		cells := e.names.Cells(e.names.Next())
		if e.labels != nil {
			cells = append(cells, e.labels[i])
		}
		for _, x := range point {
			cells = append(cells, x)
		}
		if e.cluster != nil {
			cells = append(cells, e.cluster[i]+1)
		}
		t.Row(cells...)
	}
}

// draw draws the first two components, coloured by label or, without labels, by cluster.
func (o *embedOptions) draw(e *embedding) error {
	if !o.pictures.Wanted() {
		return nil
	}
	if len(e.points[0]) < 2 {
		return fmt.Errorf("--plot needs two components, and the records vary in one direction alone")
	}
	s := figure.Scatter{Labels: e.labels, XName: e.axis(0), YName: e.axis(1)}
	for _, point := range e.points {
		s.X, s.Y = append(s.X, point[0]), append(s.Y, point[1])
	}
	for i := 0; e.labels == nil && i < len(e.cluster); i++ {
		s.Labels = append(s.Labels, fmt.Sprintf("cluster %2d", e.cluster[i]+1))
	}
	return o.pictures.Draw(s)
}

// axis names a component in the picture.
func (e *embedding) axis(j int) string {
	if e.shares == nil {
		return fmt.Sprintf("pc%d", j+1)
	}
	return percent(j, e.shares[j])
}
