package classify

import (
	"cmp"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// learners are the ways to train the machines of the label schemes of a [decide.Rule].
var learners = map[string]learner{
	decide.TwoClass:         twoClass{},
	decide.OneVsRest:        oneVsRest{},
	decide.OneVsOne:         oneVsOne{},
	decide.CrammerSinger:    crammerSinger{},
	decide.Multinomial:      multinomial{},
	decide.MultiLabel:       multiLabel{},
	decide.Hierarchy:        hierarchy{},
	decide.RegressionScheme: regression{},
	decide.RankingScheme:    ranking{},
	decide.NoveltyScheme:    novelty{},
	decide.OrdinalScheme:    ordinal{},
	decide.GaussianScheme:   gaussian{},
}

// CheckLabels returns an [svm.OptionError] for the first option of the trainer that does not go with a kind of labels.
func (t Trainer) CheckLabels(l dataset.Labelling) error {
	return cmp.Or(learners[t.schemeFor(l)].check(t), t.checkBias(l), t.checkThreshold(l), t.checkConformal(l),
		svm.CheckOption(!t.Ball || l == dataset.KnownOrNovel, "Ball", t.Ball, "false but for novelty"))
}

// checkBias returns an error for what NoBias does not apply to.
func (t Trainer) checkBias(l dataset.Labelling) error {
	if !t.NoBias {
		return nil
	}
	return cmp.Or(
		svm.CheckOption(l <= dataset.LabelPaths || l == dataset.Numbers && t.Rank == 0, "NoBias", t.NoBias,
			"false but for classes and regression"),
		svm.CheckOption(t.Nu == 0 && t.Prior == 0, "NoBias", t.NoBias, "false with Nu or Prior"),
		svm.CheckOption(t.Relevance == 0 && t.Landmarks == 0, "NoBias", t.NoBias, "false with Relevance or Landmarks"),
		svm.CheckOption(t.schemeFor(l) != decide.Multinomial, "NoBias", t.NoBias, "false with the scheme %s",
			decide.Multinomial))
}

// schemeFor returns the scheme for a kind of labels: the one that Multiclass names, where there is a choice.
func (t Trainer) schemeFor(l dataset.Labelling) string {
	switch {
	case l == dataset.ManyClasses:
		return t.multiclass()
	case l == dataset.Numbers && t.Rank > 0:
		return decide.GaussianScheme
	}
	return decide.SchemesFor(l)[0]
}

// learner returns the way to train on a data set.
func (t Trainer) learner(d *dataset.Dataset) learner { return learners[t.schemeFor(d.Labelling())] }

// multiclass returns the scheme for one of many classes. Unless Multiclass names it, that is Crammer and Singer's for
// counts of words, which it classifies better than one-vs-rest (benchmarks/README.md), where no option excludes it; on
// k-mers of sequences it does not, and takes longer.
func (t Trainer) multiclass() string {
	if t.Multiclass == "" && stringkernel.TraitsOf(t.Kernel).WordCounts && (crammerSinger{}).check(t) == nil {
		return decide.CrammerSinger
	}
	return cmp.Or(t.Multiclass, decide.OneVsRest)
}

// ofMachines returns a trainer of the same machines for data of a kind of labels, without what is chosen by records
// left out. The choice of a scheme, which depends on whether there are probabilities, stays as it is.
func (t Trainer) ofMachines(l dataset.Labelling) Trainer {
	if l == dataset.ManyClasses {
		t.Multiclass = t.multiclass()
	}
	t.Probability, t.Threshold, t.Conformal = false, "", false
	return t
}

// nodeLearner returns the way to train between the children of a node in a hierarchy, if the scheme has one.
func (t Trainer) nodeLearner() (nodeLearner, bool) {
	l, ok := learners[t.multiclass()].(nodeLearner)
	return l, ok
}
