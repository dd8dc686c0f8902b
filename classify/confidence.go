package classify

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/classify/conformal"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// mostClassScores and mostScores bound the nonconformity scores that a rule keeps: of a class, and of all together
// unless that leaves each fewer than leastScores.
const (
	mostClassScores = 1000
	mostScores      = 16_384
	leastScores     = 100
)

// keptScores returns how many scores of a class are kept.
func keptScores(classes int) int { return max(leastScores, min(mostClassScores, mostScores/classes)) }

// checkConformal returns an error unless labels are single classes or numbers, of which each has a score.
func (t Trainer) checkConformal(l dataset.Labelling) error {
	fits := l.OneClass() || l == dataset.Numbers && t.Quantile == 0 && t.Rank == 0
	return svm.CheckOption(fits || !t.Conformal, "Conformal", t.Conformal,
		"false: it is for one class per record, and for numbers that are neither quantiles nor of a Gaussian process")
}

// conformal cross-validates a trainer and returns the scores of the records left out. The kernel is that fitted to all
// records, and g their matrix.
func (t Trainer) conformal(
	ctx context.Context, d *dataset.Dataset, kernel stringkernel.Kernel, g stringkernel.Gram,
) (*conformal.Scores, error) {
	t = t.ofMachines(d.Labelling())
	fold, err := d.Folds(t.conformalFolds(d), t.Seed)
	if err != nil {
		return nil, fmt.Errorf("classify: confidence needs records left out: %w", err)
	}
	matrix := t.matrices(ctx, kernel, d.Corpus)
	if !stringkernel.DependsOnCorpus(t.Kernel) {
		matrix = func(context.Context, []int) (stringkernel.Gram, error) { return g, nil }
	}
	outcomes, err := CrossValidateCosts(ctx, t, d, fold, []float64{cmp.Or(t.C, 1)}, matrix)
	if err != nil {
		return nil, err
	}
	scores := make([][]float64, len(d.Classes))
	for i, prediction := range outcomes[0].Predictions {
		class, score := d.Y[i], 0.0
		if d.Targets != nil {
			score = math.Abs(d.Targets[i] - prediction.Scores[0])
		} else {
			score = outcomes[0].Rules[fold[i]].Strangeness(prediction)[class]
		}
		scores[class] = append(scores[class], score)
	}
	return conformal.New(scores, keptScores(len(d.Classes))), nil
}

// conformalFolds is the number of folds: as many as of a calibration, or groups, or records of the smallest class.
func (t Trainer) conformalFolds(d *dataset.Dataset) int {
	k := min(calibrationFolds, d.Len())
	for _, count := range d.Counts() {
		k = min(k, max(2, count))
	}
	if d.Groups != nil {
		names := slices.Clone(d.Groups)
		slices.Sort(names)
		k = min(k, max(2, len(slices.Compact(names))))
	}
	return k
}
