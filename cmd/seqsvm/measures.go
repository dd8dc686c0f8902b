package main

import (
	"context"
	"slices"

	"github.com/seqsvm/seqsvm/bow"
	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/baseline"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/measure"
	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/classify/search"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/report"
	"github.com/seqsvm/seqsvm/report/curves"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/spectrum/markov"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// The greatest products of records and letters for which --baseline looks for nearest neighbours: about two minutes of
// CPU time with the slowest kernels, gapped, and of those of words and k-mers, spectrum.
const mostNeighbours, mostCounted = 5_000_000_000, 70_000_000_000

// baselineOptions ask for simple methods to compare with.
type baselineOptions struct{ baseline bool }

func (o *baselineOptions) flags(f *cli.Flags, otherwise string) {
	f.Section(cli.OfLearning)
	f.Bool(&o.baseline, "baseline", "compare with simple methods on the same folds: nearest neighbour, centroid and "+
		"Parzen windows by the kernel; naive Bayes (multinomial, complement, Poisson) for kernels of words and k-mers, "+
		"otherwise the most frequent class; Markov chains of nucleotides and amino acids, with probabilities for each "+
		"position of windows of one length too; the mean of numbers"+otherwise).Excludes("multilabel")
}

// simpleMethod is a way to learn with its name, and what it does.
type simpleMethod struct {
	name, meaning string
	baseline.Method
}

// compare calls visit with what each method predicts on the folds.
func (e *experiment) compare(c *cli.Call, methods []simpleMethod, fold []int,
	visit func(m simpleMethod, outcome *classify.CVResult) error) error {
	c.Stage("baselines")
	for i, m := range methods {
		c.Show(float64(i)/float64(len(methods)), "%s, %d of %d", m.name, i+1, len(methods))
		outcome, err := baseline.CrossValidate(c.Context, m.Method, e.data, fold)
		if err == nil {
			err = visit(m, outcome)
		}
		if err != nil {
			return e.records.Located(err)
		}
	}
	return nil
}

// baselines returns what suits the task and the kernel.
func (e *experiment) baselines(c *cli.Call) (methods []simpleMethod, err error) {
	shared, err := stringkernel.Share(c.Context, e.data.Corpus, []stringkernel.Kernel{e.trainer.Kernel})
	if err != nil {
		return nil, err
	}
	gram := func(ctx context.Context, train []int) (stringkernel.Gram, error) {
		return shared(ctx, e.trainer.Kernel, train)
	}
	counts := e.counts()
	n, letters := e.data.Len(), e.data.Corpus.Letters()
	if n*letters <= mostNeighbours || counts != nil && n*letters <= mostCounted {
		methods = append(methods, simpleMethod{"neighbour", "the answer of the record that is nearest by the kernel",
			baseline.Neighbour{Gram: gram, Nu: e.trainer.Nu}})
	} else {
		c.Say("seqsvm: --baseline: no nearest neighbours, which take quadratic time, of %d records with %d letters", n,
			letters)
	}
	switch e.data.Labelling() {
	case dataset.Numbers:
		return append(methods, simpleMethod{"mean-target", "the mean of the numbers", baseline.Mean{}}), nil
	case dataset.Grades:
		return methods, nil
	}
	methods = append(methods, simpleMethod{"centroid", "the class whose mean is the nearest by the kernel",
		baseline.Centroid{Gram: gram, Nu: e.trainer.Nu}})
	if e.data.Labelling() == dataset.KnownOrNovel {
		return methods, nil
	}
	methods = append(methods, simpleMethod{"parzen", "the class with the greatest sum of kernel values",
		baseline.Centroid{Gram: gram, Windows: true}})
	methods = append(methods, e.markov()...)
	if counts == nil {
		c.Say("seqsvm: --baseline: using the most frequent class, since naive Bayes needs counts of words or k-mers")
		return append(methods, simpleMethod{"majority", "the most frequent class", baseline.Majority{}}), nil
	}
	const bayes = "naive Bayes on the counts of the kernel's features, "
	return append(methods,
		simpleMethod{"multinomial-nb", bayes + "multinomial", baseline.NaiveBayes{Kernel: counts}},
		simpleMethod{"complement-nb", bayes + "by all other classes", baseline.NaiveBayes{Kernel: counts, Complement: true}},
		simpleMethod{"poisson-nb", bayes + "Poisson", baseline.NaiveBayes{Kernel: counts, Poisson: true}},
	), nil
}

// markov returns Markov chains of each class, of orders that few records can tell: for sequences of classes, and
// besides, with probabilities for each position, for windows of one length.
func (e *experiment) markov() (methods []simpleMethod) {
	const mostWords, mostPlaced = 4096, 256 // of order + 1 letters
	switch e.data.Labelling() {
	case dataset.Numbers, dataset.Grades, dataset.KnownOrNovel, dataset.LabelSets:
		return nil
	}
	a := e.spec.Alphabet()
	if a == "" || a == stringkernel.Bytes {
		return nil
	}
	add := func(name, where string, most int, positional bool) {
		var orders baseline.Likelihood
		for order, words := 0, a.Size(); words <= most; order, words = order+1, words*a.Size() {
			k := markov.Kernel{Order: order, Positional: positional, Pseudo: 4, Alphabet: a}
			orders.Learn = append(orders.Learn, func(ctx context.Context, c *stringkernel.Corpus) (baseline.Density, error) {
				return k.Learn(ctx, c)
			})
		}
		const meaning = "the class whose Markov chain makes the record most probable"
		methods = append(methods, simpleMethod{name, meaning + where, orders})
	}
	add("markov", "", mostWords, false)
	if kind := catalog.KindOf(e.data.Corpus, a); kind == catalog.NucleotideWindows || kind == catalog.ProteinWindows {
		add("markov-positional", ", with probabilities for each position", mostPlaced, true)
	}
	return methods
}

// counts returns the kernel of plain counts of the same features, nil if there is none.
func (e *experiment) counts() stringkernel.Kernel {
	term, single := e.spec.Single()
	if !single || term.Composed() {
		return nil
	}
	if words, ok := term.Kernel.(bow.Kernel); ok {
		return words.Counts()
	}
	if _, kmers := term.Kernel.(spectrum.Kernel); !kmers {
		return nil // features with other weights are no counts
	}
	plain := e.spec
	plain.Normalize = false
	kernel, err := plain.Compile(e.spec.Alphabet())
	if err != nil || stringkernel.EnumeratorOf(kernel) == nil {
		return nil
	}
	return kernel
}

// bootstrapOptions ask for intervals of metrics.
type bootstrapOptions struct{ replicates int }

func (o *bootstrapOptions) flags(f *cli.Flags) {
	f.Section(cli.OfOutput)
	f.Int(&o.replicates, "bootstrap", 0, "95 % intervals of all metrics by `N` samples of the records, as 1000").
		Between(100, 1e6)
}

// interval returns those of the metrics s of predictions or, of a cross-validation, of their means over the folds; nil
// without --bootstrap.
func (o *bootstrapOptions) interval(c *cli.Call, d *dataset.Dataset, fold []int, predictions []decide.Prediction,
	s metrics.Scalars) (*metrics.Interval, error) {
	if o.replicates == 0 {
		return nil, nil
	}
	c.Stage("bootstrapping")
	r, err := measure.Resample(c.Context, d, o.replicates, c.Seed, fold, predictions)
	if err != nil {
		return nil, err
	}
	return r.Intervals(s), nil
}

// classIntervals adds the intervals of the figures of each class to a report on all records, where they have classes.
func (o *bootstrapOptions) classIntervals(c *cli.Call, d *dataset.Dataset, predictions []decide.Prediction,
	r *metrics.Report) error {
	if o.replicates == 0 || r.Classes == nil && r.Labels == nil {
		return nil
	}
	replicates, err := measure.ResampleClasses(c.Context, d, o.replicates, c.Seed, predictions)
	if err == nil {
		r.AddClassIntervals(replicates)
	}
	return err
}

// noteOneClass says that all records, of several classes, are predicted as one, unless classes have weights.
func noteOneClass(c *cli.Call, d *dataset.Dataset, predictions []decide.Prediction, weighted bool) {
	differs := func(p decide.Prediction) bool { return p.Class != predictions[0].Class }
	if one := d.Labelling() == dataset.TwoClasses || d.Labelling() == dataset.ManyClasses; !one || weighted ||
		slices.ContainsFunc(predictions, differs) || len(slices.Compact(slices.Clone(d.Y))) < 2 {
		return
	}
	hint := ""
	if d.Labelling() == dataset.TwoClasses {
		hint = ", or --threshold f1"
	}
	c.Note("all records are predicted as %.80s: try --class-weight balanced%s", d.Classes[predictions[0].Class], hint)
}

// multiqcOptions ask for a file that MultiQC reads.
type multiqcOptions struct{ multiqc cli.Output }

func (o *multiqcOptions) flags(f *cli.Flags) {
	f.File(&o.multiqc, "multiqc", "`FILE` for MultiQC, NAME_mqc.json: the metrics as a row called NAME").Holds(cli.JSON)
}

// check finds a name that MultiQC would not find before any file is read.
func (o *multiqcOptions) check() error {
	if !o.multiqc.Given() {
		return nil
	}
	if _, err := report.SampleOf(o.multiqc.Path()); err != nil {
		return cli.Usagef("--multiqc %w", err)
	}
	return nil
}

// write writes the metrics of n records by a command.
func (o *multiqcOptions) write(command, title, what string, n int, s metrics.Scalars, i *metrics.Interval) error {
	if !o.multiqc.Given() {
		return nil
	}
	name, err := report.SampleOf(o.multiqc.Path())
	if err != nil {
		return err
	}
	section := report.MultiQC{ID: "seqsvm_" + command, Title: title, Description: what,
		Samples: []report.Sample{{Name: name, N: n, Metrics: s, Interval: i}}}
	return o.multiqc.Write(section.Write)
}

// curveOptions are --plot and --curves.
type curveOptions struct{ pictures cli.Pictures }

func (o *curveOptions) flags(f *cli.Flags, usage string) {
	o.pictures.Flags(f, usage)
	o.pictures.CurvesFlag(f)
}

// plotHelp is the help of --plot where predictions are measured.
const plotHelp = "`FILE` for a picture: ROC and precision-recall curves, scores, calibration and confusion matrix, " +
	"or predicted and true numbers"

// drawPredictions draws how good predictions are, with the bands of --bootstrap, and what else has to be drawn.
func (o *curveOptions) drawPredictions(c *cli.Call, d *dataset.Dataset, predictions []decide.Prediction, fold []int,
	replicates int, more func(r *curves.Result) error) error {
	if !o.pictures.Wanted() {
		return nil
	}
	c.Stage("drawing")
	r, err := curves.Subject{
		Data: d, Predictions: predictions, Fold: fold, Replicates: replicates, Seed: c.Seed,
	}.Of(c.Context)
	if err != nil {
		return err
	}
	if more != nil {
		if err := more(r); err != nil {
			return err
		}
	}
	return o.write(r)
}

// learntFractions are the fractions of a learning curve.
var learntFractions = []float64{0.1, 0.2, 0.4, 0.6, 0.8, 1}

// learn adds the learning curve of an experiment, with the intervals of --bootstrap or else the deviation of the folds.
func (o *bootstrapOptions) learn(c *cli.Call, e *experiment, fold []int, r *curves.Result) error {
	c.Stage("learning curve")
	t := e.trainer
	t.Progress = nil
	points, err := classify.LearningCurve(c.Context, t, e.data, fold, learntFractions, c.Seed)
	if err != nil {
		return e.records.Placed(err)
	}
	metric, bars := e.data.DefaultMetric(), "one standard deviation of the folds"
	var learnt []curves.Learnt
	for _, p := range points {
		m, err := search.MeasureFolds(e.data, p.Result)
		if err != nil {
			return err
		}
		mean, sd := m.Mean.Value(metric), m.SD.Value(metric)
		at := curves.Learnt{Records: p.Records, Mean: mean, Lower: mean - sd, Upper: mean + sd}
		interval, err := o.interval(c, e.data, fold, p.Result.Predictions, m.Mean)
		if err != nil {
			return err
		}
		if interval != nil {
			bars = "95 % intervals"
			at.Lower, at.Upper = interval.Lower.Value(metric), interval.Upper.Value(metric)
		}
		learnt = append(learnt, at)
	}
	r.AddLearning(metric, bars, learnt)
	return nil
}

// write writes the picture and its points.
func (o *curveOptions) write(r *curves.Result) error {
	if err := o.pictures.Draw(r.Figure); err != nil {
		return err
	}
	return o.pictures.Curves.WriteTable(cli.TSV, func(t *cli.Table) {
		t.Header(curves.Columns)
		for _, p := range r.Points {
			t.Row(p.Curve, p.Series, orNA(p.Fold), p.X, p.Y, p.Lower, p.Upper, p.Threshold, orNA(p.N))
		}
	})
}

// orNA is a cell of a number that means nothing where it is 0.
func orNA(n int) any {
	if n == 0 {
		return nil
	}
	return n
}
