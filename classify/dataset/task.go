package dataset

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/plural"
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

// NewFor makes the data set of a task from one label per record; see New, NewTargets, NewGrades, NewLevels
// and NewNovelty. An unknown task is an [svm.OptionError].
func NewFor(task Task, corpus *stringkernel.Corpus, labels []string, names LabelNames, groups []string) (*Dataset,
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
	return New(corpus, labels, groups)
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

// NewLevels is [New] for Ordinal: Classes are in their order, from the lowest to the highest. It is order, which
// has each label once; else an [svm.OptionError], or a [stringkernel.RecordError] about a label that it lacks. If order
// is nil, it is that of the labels as numbers; what is no number, or one that another name has too, is an [ErrNoOrder].
func NewLevels(corpus *stringkernel.Corpus, labels, order, groups []string) (*Dataset, error) {
	d, err := New(corpus, labels, groups)
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
			return fmt.Errorf("classes %s: %w", plural.Quoted(classes), ErrNoOrder)
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
			return recordError(d.Corpus, slices.Index(d.Y, c), "label %.80q is not in the order %s", class,
				plural.Quoted(order))
		}
	}
	if len(order) != len(d.Classes) {
		return svm.CheckOption(false, "Order", strings.Join(order, ","), "each of the classes %s once",
			plural.Quoted(d.Classes))
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
	if err := checkLabels(corpus, len(labels), groups); err != nil {
		return nil, err
	}
	all, _ := indexClasses(labels)
	for _, name := range known {
		if !slices.Contains(all, name) {
			return nil, svm.CheckOption(false, "Known", name, "one of the labels, %s", plural.Quoted(all))
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
