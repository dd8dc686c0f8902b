package classify

import (
	"cmp"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/threshold"
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

// learner is how the binary machines of a label scheme are trained. Most embed perClass and override what differs.
type learner interface {
	// check returns an error about the first option of the trainer that the scheme excludes.
	check(t Trainer) error
	// plan adds to p, which has the machines, a job per machine for the records rows (nil: all) of the data set.
	plan(t Trainer, p *plan, d *dataset.Dataset, rows []int)
	// bytes estimates the memory that the machines of n records of k classes need.
	bytes(t Trainer, n, k float64) float64
	// calibrate fits what turns the machines' decision values into an answer to those of records left out in training.
	calibrate(p *plan, machines []decide.Binary, left []threshold.LeftOut) error
}

// thresholded is a scheme that completes its rule with the solutions of its machines.
type thresholded interface {
	decide(r *decide.Rule, solved []result)
}

// nodeLearner is of a scheme with a machine per class that can also decide between the children of a node in a hierarchy.
// jobs lists the jobs for the records index (nil: all), whose classes y have the given counts.
type nodeLearner interface {
	jobs(t Trainer, index, y, counts []int) []job
}

// CheckLabels returns an [svm.OptionError] for the first option of the trainer that does not go with a kind of labels.
func (t Trainer) CheckLabels(l dataset.Labelling) error {
	return cmp.Or(learners[t.schemeFor(l)].check(t), t.checkBias(l), t.checkThreshold(l), t.checkConformal(l))
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
		svm.CheckOption(t.schemeFor(l) != decide.Multinomial, "NoBias", t.NoBias, "false with the scheme %s", decide.Multinomial))
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

// perClass is what schemes have in common that have a machine per class, on all records.
type perClass struct{}

func (perClass) check(Trainer) error { return nil }

func (perClass) bytes(t Trainer, n, k float64) float64 { return t.recordBytes() * (k * n) }

func (perClass) calibrate(p *plan, machines []decide.Binary, left []threshold.LeftOut) error {
	for i, l := range left {
		if !p.sigmoids || l.Y == nil { // log odds as they stand
			continue
		}
		s, err := decide.FitSigmoid(l.Decisions, l.Y)
		if err != nil {
			return err
		}
		machines[i].Sigmoid = &s
	}
	return nil
}
