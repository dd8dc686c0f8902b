package tag

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat"

	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/seqio/tokens"
	"github.com/seqsvm/seqsvm/tagging"
)

// candidate is a row of the table of tune.
type candidate struct {
	cli.Candidate

	trainer tagging.Trainer
	text    string
	values  []float64 // of the metric, per fold
	mean    float64
}

// tuned is what tune prints.
type tuned struct {
	Metric     string       `json:"metric"`
	Folds      int          `json:"folds"`
	Candidates []*candidate `json:"candidates"`
}

// costs are the values of C without --C.
var costs = []string{"1", "2", "5"}

// Tune runs tune: all candidates are measured on one fold of whole documents, the best third of them on all.
// Without --features, these are a portfolio too. Documents are left out, by lot, where the work would be more than the
// budget, in nanoseconds.
func (o *Options) Tune(c *cli.Call, l Learning, folds int, budget float64, format string, out *cli.Output) error {
	l.C = 1 // of a list, each is checked below
	t, corpus, err := o.readTagged(c, l)
	if err != nil {
		return err
	}
	list, err := o.candidates(c, t, corpus)
	if err != nil {
		return err
	}
	kept := max(1, (len(list)+2)/3)
	trainings := float64(len(list)+kept*(folds-1))*float64(folds-1)/float64(folds) + 1
	share := min(1, budget/(trainings*tagging.Work(corpus, t.Scheme)))
	fold, err := divide(c, corpus, folds, share)
	if err != nil {
		return err
	}
	c.Note("%d candidates, on %.0f %% of the documents", len(list), 100*share)
	r := &tuned{Metric: "accuracy", Folds: folds, Candidates: list}
	if t.Scheme != tagging.States {
		r.Metric = "f1"
	}
	for f := range folds {
		for i, k := range list {
			if err := k.measure(c, corpus, fold, f, r.Metric); err != nil {
				return err
			}
			c.Show(float64(f)/float64(folds), "fold %d of %d, candidate %d of %d", f+1, folds, i+1, len(list))
		}
		slices.SortStableFunc(list, func(a, b *candidate) int { return cmp.Compare(b.mean, a.mean) })
		if f == 0 { // all are listed, the others after those that go on
			list = list[:kept]
		}
	}
	best := r.rank()
	c.Report(format, r, r.write)
	c.Say("seqsvm: picked: %s", best.Options)
	if !out.Given() {
		return nil
	}
	m, err := learn(c, best.trainer, corpus)
	if err != nil {
		return err
	}
	m.Options = best.Options
	return out.Write(func(w io.Writer) error { return m.Write(w) })
}

// candidates lists the features with every cost. Passes have none.
func (o *Options) candidates(c *cli.Call, t tagging.Trainer, corpus *tokens.Corpus) (list []*candidate, err error) {
	texts, values := []string{o.features}, costs
	if o.features == "" {
		texts = tagging.Portfolio(corpus)
	}
	if c.Given("C") {
		values = c.Values("C")
	}
	if o.learner == tagging.Perceptron {
		values = values[:1]
	}
	for _, text := range texts {
		for _, value := range values {
			k := &candidate{trainer: t, text: text}
			k.Kernel, k.Settings = []string{text}, map[string]string{"C": value}
			if k.trainer.C, err = strconv.ParseFloat(value, 64); err != nil || !(k.trainer.C > 0 && k.trainer.C <= 1e12) {
				return nil, cli.Usagef("--C %s, want a number above 0, to 1e12", value)
			}
			if k.trainer.Features, err = tagging.ParseFeatures(text); err != nil {
				return nil, cli.Usagef("--features: %w", err)
			}
			k.Options = fmt.Sprintf("--features %s --learner %s -C %s", text, o.learner, value)
			list = append(list, k)
		}
	}
	return list, nil
}

// measure trains on all folds but one and measures that.
func (k *candidate) measure(c *cli.Call, corpus *tokens.Corpus, fold func(q int) int, f int, metric string) error {
	report := tagging.NewReport(k.trainer.Scheme)
	m, err := learn(c, k.trainer, corpus.Select(func(q int) bool { return fold(q) != f && fold(q) != leftOut }))
	if err == nil {
		err = measure(c, m, corpus.Select(func(q int) bool { return fold(q) == f }), report)
	}
	if err != nil {
		return err
	}
	value := report.Accuracy()
	if report.Spans != nil {
		value = report.All().F1()
	}
	if math.IsNaN(value) { // no name is there, and none was found
		value = 0
	}
	k.values, k.Gap = append(k.values, value), max(k.Gap, m.Machine.Gap)
	k.Folds = append(k.Folds, scalar(metric, value))
	k.mean = stat.Mean(k.values, nil)
	return nil
}

func scalar(name string, value float64) metrics.Scalars {
	return metrics.NewScalars([]string{name}, []metrics.Float{metrics.Float(value)})
}

// rank fills in what compares the candidates, and returns the best.
func (r *tuned) rank() *candidate {
	for i, k := range r.Candidates {
		k.Rank, k.Best, k.Picked, k.Simplest = i+1, i == 0, i == 0, false
		sd := math.NaN() // of one fold
		if len(k.values) > 1 {
			sd = stat.StdDev(k.values, nil)
		}
		k.Mean, k.SD = scalar(r.Metric, k.mean), scalar(r.Metric, sd)
	}
	return r.Candidates[0]
}

// write prints a row per candidate.
func (r *tuned) write(t *cli.Table) {
	t.Header("rank", "features", "C", r.Metric, "sd", "folds", "mark")
	for _, k := range r.Candidates {
		mark := ""
		if k.Best {
			mark = "best"
		}
		t.Row(k.Rank, k.text, k.Settings["C"],
			cli.Metrics(metrics.Float(k.Mean.Value(r.Metric)), metrics.Float(k.SD.Value(r.Metric))), len(k.values), mark)
	}
}
