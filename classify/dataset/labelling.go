package dataset

import "github.com/seqsvm/seqsvm/classify/metrics"

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

// OneClass reports whether each record has one class, of classes in no order.
func (l Labelling) OneClass() bool { return l == TwoClasses || l == ManyClasses || l == LabelPaths }

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

// PositiveName returns the name of the positive one of two classes, empty for other labels.
func (d *Dataset) PositiveName() string {
	if d.Labelling() != TwoClasses {
		return ""
	}
	return d.Classes[d.Positive]
}

// MetricNames lists the metrics that records of d are measured by, in the order of a report, without those of
// probabilities.
func (d *Dataset) MetricNames() []string {
	switch d.Labelling() {
	case LabelSets:
		return metrics.LabelMetrics()
	case Numbers:
		if d.Quantile != 0 {
			return append(metrics.NumberMetrics(), metrics.QuantileMetrics()...)
		}
		return metrics.NumberMetrics()
	case Grades:
		return metrics.RankMetrics()
	case OrderedClasses:
		return metrics.OrdinalMetrics()
	}
	names := metrics.ClassMetrics()
	if d.Hierarchy != "" {
		for level := range metrics.Levels(d.Classes, d.Hierarchy) {
			names = append(names, metrics.LevelName(level))
		}
	}
	return names
}

// DefaultMetric is the area under the ROC curve for two classes and for novelty, the accuracy for more classes and in a
// hierarchy, the micro-averaged F1 of several labels per record, Spearman's correlation of numbers, the normalised gain
// of an order, and the weighted kappa of ordered classes.
func (d *Dataset) DefaultMetric() string {
	switch d.Labelling() {
	case TwoClasses, KnownOrNovel:
		return "auroc"
	case LabelSets:
		return "f1_micro"
	case Numbers:
		return "spearman"
	case Grades:
		return "ndcg"
	case OrderedClasses:
		return "kappa"
	}
	return "accuracy"
}
