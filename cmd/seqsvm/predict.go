package main

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// predictOptions are the options of predict.
type predictOptions struct {
	input.Model
	input.Reading
	reportOptions
	raw bool
}

func predictCommand() *cli.Command {
	o := new(predictOptions)
	return &cli.Command{
		Name:     "predict",
		Usage:    "classify sequences with a model",
		Example:  "seqsvm predict -m promoters.seqsvm new.fa",
		Operands: "-m MODEL FILE…",
		Description: `Writes id, class and decision per record, and the probability if the model was trained with
--probability; of several files also file and record, its number there. With two classes, decision and
probability are those of the positive class, which is predicted if the decision is above 0; with more
they are those of the predicted class. json has one object per line, with the scores of all classes. A
record without any feature of the model keeps the bias as its decision; a warning counts them. Of files
larger than memory a part is held at a time, so that rows may have been printed when an error is found;
a file of --output is complete or missing.

For a model of several labels per record, all classes are in one column and all their decisions in
another, with the separator of training between them; decisions are separated by | where the separator
may be part of a number, as - and . are.

With --raw: id and the raw score of each machine, Σ coef·k(x_i, x)/√k(x_i, x_i), instead.`,
		Flags: func(f *cli.Flags) {
			o.Model.Flags(f)
			f.Bool(&o.raw, "raw", input.RawHelp)
			o.RecordFlags(f)
			o.AlphabetFlags(f)
			o.StrictFlag(f)
			o.reportOptions.flags(f)
		},
		Run: o.run,
	}
}

func (o *predictOptions) run(c *cli.Call) error {
	return c.WithOutputs(func() error {
		a, err := input.NewApplication(c, &o.Model, &o.Reading)
		if err == nil {
			err = cli.InFile(cli.InputName(o.Path), a.CheckPredicts())
		}
		if err != nil {
			return err
		}
		c.Stage("scoring")
		return o.output.WriteTable(o.format, func(t *cli.Table) {
			score := decisions(c.Context, a.Classifier, a.Separator, t, a.Names, a.Scored)
			if o.raw {
				score = rawScores(c.Context, a.Classifier, t, a.Names, a.Scored)
			}
			t.Err = a.EachBatch(predictBatch, func(data *input.Records) error {
				return data.Placed(inParts(data.Corpus, a.Classifier.Scorer.Outputs(), score, a.Done))
			})
		})
	}, &o.output)
}

// partScores bounds the scores of a part of inParts, 8 bytes each.
var partScores = 1 << 23 // a variable for tests

// Parts of inParts begin with leastRecords and double up to mostRecords while they take less than partTime: so progress
// is seen, and a model of large tables is walked through for many records at a time.
const (
	leastRecords, mostRecords = 1 << 12, 1 << 16
	partTime                  = 100 * time.Millisecond
)

// inParts calls visit for consecutive parts of a corpus whose scores for all outputs take little memory, and done with
// the numbers of records that have been visited and of all. An error of visit about a record of the part becomes one
// about that of the corpus.
func inParts(corpus *stringkernel.Corpus, outputs int, visit func(*stringkernel.Corpus) error,
	done func(some, of int)) error {
	most := max(1, min(partScores/outputs, mostRecords))
	step := min(leastRecords, most)
	for lo, hi := 0, 0; lo < corpus.Len(); lo = hi {
		hi = min(lo+step, corpus.Len())
		start := time.Now()
		err := visit(corpus.Slice(lo, hi))
		var about *stringkernel.RecordError
		if errors.As(err, &about) {
			return &stringkernel.RecordError{Record: lo + about.Record, Name: about.Name, Err: about.Err}
		}
		if err != nil {
			return err
		}
		done(hi, corpus.Len())
		if time.Since(start) < partTime {
			step = min(2*step, most)
		}
	}
	return nil
}

// decisions returns a function that classifies the sequences of a batch and writes the result, after a call of scored
// for each that says whether it has no feature of the model.
func decisions(ctx context.Context, classifier *classify.Classifier, separator string, t *cli.Table,
	names *input.Namer, scored func(unknown bool) error) func(*stringkernel.Corpus) error {
	write := predictionWriter(t, &classifier.Rule, separator, names)
	return func(corpus *stringkernel.Corpus) error {
		predictions, err := classifier.Predict(ctx, corpus)
		if err != nil {
			return err
		}
		for _, p := range predictions {
			if err := scored(p.Unknown); err != nil {
				return err
			}
		}
		return write(predictions)
	}
}

// predictionWriter returns a function that writes the predictions for the next records: a row or an object for each.
func predictionWriter(t *cli.Table, d *classify.Rule, separator string,
	names *input.Namer) func([]classify.Prediction) error {
	columns, cells, object := []string{"class", "decision"}, classCells, describe
	switch {
	case d.Labelling() == classify.LabelSets:
		columns, object = []string{"classes", "decisions"}, labelled
		cells = func(d *classify.Rule, p classify.Prediction) []any { return labelCells(t, d, separator, p) }
	case d.Process != nil:
		columns, cells, object = []string{d.Classes[0], "sd"}, numberCells, valued
	case hasValues(d):
		columns, cells, object = d.Classes[:1], numberCells, valued
	case d.Machines[0].Sigmoid != nil:
		columns = append(columns, "probability")
	}
	t.Header(append(names.Columns(), columns)...)
	return func(list []classify.Prediction) error {
		named := names.NextN(len(list))
		t.Rows(len(list), func(part *cli.Table, i int) {
			if t.JSON() {
				part.Object(object(d, named[i], list[i]))
			} else {
				part.Row(names.Cells(named[i], cells(d, list[i])...)...)
			}
		})
		return t.Err
	}
}
func numberCells(d *classify.Rule, p classify.Prediction) []any {
	if d.Process != nil {
		return []any{p.Scores[0], p.Deviation}
	}
	return []any{p.Scores[0]}
}

func labelCells(t *cli.Table, d *classify.Rule, separator string, p classify.Prediction) []any {
	decisions := make([]string, len(p.Labels))
	for k, label := range p.Labels {
		decisions[k] = string(t.AppendNumber(nil, p.Scores[label]))
	}
	return []any{
		strings.Join(labelNames(d.Classes, p.Labels), cmp.Or(separator, "|")),
		strings.Join(decisions, decisionSeparator(separator)),
	}
}

func classCells(d *classify.Rule, p classify.Prediction) []any {
	cells := []any{d.Classes[p.Class], decisionOf(d, p)}
	if p.Probabilities != nil {
		cells = append(cells, p.Probabilities[reported(d, p)])
	}
	return cells
}

// predictionJSON is one line of predict --format json.
type predictionJSON struct {
	input.RecordName
	Class         string             `json:"class"`
	Decision      float64            `json:"decision"`
	Probability   *float64           `json:"probability,omitempty"`
	Scores        map[string]float64 `json:"scores,omitempty"`
	Probabilities map[string]float64 `json:"probabilities,omitempty"`
}

// valueJSON is one line of predict --format json of a number.
type valueJSON struct {
	input.RecordName
	Value *float64 `json:"value,omitempty"` // of a regression
	SD    *float64 `json:"sd,omitempty"`    // of a Gaussian process: the standard deviation of the number
	Score *float64 `json:"score,omitempty"` // of a ranking
}

func valued(d *classify.Rule, name input.RecordName, p classify.Prediction) any {
	if d.Labelling() == classify.Grades {
		return valueJSON{RecordName: name, Score: &p.Scores[0]}
	}
	out := valueJSON{RecordName: name, Value: &p.Scores[0]}
	if d.Process != nil {
		out.SD = &p.Deviation
	}
	return out
}

func describe(d *classify.Rule, name input.RecordName, p classify.Prediction) any {
	out := predictionJSON{RecordName: name, Class: d.Classes[p.Class], Decision: decisionOf(d, p)}
	if len(p.Scores) > 1 {
		out.Scores = named(d.Classes, p.Scores)
	}
	if p.Probabilities != nil {
		out.Probability = &p.Probabilities[reported(d, p)]
		out.Probabilities = named(d.Classes, p.Probabilities)
	}
	return out
}

// named returns values by name.
func named(names []string, values []float64) map[string]float64 {
	m := make(map[string]float64, len(values))
	for i, value := range values {
		m[names[i]] = value
	}
	return m
}

// reported is the class whose decision and probability are printed: the positive one of two, else the one predicted.
func reported(d *classify.Rule, p classify.Prediction) int {
	if len(d.Classes) == 2 {
		return d.Positive
	}
	return p.Class
}

func decisionOf(d *classify.Rule, p classify.Prediction) float64 {
	if len(p.Scores) == 1 {
		return p.Scores[0]
	}
	return p.Scores[p.Class]
}

// predictBatch is the size of a batch of records, as seqio.BatchSize counts it.
var predictBatch = 16 << 20 // a variable for tests

// labelsJSON is one line of predict --format json of several labels per record.
type labelsJSON struct {
	input.RecordName
	Classes   []string           `json:"classes"`
	Decisions []float64          `json:"decisions"` // of these classes
	Scores    map[string]float64 `json:"scores"`    // of all classes
}

func labelled(d *classify.Rule, name input.RecordName, p classify.Prediction) any {
	out := labelsJSON{RecordName: name, Classes: labelNames(d.Classes, p.Labels), Scores: named(d.Classes, p.Scores)}
	out.Decisions = make([]float64, len(p.Labels))
	for k, label := range p.Labels {
		out.Decisions[k] = p.Scores[label]
	}
	return out
}

// decisionSeparator separates decision values: it is the separator of labels, but | where that may be part of a
// number or is empty.
func decisionSeparator(separator string) string {
	if strings.Trim(separator, "+-.0123456789eEInfNa") == "" {
		return "|"
	}
	return separator
}

// labelNames names classes.
func labelNames(classes []string, list []int) []string {
	names := make([]string, len(list))
	for i, c := range list {
		names[i] = classes[c]
	}
	return names
}

// labelOf returns the label of a record, or all of them.
func labelOf(d *classify.Dataset, separator string, i int) string {
	switch {
	case d.Targets != nil:
		return strconv.FormatFloat(d.Targets[i], 'g', -1, 64)
	case d.LabelSets == nil:
		return d.Classes[d.Y[i]]
	}
	return strings.Join(labelNames(d.Classes, d.LabelSets[i]), separator)
}

// rawScores returns a function that writes f_m(x) = Σ_i coef_mi k(x_i, x)/√k(x_i, x_i) of every machine for the
// sequences of a batch: the decision without the norm of x and the bias. A machine is named by its positive class or,
// one-vs-one, by both classes.
func rawScores(ctx context.Context, classifier *classify.Classifier, t *cli.Table, names *input.Namer,
	scored func(unknown bool) error) func(*stringkernel.Corpus) error {
	machines := make([]string, len(classifier.Machines))
	for m := range machines {
		machines[m] = classifier.MachineName(m)
	}
	t.Header(append(names.Columns(), cli.Columns{Name: "raw", Of: machines})...)
	scorer := compose.Raw(classifier.Scorer)
	return func(corpus *stringkernel.Corpus) error {
		scores, unknown := make([][]float64, corpus.Len()), make([]bool, corpus.Len())
		err := parallel.Do(ctx, len(scores), func(i int) error {
			scores[i] = make([]float64, scorer.Outputs())
			scorer.ScoreTo(scores[i], corpus.Seq(i))
			unknown[i] = classifier.Unknown(corpus.Seq(i), scores[i])
			return classify.CheckScores(corpus, i, scores[i])
		})
		if err != nil {
			return err
		}
		for _, u := range unknown {
			if err := scored(u); err != nil {
				return err
			}
		}
		named := names.NextN(len(scores))
		t.Rows(len(scores), func(part *cli.Table, i int) { part.Row(names.Cells(named[i], scores[i])...) })
		return t.Err
	}
}
