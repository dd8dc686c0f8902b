package classify

import (
	"cmp"
	"slices"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/threshold"
	"github.com/seqsvm/seqsvm/internal/subset"
)

type multiLabel struct{ perClass }

func (multiLabel) check(t Trainer) error {
	return cmp.Or(
		svm.CheckOption(cmp.Or(t.Multiclass, decide.OneVsRest) == decide.OneVsRest, "Multiclass", t.Multiclass,
			"%s for records of several labels", decide.OneVsRest),
		svm.CheckOption(!t.Probability, "Probability", true, "false for records of several labels"),
		svm.CheckOption(slices.Contains(threshold.Names(), cmp.Or(t.Thresholds, threshold.FBR)), "Thresholds", t.Thresholds,
			"one of %q", threshold.Names()))
}

func (multiLabel) bytes(_ Trainer, n, k float64) float64 { return calibratedRecordBytes * (k * n) }

func (multiLabel) calibrate(p *plan, machines []decide.Binary, left []threshold.LeftOut) error {
	for i, at := range threshold.OfLabels(p.thresholds, left) {
		machines[i].Threshold = at
	}
	return nil
}

// plan also lists the jobs of the cross-validation for the thresholds, of classes that at least two records have and
// two have not.
func (multiLabel) plan(t Trainer, p *plan, d *dataset.Dataset, rows []int) {
	n := d.Len()
	if rows != nil {
		n = len(rows)
	}
	for c, members := range d.LabelCounts(rows) {
		j := job{index: rows, y: make([]float64, 0, n), oneSided: members == 0 || members == n}
		subset.Each(d.Len(), rows, func(i int) {
			sign := -1.0
			if _, member := slices.BinarySearch(d.LabelSets[i], c); member {
				sign = 1
			}
			j.y = append(j.y, sign)
		})
		if !j.oneSided {
			j.costs = t.costs(decide.Binary{Negative: 1}, []int{members, n - members})
		}
		p.jobs = append(p.jobs, j)
	}
	if p.thresholds = cmp.Or(t.Thresholds, threshold.FBR); p.thresholds == threshold.Zero {
		return
	}
	t.planCalibrations(p, d, true) // where there are too few records the threshold stays 0
}
