package dataset

import "github.com/seqsvm/seqsvm/classify/metrics"

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
