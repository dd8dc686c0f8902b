// Package dataset has labelled corpora: what the label of a record is (a class, several, a path in a hierarchy, a
// number), which task that makes, how records are divided into folds, and by what metrics predictions are measured.
// Classes are numbered by their sorted labels from 0, records from 0.
package dataset

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/internal/plural"
	"github.com/seqsvm/seqsvm/internal/subset"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Dataset is a labelled corpus. Build one with [New] or [NewTargets]; it is only read afterwards.
type Dataset struct {
	Corpus *stringkernel.Corpus
	// the distinct labels, sorted (by value if all are numbers; of Ordinal in their order): at least two; with Targets
	// one, which means nothing
	Classes   []string
	Y         []int     // index into Classes per record; of several labels the rarest
	Targets   []float64 // nil, or the number that each record is labelled with, in place of a class: see NewTargets
	Weights   []float64 // nil: all 1; else how many records each counts for: see SetWeights
	LabelSets [][]int   // nil, or all labels of each record, ascending indices into Classes: see NewMultilabel
	// the separator between the names of labels that are paths in a hierarchy, else empty: see SetHierarchy
	Hierarchy string
	Groups    []string // nil, or a group per record: cross-validation never splits a group
	// nil, or a second group per record, as of the right sides of pairs: cross-validation then tests a record on what was
	// learned from records that have neither of its groups (see Split)
	Others   []string
	Task     Task     // what is to be learned; zero: Classes
	Known    []string // of Novelty, the labels that are not novel
	Quantile float64  // of Regression, what predictions are measured as; zero: Targets themselves
	Positive int      // index of the class that two-class scores speak for: see PositiveOf
}

// New checks and indexes one label per record of the corpus. groups may be nil. An empty label is an
// error. The Corpus of the data set has the classes besides ([stringkernel.Corpus.WithClasses]), for kernels that are
// fitted to them.
func New(corpus *stringkernel.Corpus, labels, groups []string) (*Dataset, error) {
	if err := checkLabels(corpus, len(labels), groups); err != nil {
		return nil, err
	}
	var all Labels
	for i, label := range labels {
		if label == "" {
			return nil, recordError(corpus, i, "no label")
		}
		all.Add(label)
	}
	d, err := all.Dataset()
	if err != nil {
		return nil, err
	}
	d.Groups, d.Corpus = groups, corpus.WithClasses(d.Y)
	return d, nil
}

// NewTargets checks one label per record of the corpus, which is a number: decimal, with a point, at most 1e70 in
// magnitude. A label that is not is a [stringkernel.RecordError]. groups may be nil.
func NewTargets(corpus *stringkernel.Corpus, labels, groups []string) (*Dataset, error) {
	if err := checkLabels(corpus, len(labels), groups); err != nil {
		return nil, err
	}
	d := &Dataset{
		Corpus: corpus.WithClasses(nil), Classes: []string{ValueName}, Y: make([]int, corpus.Len()),
		Groups: groups, Task: Regression,
	}
	var err error
	d.Targets, err = parseNumbers(corpus, labels, "label", -MostTarget, MostTarget)
	return d, err
}

// SetWeights gives the records weights, one number each from 1e-9 to 1e9: a record of weight 2 counts like two of
// weight 1. What is no such number is a [stringkernel.RecordError].
func (d *Dataset) SetWeights(values []string) (err error) {
	if len(values) != d.Len() {
		return fmt.Errorf("classify: %d weights for %d records, want one per record", len(values), d.Len())
	}
	d.Weights, err = parseNumbers(d.Corpus, values, "weight", 1/MostWeight, MostWeight)
	return err
}

// Limits of targets and of weights, within which solvers stay far from those of float64.
const MostTarget, MostWeight = 1e70, 1e9

// parseNumbers reads a decimal number per record, between least and most.
func parseNumbers(corpus *stringkernel.Corpus, texts []string, kind string, least, most float64) ([]float64, error) {
	numbers := make([]float64, len(texts))
	for i, text := range texts {
		x, err := ParseNumber(text, least, most)
		if err != nil {
			return nil, recordError(corpus, i, "%s %w", kind, err)
		}
		numbers[i] = x
	}
	return numbers, nil
}

// ParseNumber reads a decimal number between least and most.
func ParseNumber(text string, least, most float64) (float64, error) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || strings.ContainsAny(text, "xX_") || !(x >= least && x <= most) {
		return 0, fmt.Errorf("%.80q, want a decimal number from %g to %g", text, least, most)
	}
	return x, nil
}

// checkLabels wants records, a label for each and, unless there are none, a group for each.
func checkLabels(corpus *stringkernel.Corpus, labels int, groups []string) error {
	if corpus == nil {
		return fmt.Errorf("classify: no corpus")
	}
	n := corpus.Len()
	switch {
	case n == 0:
		return fmt.Errorf("classify: no records")
	case labels != n:
		return fmt.Errorf("classify: %d labels for %d records, want one per record", labels, n)
	case groups != nil && len(groups) != n:
		return fmt.Errorf("classify: %d groups for %d records, want one per record, or none at all", len(groups), n)
	}
	return nil
}

// mostClasses is how many classes are accepted however few records they have.
const mostClasses = 100

// SortedClasses returns the distinct labels in the order of [Dataset].Classes.
func SortedClasses(labels []string) []string {
	classes, _ := indexClasses(labels)
	return classes
}

// indexClasses returns the distinct labels, and the index of each, in order: by value if all are numbers, so that -1
// comes before +1 (whose first byte is less) and 9 before 10, else by their bytes.
func indexClasses(labels []string) (classes []string, number map[string]int) {
	number = map[string]int{}
	for _, label := range labels {
		if _, known := number[label]; !known {
			number[label] = len(classes)
			classes = append(classes, label)
		}
	}
	slices.Sort(classes)
	value, numbers := make(map[string]float64, len(classes)), true
	for _, class := range classes {
		x, err := strconv.ParseFloat(class, 64)
		if numbers = err == nil && !math.IsNaN(x); !numbers {
			break
		}
		value[class] = x
	}
	if numbers {
		slices.SortStableFunc(classes, func(a, b string) int { return cmp.Compare(value[a], value[b]) })
	}
	for c, class := range classes {
		number[class] = c
	}
	return classes, number
}

// recordError says what is wrong with record i.
func recordError(c *stringkernel.Corpus, i int, format string, args ...any) error {
	return &stringkernel.RecordError{Record: i, Name: c.Name(i), Err: fmt.Errorf(format, args...)}
}

// recordName returns the quoted name of record i with its 1-based number.
func recordName(c *stringkernel.Corpus, i int) string {
	if c == nil {
		return fmt.Sprintf("number %d", i+1)
	}
	if name := c.Name(i); name != "" {
		return fmt.Sprintf("%.80q (number %d)", name, i+1)
	}
	return fmt.Sprintf("number %d", i+1)
}

// Weight returns that of a record.
func (d *Dataset) Weight(i int) float64 {
	if d.Weights == nil {
		return 1
	}
	return d.Weights[i]
}

// Has reports whether a record has a class, of several labels among others.
func (d *Dataset) Has(i, class int) bool {
	if d.LabelSets == nil {
		return d.Y[i] == class
	}
	_, has := slices.BinarySearch(d.LabelSets[i], class)
	return has
}

// Len returns the number of records.
func (d *Dataset) Len() int { return len(d.Y) }

// SetPositive makes a class the positive one by its label.
func (d *Dataset) SetPositive(label string) error {
	i := slices.Index(d.Classes, label)
	if i < 0 {
		return fmt.Errorf("classify: no record has label %.80q, want one of %s", label, plural.Quoted(d.Classes))
	}
	d.Positive = i
	return nil
}

// Counts returns the number of records per class.
func (d *Dataset) Counts() []int { return countClasses(d.Y, len(d.Classes)) }

// Subset returns the records with the given 0-based indices, in that order. It keeps all classes, so that class indices
// mean the same; a class may be left without records, which [classify.Trainer.Train] refuses unless records have
// several labels. Of these the rarest in the subset is the one that folds are stratified by, so that nothing of the
// subset depends on the other records.
func (d *Dataset) Subset(index []int) *Dataset {
	s := &Dataset{
		Classes: d.Classes, Y: subset.At(d.Y, index), Hierarchy: d.Hierarchy,
		Positive: d.Positive, Task: d.Task, Known: d.Known, Quantile: d.Quantile,
	}
	if d.Corpus != nil {
		s.Corpus = d.Corpus.Subset(index)
	}
	if d.Groups != nil {
		s.Groups = subset.At(d.Groups, index)
	}
	if d.Others != nil {
		s.Others = subset.At(d.Others, index)
	}
	if d.Targets != nil {
		s.Targets = subset.At(d.Targets, index)
	}
	if d.Weights != nil {
		s.Weights = subset.At(d.Weights, index)
	}
	if d.LabelSets != nil {
		s.LabelSets = subset.At(d.LabelSets, index)
		s.stratifyByRarest()
	}
	return s
}

// MayLack reports whether no record need be of class c.
func (d *Dataset) MayLack(c int) bool { return d.LabelSets != nil || d.Task == Novelty && c == 1 }

// Check guards against data sets that were not built by New.
func (d *Dataset) Check() error {
	if d == nil || d.Corpus == nil {
		return fmt.Errorf("classify: no data set")
	}
	return d.checkLabels()
}

// checkLabels is Check of a data set that may have no corpus.
func (d *Dataset) checkLabels() error {
	switch {
	case d == nil:
		return fmt.Errorf("classify: no data set")
	case d.Task.Check() != nil:
		return d.Task.Check()
	case d.Corpus != nil && len(d.Y) != d.Corpus.Len():
		return fmt.Errorf("classify: %d class indices for %d records, want one per record", len(d.Y), d.Corpus.Len())
	case d.LabelSets != nil && len(d.LabelSets) != len(d.Y):
		return fmt.Errorf("classify: %d sets of labels for %d records, want one per record, or none at all",
			len(d.LabelSets), len(d.Y))
	case d.Groups != nil && len(d.Groups) != len(d.Y):
		return fmt.Errorf("classify: %d groups for %d records, want one per record, or none at all", len(d.Groups),
			len(d.Y))
	case d.Targets != nil && len(d.Classes) != 1:
		return fmt.Errorf("classify: targets and %d classes, want one that means nothing", len(d.Classes))
	case d.Targets == nil && len(d.Classes) < 2:
		return fmt.Errorf("classify: %d classes, want at least two", len(d.Classes))
	case d.Positive < 0 || d.Positive >= len(d.Classes):
		return fmt.Errorf("classify: Positive = %d, want an index of the %d classes", d.Positive, len(d.Classes))
	}
	if err := cmp.Or(d.checkNumbers("target", d.Targets, -MostTarget, MostTarget),
		d.checkNumbers("weight", d.Weights, 1/MostWeight, MostWeight)); err != nil {
		return err
	}
	for i, c := range d.Y {
		classes := []int{c}
		if d.LabelSets != nil {
			classes = append(classes, d.LabelSets[i]...)
		}
		if k := slices.IndexFunc(classes, func(c int) bool { return c < 0 || c >= len(d.Classes) }); k >= 0 {
			return fmt.Errorf("classify: record %s has class index %d, want 0 to %d",
				recordName(d.Corpus, i), classes[k], len(d.Classes)-1)
		}
		for j := 2; j < len(classes); j++ { // the first is that of Y
			if classes[j] <= classes[j-1] {
				return fmt.Errorf("classify: record %s has class index %d after %d, want ascending indices",
					recordName(d.Corpus, i), classes[j], classes[j-1])
			}
		}
	}
	return nil
}

// checkNumbers wants a number per record, between least and most, or none at all.
func (d *Dataset) checkNumbers(kind string, numbers []float64, least, most float64) error {
	if numbers != nil && len(numbers) != len(d.Y) {
		return fmt.Errorf("classify: %d %ss for %d records, want one per record, or none at all", len(numbers), kind,
			len(d.Y))
	}
	if i := slices.IndexFunc(numbers, func(x float64) bool { return !(x >= least && x <= most) }); i >= 0 {
		return fmt.Errorf("classify: record %s has %s %v, want %g to %g", recordName(d.Corpus, i), kind, numbers[i],
			least, most)
	}
	return nil
}

// ClassesOf returns the classes of the records rows (nil: all), and the number of these records per class.
func (d *Dataset) ClassesOf(rows []int) (y, counts []int) {
	y = subset.Of(d.Y, rows)
	return y, countClasses(y, len(d.Classes))
}

func countClasses(y []int, classes int) []int {
	counts := make([]int, classes)
	for _, c := range y {
		counts[c]++
	}
	return counts
}

// NewMultilabel is [New] for records with several labels each: one list per record, in any order. The
// list of a record that has none of the labels is empty; a label that is in it twice counts once; an empty label is an
// error.
//
// A [classify.Trainer] makes of such a data set a machine per class, for the records with the label against those
// without (binary relevance), and a threshold per machine ([classify.Trainer].Thresholds). Folds are stratified by the
// rarest label of each record; a class may be absent from the training part of a fold, and is then never predicted
// there.
func NewMultilabel(corpus *stringkernel.Corpus, labels [][]string, groups []string) (*Dataset, error) {
	if err := checkLabels(corpus, len(labels), groups); err != nil {
		return nil, err
	}
	n := corpus.Len()
	var all []string
	for i, names := range labels {
		if slices.Contains(names, "") {
			return nil, recordError(corpus, i, "an empty label")
		}
		all = append(all, names...)
	}
	classes, number := indexClasses(all)
	if len(classes) < 2 {
		return nil, fmt.Errorf("classify: the labels of %s are %s, want at least two classes", plural.Of(n, "record"),
			plural.Quoted(classes))
	}
	d := &Dataset{Corpus: corpus.WithClasses(nil), Classes: classes, Y: make([]int, n), LabelSets: make([][]int, n),
		Groups: groups, Positive: 1}
	for i, names := range labels {
		set := make([]int, len(names))
		for k, label := range names {
			set[k] = number[label]
		}
		slices.Sort(set)
		d.LabelSets[i] = slices.Compact(set)
	}
	d.stratifyByRarest()
	return d, nil
}

// stratifyByRarest makes the class of each record, by which folds are stratified, its rarest label.
func (d *Dataset) stratifyByRarest() {
	counts := d.LabelCounts(nil)
	for i, set := range d.LabelSets {
		for j, c := range set {
			if j == 0 || counts[c] < counts[d.Y[i]] {
				d.Y[i] = c
			}
		}
	}
}

// LabelCounts returns the number of records of rows (nil: all) with each label.
func (d *Dataset) LabelCounts(rows []int) []int {
	counts := make([]int, len(d.Classes))
	subset.Each(d.Len(), rows, func(i int) {
		for _, c := range d.LabelSets[i] {
			counts[c]++
		}
	})
	return counts
}
