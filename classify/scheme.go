package classify

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/classify/risk"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/strongest"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// schemes lists the label schemes. The name is what [Rule].Scheme and model files say; [Trainer].Multiclass may be the
// name of any with [ManyClasses].
var schemes = []namedScheme{
	{TwoClass, twoClass{}},
	{OneVsRest, oneVsRest{}},
	{OneVsOne, oneVsOne{}},
	{CrammerSinger, crammerSinger{}},
	{Multinomial, multinomial{}},
	{MultiLabel, multiLabel{}},
	{Hierarchy, hierarchy{}},
	{RegressionScheme, regression{}},
	{RankingScheme, ranking{}},
	{NoveltyScheme, novelty{}},
	{OrdinalScheme, ordinal{}},
	{GaussianScheme, gaussian{}},
	{ComponentsScheme, projection{}},
}

type namedScheme struct {
	name string
	scheme
}

// scheme is a way to decide on labels by binary machines. Most embed perClass and override what differs.
type scheme interface {
	// labelling is the kind of labels that the scheme is for.
	labelling() Labelling
	// count returns the number of machines for the classes of a rule, an error if the scheme cannot have these classes.
	count(r *Rule) (int, error)
	// binaries lists the machines, untrained, in the order of Rule.Machines.
	binaries(r *Rule) []Binary
	// check returns an error about the first option of the trainer that the scheme excludes.
	check(t Trainer) error
	// plan adds to p, which has the machines, a job per machine for the records rows (nil: all) of the data set.
	plan(t Trainer, p *plan, d *Dataset, rows []int)
	// bytes estimates the memory that the machines of n records of k classes need.
	bytes(t Trainer, n, k float64) float64
	// calibrate fits what turns the machines' decision values into an answer to those of records left out in training.
	calibrate(p *plan, machines []Binary, left []leftOut) error
	// predict fills in an empty prediction, but for probabilities, from the machines' decision values, which it may keep.
	predict(r *Rule, decisions []float64, to *Prediction)
	// terms: see Rule.Terms.
	terms(r *Rule, class int) []Term
	// score returns that of the class with these terms, given their machines' decision values: see Rule.Combiner.
	score(terms []Term, decisions []float64) float64
	// machineName: see Rule.MachineName.
	machineName(r *Rule, m int) string

	// What records are measured by: see Dataset.
	metricNames(d *Dataset) []string
	defaultMetric() string
	measure(d *Dataset, records []int, tested []Prediction) (metrics.Report, error)
}

// probable is a scheme that can turn the sigmoids of its machines into a distribution over the classes.
type probable interface {
	probabilities(r *Rule, decisions []float64) []float64
}

// thresholded is a scheme that completes its rule with the solutions of its machines.
type thresholded interface {
	decide(r *Rule, solved []result)
}

// nodeScheme is a scheme with a machine per class that can also decide between the children of a node in a hierarchy.
// jobs lists the jobs for the records index (nil: all), whose classes y have the given counts.
type nodeScheme interface {
	jobs(t Trainer, index, y, counts []int) []job
}

// Labelling is a kind of labels.
type Labelling int

// The kinds of labels.
const (
	TwoClasses     Labelling = iota // each record has one of two classes
	ManyClasses                     // each record has one of at least three classes
	LabelSets                       // each record has any number of classes
	LabelPaths                      // each record has one class, whose label is a path in a hierarchy
	Numbers                         // each record has a number
	Grades                          // each record has a number by which records are ordered
	KnownOrNovel                    // each record is known or novel
	OrderedClasses                  // each record has one of several classes that are in order
	NoLabels                        // records have no labels: what is found is numbers of each
)

// Labelling returns the kind of labels of the records.
func (d *Dataset) Labelling() Labelling {
	switch {
	case d.Task == Regression:
		return Numbers
	case d.Task == Ranking:
		return Grades
	case d.Task == Novelty:
		return KnownOrNovel
	case d.Task == Ordinal:
		return OrderedClasses
	case d.LabelSets != nil:
		return LabelSets
	case d.Hierarchy != "":
		return LabelPaths
	case len(d.Classes) == 2:
		return TwoClasses
	default:
		return ManyClasses
	}
}

// Labelling returns the kind of labels that the rule, which must pass Check, decides on.
func (d *Rule) Labelling() Labelling { return schemeNamed(d.Scheme).labelling() }

// Single reports whether a rule has one machine whose decision value alone speaks for the class Positive: that of two
// classes, of a number, of novelty, an order, or the highest of classes in order.
func (d *Rule) Single() bool {
	l := d.Labelling()
	return l == TwoClasses || l >= Numbers && l < NoLabels
}

// PositiveName returns the name of the positive one of two classes, empty for other labels.
func (d *Rule) PositiveName() string {
	if d.Labelling() != TwoClasses {
		return ""
	}
	return d.Classes[d.Positive]
}

// MulticlassNames lists the values of [Trainer].Multiclass.
func MulticlassNames() []string {
	return schemeNames(func(s scheme) bool { return s.labelling() == ManyClasses })
}

// CheckLabels returns an [svm.OptionError] for the first option of the trainer that does not go with a kind of labels.
func (t Trainer) CheckLabels(l Labelling) error {
	return cmp.Or(t.schemeFor(l).check(t), t.checkBias(l), t.checkThreshold(l), t.checkConformal(l))
}

// checkBias returns an error for what NoBias does not apply to.
func (t Trainer) checkBias(l Labelling) error {
	if !t.NoBias {
		return nil
	}
	return cmp.Or(
		svm.CheckOption(l <= LabelPaths || l == Numbers && t.Rank == 0, "NoBias", t.NoBias,
			"false but for classes and regression"),
		svm.CheckOption(t.Nu == 0 && t.Prior == 0, "NoBias", t.NoBias, "false with Nu or Prior"),
		svm.CheckOption(t.Relevance == 0 && t.Landmarks == 0, "NoBias", t.NoBias, "false with Relevance or Landmarks"),
		svm.CheckOption(t.schemeFor(l).name != Multinomial, "NoBias", t.NoBias, "false with the scheme %s", Multinomial))
}

// scheme returns the scheme for a data set.
func (t Trainer) scheme(d *Dataset) namedScheme { return t.schemeFor(d.Labelling()) }

// schemeFor returns the scheme for a kind of labels: the one that Multiclass names, where there is a choice.
func (t Trainer) schemeFor(labelling Labelling) namedScheme {
	if labelling == ManyClasses {
		return *t.multiclass()
	}
	if labelling == Numbers && t.Rank > 0 {
		return *schemeNamed(GaussianScheme)
	}
	return schemes[slices.IndexFunc(schemes, func(s namedScheme) bool { return s.labelling() == labelling })]
}

// multiclass returns the scheme for one of many classes. Unless Multiclass names it, that is Crammer and Singer's for
// counts of words, which it classifies better than one-vs-rest (benchmarks/README.md), where no option excludes it; on
// k-mers of sequences it does not, and takes longer.
func (t Trainer) multiclass() *namedScheme {
	name := cmp.Or(t.Multiclass, OneVsRest)
	if t.Multiclass == "" && stringkernel.TraitsOf(t.Kernel).WordCounts && (crammerSinger{}).check(t) == nil {
		name = CrammerSinger
	}
	return schemeNamed(name)
}

// schemeNamed returns nil for an unknown scheme.
func schemeNamed(name string) *namedScheme {
	for i := range schemes {
		if schemes[i].name == name {
			return &schemes[i]
		}
	}
	return nil
}

// schemeNames lists the schemes for which keep reports true.
func schemeNames(keep func(scheme) bool) (names []string) {
	for _, s := range schemes {
		if keep(s.scheme) {
			names = append(names, s.name)
		}
	}
	return names
}

// unknownScheme is the error about the name of a scheme that is not in the list.
func unknownScheme(name string) error {
	names := schemeNames(func(scheme) bool { return true })
	last := len(names) - 1
	return fmt.Errorf("classify: scheme %.80q is unknown, want %s or %s", name,
		strings.Join(names[:last], ", "), names[last])
}

// single is what schemes have in common that have one machine, trained by products alone.
type single struct{ perClass }

func (single) bytes(t Trainer, n, _ float64) float64 { return t.recordBytes() * n }

func (single) check(t Trainer) error {
	if planner, ok := t.solver().(svm.Planner); ok {
		if err := planner.Check(svm.Problem{Risk: &risk.Hinges{}}); err != nil {
			return err
		}
	}
	return cmp.Or(
		t.checkSquares("for this task"),
		svm.CheckOption(t.Loss == "" || t.Loss == svm.Hinge, "Loss", t.Loss, "that of classes only for classes"),
		svm.CheckOption(t.ClassWeight == "" || t.ClassWeight == WeightNone, "ClassWeight", t.ClassWeight,
			"%s for this task", WeightNone),
		svm.CheckOption(!t.Probability, "Probability", t.Probability, "false for this task"),
		svm.CheckOption(t.Multiclass == "", "Multiclass", t.Multiclass, "none for this task"))
}

// perClass is what schemes have in common that have a machine per class, on all records.
type perClass struct{}

func (perClass) labelling() Labelling { return ManyClasses }

func (perClass) count(r *Rule) (int, error) { return len(r.Classes), nil }

func (perClass) binaries(r *Rule) []Binary {
	machines := make([]Binary, len(r.Classes))
	for c := range machines {
		machines[c] = Binary{Positive: c, Negative: Rest}
	}
	return machines
}

func (perClass) check(Trainer) error { return nil }

func (perClass) bytes(t Trainer, n, k float64) float64 { return t.recordBytes() * (k * n) }

func (perClass) calibrate(p *plan, machines []Binary, left []leftOut) error {
	for i, l := range left {
		if !p.sigmoids || l.y == nil { // log odds as they stand
			continue
		}
		s, err := FitSigmoid(l.decisions, l.y)
		if err != nil {
			return err
		}
		machines[i].Sigmoid = &s
	}
	return nil
}

func (perClass) predict(_ *Rule, decisions []float64, to *Prediction) {
	to.Scores, to.Class = decisions, strongest.Index(decisions)
}

func (perClass) terms(r *Rule, class int) (terms []Term) {
	for m, machine := range r.Machines {
		switch class {
		case machine.Positive:
			terms = append(terms, Term{m, 1})
		case machine.Negative:
			terms = append(terms, Term{m, -1})
		}
	}
	return terms
}

func (perClass) score(terms []Term, decisions []float64) (sum float64) {
	for i, t := range terms {
		sum += float64(t.Sign * decisions[i])
	}
	return sum
}

func (perClass) machineName(r *Rule, m int) string { return r.Classes[r.Machines[m].Positive] }
