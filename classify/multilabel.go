package classify

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/plural"
	"github.com/seqsvm/seqsvm/internal/strongest"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// NewMultilabelDataset is [NewDataset] for records with several labels each: one list per record, in any order. The
// list of a record that has none of the labels is empty; a label that is in it twice counts once; an empty label is an
// error.
//
// A [Trainer] makes of such a data set a machine per class, for the records with the label against those without
// (binary relevance), and a threshold per machine ([Trainer].Thresholds). Folds are stratified by the rarest label of
// each record; a class may be absent from the training part of a fold, and is then never predicted there.
func NewMultilabelDataset(corpus *stringkernel.Corpus, labels [][]string, groups []string) (*Dataset, error) {
	if corpus == nil {
		return nil, fmt.Errorf("classify: no corpus")
	}
	n := corpus.Len()
	switch {
	case n == 0 || len(labels) != n:
		return nil, fmt.Errorf("classify: %d lists of labels for %d records, want one per record and at least one "+
			"record", len(labels), n)
	case groups != nil && len(groups) != n:
		return nil, fmt.Errorf("classify: %d groups for %d records, want one per record, or none at all",
			len(groups), n)
	}
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
			list(classes))
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
	counts := d.labelCounts(nil)
	for i, set := range d.LabelSets {
		for j, c := range set {
			if j == 0 || counts[c] < counts[d.Y[i]] {
				d.Y[i] = c
			}
		}
	}
}

// labelCounts returns the number of records of rows (nil: all) with each label.
func (d *Dataset) labelCounts(rows []int) []int {
	counts := make([]int, len(d.Classes))
	each(d.Len(), rows, func(i int) {
		for _, c := range d.LabelSets[i] {
			counts[c]++
		}
	})
	return counts
}

// each calls f with the records of rows, or with 0 … n − 1 if that is nil.
func each(n int, rows []int, f func(i int)) {
	if rows == nil {
		for i := range n {
			f(i)
		}
		return
	}
	for _, i := range rows {
		f(i)
	}
}

// MultiLabel is the scheme of [NewMultilabelDataset]: a machine per class, for the records with it against all without.
const MultiLabel = "multi-label"

type multiLabel struct{ perClass }

func (multiLabel) labelling() Labelling { return LabelSets }

func (multiLabel) check(t Trainer) error {
	return cmp.Or(
		svm.CheckOption(cmp.Or(t.Multiclass, OneVsRest) == OneVsRest, "Multiclass", t.Multiclass,
			"%s for records of several labels", OneVsRest),
		svm.CheckOption(!t.Probability, "Probability", true, "false for records of several labels"),
		svm.CheckOption(thresholdRules[cmp.Or(t.Thresholds, ThresholdsFBR)] != nil, "Thresholds", t.Thresholds,
			"one of %q", ThresholdNames()))
}

func (multiLabel) bytes(_ Trainer, n, k float64) float64 { return calibratedRecordBytes * (k * n) }

func (multiLabel) calibrate(p *plan, machines []Binary, left []leftOut) error {
	for i, threshold := range thresholdRules[p.thresholds](left) {
		machines[i].Threshold = threshold
	}
	return nil
}

// predict returns the classes above their thresholds, and the one that is furthest above or least below.
func (multiLabel) predict(r *Rule, decisions []float64, to *Prediction) {
	excess := make([]float64, len(decisions))
	for c, v := range decisions {
		if excess[c] = v - r.Machines[c].Threshold; v > r.Machines[c].Threshold {
			to.Labels = append(to.Labels, c)
		}
	}
	to.Scores, to.Class = decisions, strongest.Index(excess)
}

func (multiLabel) metricNames(*Dataset) []string { return metrics.LabelMetrics() }

func (multiLabel) defaultMetric() string { return "f1_micro" }

func (multiLabel) measure(d *Dataset, records []int, tested []Prediction) (metrics.Report, error) {
	predicted := make([][]int, len(tested))
	for i, p := range tested {
		predicted[i] = p.Labels
	}
	scores := scoresByClass(tested)
	for len(scores) < len(d.Classes) { // labels that no machine is for come last
		scores = append(scores, slices.Repeat([]float64{-math.MaxFloat64}, len(tested)))
	}
	return metrics.EvaluateLabels(d.Classes, at(d.LabelSets, records), predicted, scores)
}

// plan also lists the jobs of the cross-validation for the thresholds, of classes that at least two records have and
// two have not.
func (multiLabel) plan(t Trainer, p *plan, d *Dataset, rows []int) {
	n := d.Len()
	if rows != nil {
		n = len(rows)
	}
	for c, members := range d.labelCounts(rows) {
		j := job{index: rows, y: make([]float64, 0, n), oneSided: members == 0 || members == n}
		each(d.Len(), rows, func(i int) {
			sign := -1.0
			if _, member := slices.BinarySearch(d.LabelSets[i], c); member {
				sign = 1
			}
			j.y = append(j.y, sign)
		})
		if !j.oneSided {
			j.costs = t.costs(Binary{Negative: 1}, []int{members, n - members})
		}
		p.jobs = append(p.jobs, j)
	}
	if p.thresholds = cmp.Or(t.Thresholds, ThresholdsFBR); p.thresholds == ThresholdsZero {
		return
	}
	t.planCalibrations(p, d, true) // where there are too few records the threshold stays 0
}
