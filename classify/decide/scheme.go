package decide

import (
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/internal/strongest"
)

// The label schemes: values of [Rule].Scheme, in model files too.
const (
	// TwoClass is the scheme with one machine, for the positive class of two.
	TwoClass = "two-class"
	// OneVsRest is the scheme with a machine per class against all others: k machines on all records.
	OneVsRest = "one-vs-rest"
	// OneVsOne is the scheme with a machine per pair of classes: k(k−1)/2 machines on the records of two classes each.
	OneVsOne = "one-vs-one"
	// CrammerSinger is the scheme with a machine per class, all trained as one problem without biases: see
	// [descent.CrammerSinger].
	CrammerSinger = "crammer-singer"
	// Multinomial is the scheme with a machine per class, all trained as one problem of logistic regression, so that
	// the probabilities of the classes are the softmax of their decision values: see [process.Multinomial].
	Multinomial = "multinomial"
	// MultiLabel is the scheme of [dataset.NewMultilabel]: a machine per class, for the records with it against all
	// without.
	MultiLabel = "multi-label"
	// Hierarchy is the scheme of [dataset.Dataset.SetHierarchy]: machines between the children of each node, on the
	// records below it.
	Hierarchy = "hierarchy"
	// RegressionScheme has one machine, whose decision value is the predicted number.
	RegressionScheme = "regression"
	// RankingScheme has one machine, whose decision values order records.
	RankingScheme = "ranking"
	// NoveltyScheme has one machine, trained on known records alone, whose decision value is above 0 for novel ones.
	NoveltyScheme = "novelty"
	// OrdinalScheme has one machine and a threshold between any two neighbouring classes.
	OrdinalScheme = "ordinal"
	// GaussianScheme has a machine whose decision value is the mean of a Gaussian process, and others, of which the sum
	// of the squares is what is known of the variance.
	GaussianScheme = "gaussian-process"
	// ComponentsScheme has a machine per principal component, whose decision value is the projection onto it: a model
	// that learned from records without labels.
	ComponentsScheme = "components"
)

// schemes lists the label schemes; the first with a kind of labels is the usual one.
var schemes = []namedScheme{
	{TwoClass, twoClass{}},
	{OneVsRest, oneVsRest{}},
	{OneVsOne, pairs{}},
	{CrammerSinger, perClass{}},
	{Multinomial, softmax{}},
	{MultiLabel, labelSets{}},
	{Hierarchy, paths{}},
	{RegressionScheme, number{kind: dataset.Numbers}},
	{RankingScheme, number{kind: dataset.Grades}},
	{NoveltyScheme, novelty{}},
	{OrdinalScheme, levels{}},
	{GaussianScheme, gaussianProcess{number{kind: dataset.Numbers}}},
	{ComponentsScheme, coordinates{}},
}

type namedScheme struct {
	name string
	scheme
}

// scheme is a way to decide on labels by binary machines. Most embed perClassDecision and override what differs.
type scheme interface {
	// labelling is the kind of labels that the scheme is for.
	labelling() dataset.Labelling
	// count returns the number of machines for the classes of a rule, an error if the scheme cannot have these classes.
	count(r *Rule) (int, error)
	// binaries lists the machines, untrained, in the order of Rule.Machines.
	binaries(r *Rule) []Binary
	// predict fills in an empty prediction, but for probabilities, from the machines' decision values, which it may
	// keep.
	predict(r *Rule, decisions []float64, to *Prediction)
	// terms: see Rule.Terms.
	terms(r *Rule, class int) []Term
	// score returns that of the class with these terms, given their machines' decision values: see Rule.Combiner.
	score(terms []Term, decisions []float64) float64
	// machineName: see Rule.MachineName.
	machineName(r *Rule, m int) string
}

// probable is a scheme that can turn the sigmoids of its machines into a distribution over the classes.
type probable interface {
	probabilities(r *Rule, decisions []float64) []float64
}

// Labelling returns the kind of labels that the rule, which must pass Check, decides on.
func (d *Rule) Labelling() dataset.Labelling { return schemeNamed(d.Scheme).labelling() }

// Single reports whether a rule has one machine whose decision value alone speaks for the class Positive: that of two
// classes, of a number, of novelty, an order, or the highest of classes in order.
func (d *Rule) Single() bool {
	l := d.Labelling()
	return l == dataset.TwoClasses || l >= dataset.Numbers && l < dataset.NoLabels
}

// Untrained returns the machines that the scheme makes of the classes, in their order, an error if it cannot have these
// classes.
func (d *Rule) Untrained() ([]Binary, error) {
	s := schemeNamed(d.Scheme)
	if _, err := s.count(d); err != nil {
		return nil, err
	}
	return s.binaries(d), nil
}

// Probable reports whether the scheme can turn the sigmoids of its machines into a distribution over the classes.
func (d *Rule) Probable() bool {
	_, ok := schemeNamed(d.Scheme).scheme.(probable)
	return ok
}

// PositiveName returns the name of the positive one of two classes, empty for other labels.
func (d *Rule) PositiveName() string {
	if d.Labelling() != dataset.TwoClasses {
		return ""
	}
	return d.Classes[d.Positive]
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

// SchemesFor lists the schemes for a kind of labels, the usual one first.
func SchemesFor(l dataset.Labelling) (names []string) {
	for _, s := range schemes {
		if s.labelling() == l {
			names = append(names, s.name)
		}
	}
	return names
}

// perClass is what schemes have in common that have a machine per class.
type perClass struct{}

func (perClass) labelling() dataset.Labelling { return dataset.ManyClasses }

func (perClass) count(r *Rule) (int, error) { return len(r.Classes), nil }

func (perClass) binaries(r *Rule) []Binary {
	machines := make([]Binary, len(r.Classes))
	for c := range machines {
		machines[c] = Binary{Positive: c, Negative: Rest}
	}
	return machines
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
