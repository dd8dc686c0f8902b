package classify

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/classify/risk"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/svm/bundle"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Task is what is to be learned from the labels of a [Dataset].
type Task string

// The tasks.
const (
	Classes    Task = "classify" // the class of a record, or its labels (also if empty)
	Regression Task = "regress"  // a number; with Trainer.Quantile a quantile of it
	Novelty    Task = "novelty"  // whether a record is unlike those of training
	Ranking    Task = "rank"     // a score that orders records as their numbers do, within groups where there are any
	Ordinal    Task = "ordinal"  // the class of a record, of classes that are in order
)

// Tasks lists the tasks.
func Tasks() []Task { return []Task{Classes, Regression, Novelty, Ranking, Ordinal} }

// Check returns an [svm.OptionError] unless the task is one of [Tasks] or empty.
func (t Task) Check() error {
	return svm.CheckOption(t == "" || slices.Contains(Tasks(), t), "Task", t, "one of %v", Tasks())
}

// Names of the one class of tasks without classes, and of the two of novelty.
const (
	ValueName = "value"
	ScoreName = "score"
	KnownName = "known"
	NovelName = "novel"
)

// LabelNames are names of labels that mean something to a task, nil for others.
type LabelNames struct {
	Known []string // of Novelty: see NewNovelty
	Order []string // of Ordinal: see NewLevels
}

// NewDatasetOf makes the data set of a task from one label per record; see NewDataset, NewTargets, NewGrades, NewLevels
// and NewNovelty. An unknown task is an [svm.OptionError].
func NewDatasetOf(task Task, corpus *stringkernel.Corpus, labels []string, names LabelNames, groups []string) (*Dataset,
	error) {
	if err := task.Check(); err != nil {
		return nil, err
	}
	switch task {
	case Regression:
		return NewTargets(corpus, labels, groups)
	case Ranking:
		return NewGrades(corpus, labels, groups)
	case Novelty:
		return NewNovelty(corpus, labels, names.Known, groups)
	case Ordinal:
		return NewLevels(corpus, labels, names.Order, groups)
	}
	return NewDataset(corpus, labels, groups)
}

// NewGrades is [NewTargets] for Ranking.
func NewGrades(corpus *stringkernel.Corpus, labels, groups []string) (*Dataset, error) {
	d, err := NewTargets(corpus, labels, groups)
	if err == nil {
		d.Task, d.Classes = Ranking, []string{ScoreName}
	}
	return d, err
}

// ErrNoOrder says that ordered classes are no numbers and that their order is not given.
var ErrNoOrder = errors.New("the order of names that are no numbers is not known")

// NewLevels is [NewDataset] for Ordinal: Classes are in their order, from the lowest to the highest. It is order, which
// has each label once; else an [svm.OptionError], or a [stringkernel.RecordError] about a label that it lacks. If order
// is nil, it is that of the labels as numbers; what is no number, or one that another name has too, is an [ErrNoOrder].
func NewLevels(corpus *stringkernel.Corpus, labels, order, groups []string) (*Dataset, error) {
	d, err := NewDataset(corpus, labels, groups)
	if err != nil {
		return nil, err
	}
	if order == nil {
		err = checkNumbered(d.Classes)
	} else {
		err = d.reorder(order)
	}
	d.Task, d.Positive = Ordinal, len(d.Classes)-1
	return d, err
}

// checkNumbered returns an error unless classes are different numbers.
func checkNumbered(classes []string) error {
	before := math.NaN()
	for _, class := range classes { // by value, if all are numbers
		x, err := strconv.ParseFloat(class, 64)
		if err != nil || x != x || x == before {
			return fmt.Errorf("classes %s: %w", list(classes), ErrNoOrder)
		}
		before = x
	}
	return nil
}

// reorder puts the classes in an order.
func (d *Dataset) reorder(order []string) error {
	number := make([]int, len(d.Classes))
	for c, class := range d.Classes {
		if number[c] = slices.Index(order, class); number[c] < 0 {
			return recordError(d.Corpus, slices.Index(d.Y, c), "label %.80q is not in the order %s", class, list(order))
		}
	}
	if len(order) != len(d.Classes) {
		return svm.CheckOption(false, "Order", strings.Join(order, ","), "each of the classes %s once", list(d.Classes))
	}
	for i, c := range d.Y {
		d.Y[i] = number[c]
	}
	d.Classes, d.Corpus = slices.Clone(order), d.Corpus.WithClasses(d.Y)
	return nil
}

// NewNovelty checks one label per record, which may be empty, for Novelty: records with a label in known are known, all
// others novel; nil: all are known. Training is on the known ones; the others are for testing. A label in known that no
// record has is an [svm.OptionError].
func NewNovelty(corpus *stringkernel.Corpus, labels, known, groups []string) (*Dataset, error) {
	if err := checkLabels(corpus, labels, groups); err != nil {
		return nil, err
	}
	all, _ := indexClasses(labels)
	for _, name := range known {
		if !slices.Contains(all, name) {
			return nil, svm.CheckOption(false, "Known", name, "one of the labels, %s", list(all))
		}
	}
	if known == nil {
		known = slices.DeleteFunc(all, func(name string) bool { return name == "" })
	}
	d := &Dataset{
		Corpus: corpus.WithClasses(nil), Classes: []string{KnownName, NovelName}, Y: make([]int, len(labels)), Groups: groups,
		Positive: 1, Task: Novelty, Known: known,
	}
	for i, label := range labels {
		d.Y[i] = NoveltyOf(known, label)
	}
	return d, nil
}

// NoveltyOf returns the class of a record by its label: 0 if that is known, else 1. Where no labels are known, as of
// unlabelled training data, records are known unless they say that they are novel.
func NoveltyOf(known []string, label string) int {
	if len(known) == 0 && label != NovelName || slices.Contains(known, label) {
		return 0
	}
	return 1
}

// TaskOptions are the options of tasks, fields of a [Trainer].
type TaskOptions struct {
	Epsilon  float64 // of regression: errors up to it cost nothing; zero: 0.1
	Quantile float64 // of regression: what is predicted, from 0 to 1; zero: the centre of the errors
	Nu       float64 // bound of the share of outliers or of errors, above 0, at most 1; zero: 0.5 of novelty, else C alone
	// of two classes, of which the negative one is unlabelled: the share of it that is positive; zero: it is labelled
	Prior float64

	Lambda float64 // of regression: ridge regression with this penalty λ of squared errors; zero: absolute errors
	// of regression: a Gaussian process, whose variance is known in that many directions of the features; Lambda is
	// then the variance of the noise over that of the process, zero: the one of most evidence. Zero: no process
	Rank int
	// of classes with LossLogistic: the greatest number of records of training that each machine keeps, an import
	// vector machine; zero: all
	Landmarks int
	// of regression and of classes with LossLogistic: a relevance vector machine that chooses among as many records,
	// and has no C; zero: none
	Relevance int
}

// defaults of TaskOptions, those of LIBSVM and of scikit-learn.
const (
	defaultEpsilon = 0.1
	defaultNu      = 0.5
)

// check returns an [svm.OptionError] for an option of the trainer that is out of range.
func (o TaskOptions) check() error {
	return cmp.Or(
		svm.CheckOption(o.Epsilon >= 0 && o.Epsilon <= mostTarget, "Epsilon", o.Epsilon, "≥ 0"),
		svm.CheckOption(o.Quantile >= 0 && o.Quantile < 1, "Quantile", o.Quantile, "between 0 and 1"),
		svm.CheckOption(o.Nu >= 0 && o.Nu <= 1, "Nu", o.Nu, "above 0 and at most 1"),
		svm.CheckOption(o.Prior >= 0 && o.Prior < 1, "Prior", o.Prior, "between 0 and 1"),
		svm.CheckOption(o.Lambda == 0 || o.Lambda >= 1/mostTarget && o.Lambda <= mostTarget, "Lambda", o.Lambda,
			"from %g to %g", 1/mostTarget, mostTarget),
		svm.CheckOption(o.Lambda == 0 && o.Rank == 0 || o.Quantile == 0 && o.Nu == 0, "Lambda", o.Lambda,
			"none with a quantile or with Nu"),
		svm.CheckOption(o.Rank >= 0 && o.Rank <= mostRank, "Rank", o.Rank, "≥ 0, at most %d", mostRank),
		svm.CheckOption(o.Landmarks >= 0, "Landmarks", o.Landmarks, "≥ 0"),
		svm.CheckOption(o.Relevance == 0 || o.Relevance > 0 && o.Landmarks == 0 && o.Lambda == 0 && o.Rank == 0 &&
			o.Quantile == 0 && o.Nu == 0, "Relevance", o.Relevance,
			"none with Landmarks, Lambda, Rank, a quantile or Nu, or more than 0"))
}

// riskOf makes what a job minimises of its targets and weights.
type riskOf func(y, weights []float64) (risk.Risk, error)

// targetRisk is that of numbers.
func (t Trainer) targetRisk(y, weights []float64) (risk.Risk, error) {
	c := cmp.Or(t.C, 1)
	switch {
	case t.Lambda > 0:
		squares := risk.NewSquaredError(y, weights, 1/(2*t.Lambda))
		squares.NoBias = t.NoBias
		return squares, nil
	case t.Nu > 0:
		return risk.NuInsensitive(y, c, t.Nu), unweighted("Nu", t.Nu, weights)
	}
	hinges := risk.Insensitive(y, weights, c, cmp.Or(t.Epsilon, defaultEpsilon))
	if t.Quantile > 0 {
		hinges = risk.Pinball(y, weights, c, t.Quantile)
	}
	hinges.NoBias = t.NoBias
	return hinges, nil
}

// byPlanes reports whether cutting planes are asked for, where a faster solver would be taken.
func (t Trainer) byPlanes() bool {
	_, planes := t.Solver.(bundle.Solver)
	return planes
}

// classRisk is that of two classes, nil for the hinge and its square.
func (t Trainer) classRisk() riskOf {
	switch {
	case t.Loss == LossLogistic && t.byPlanes():
		return func(y, weights []float64) (risk.Risk, error) {
			c := cmp.Or(t.C, 1)
			costs := risk.Costs{Positive: c, Negative: c}
			if t.NoBias {
				return risk.NewUnbiasedLogistic(risk.Times(y, weights), costs)
			}
			return risk.NewLogistic(risk.Times(y, weights), costs)
		}
	case t.Prior > 0:
		return func(y, weights []float64) (risk.Risk, error) {
			return risk.Unlabelled(y, cmp.Or(t.C, 1), t.Prior), unweighted("Prior", t.Prior, weights)
		}
	case t.Nu > 0:
		return func(y, weights []float64) (risk.Risk, error) {
			if most := risk.MostNu(y); t.Nu > most {
				return nil, svm.CheckOption(false, "Nu", t.Nu,
					"at most %.6g, twice the share of the smaller class", most)
			}
			return risk.NuClasses(y, t.Nu), unweighted("Nu", t.Nu, weights)
		}
	}
	return nil
}

// unweighted refuses weights with an option.
func unweighted(option string, value any, weights []float64) error {
	return svm.CheckOption(weights == nil, option, value, "none with weights of records")
}
