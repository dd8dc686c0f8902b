package measure

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/internal/subset"
)

// Resample measures predictions for the records of d on samples of these, by [metrics.Bootstrap]. The metrics are those
// of [Predictions] or, if fold has a number per record, their means over the folds, as [metrics.MeanSD] has them.
// Those of several lists of predictions, measured on the same samples, follow one another. A sample has as many records
// of each class as d or, where d has groups, as many groups. Classes of less than leastStratum records are one stratum,
// and folds are none, since the records of a small stratum vary too little.
func Resample(ctx context.Context, d *dataset.Dataset, replicates int, seed uint64, fold []int,
	predictions ...[]decide.Prediction) (*metrics.Replicates, error) {
	order := byScore(predictions[0])
	b := bootstrap(d, replicates, seed, order)
	if d.Targets == nil {
		ranked := make([][]decide.Prediction, len(predictions))
		for k, list := range predictions {
			ranked[k] = byRank(list)
		}
		predictions = ranked
	}
	return b.Run(ctx, len(order), func(s metrics.Resample) (values []metrics.Float, err error) {
		s.Records = subset.At(order, s.Records)
		for _, list := range predictions {
			m, err := measureSample(d, s, fold, list)
			if err != nil {
				return nil, err
			}
			values = append(values, m.Values...)
		}
		return values, nil
	})
}

// ResampleClasses draws the samples of Resample and measures precision, recall and F1 of each class, in this order, all
// records of a sample together: what [metrics.Report.AddClassIntervals] takes. Records have classes. O(replicates ·
// (n + classes)).
func ResampleClasses(
	ctx context.Context, d *dataset.Dataset, replicates int, seed uint64, predictions []decide.Prediction,
) (*metrics.Replicates, error) {
	order := byScore(predictions)
	truth, predicted := make([][]int, len(order)), make([][]int, len(order))
	for k, i := range order {
		if d.LabelSets != nil {
			truth[k], predicted[k] = d.LabelSets[i], predictions[i].Labels
		} else {
			truth[k], predicted[k] = []int{d.Y[i]}, []int{predictions[i].Class}
		}
	}
	b := bootstrap(d, replicates, seed, order)
	return b.Run(ctx, len(order), func(s metrics.Resample) (values []metrics.Float, err error) {
		r, err := metrics.EvaluateLabels(d.Classes, subset.At(truth, s.Records), subset.At(predicted, s.Records), nil)
		for _, c := range r.Labels {
			values = append(values, c.List()...)
		}
		return values, err
	})
}

// bootstrap draws from the records in an order.
func bootstrap(d *dataset.Dataset, replicates int, seed uint64, order []int) metrics.Bootstrap {
	b := metrics.Bootstrap{Replicates: replicates, Seed: seed, Strata: subset.At(strata(d, len(order)), order)}
	if d.Groups != nil {
		b.Groups = subset.At(d.Groups, order)
	}
	return b
}

// byScore lists the records, those of a single score in falling order of it, so that metrics of ranks need not sort.
func byScore(predictions []decide.Prediction) []int {
	order := subset.Whole(len(predictions))
	if len(predictions[0].Scores) == 1 {
		slices.SortStableFunc(order, func(i, j int) int {
			return cmp.Compare(predictions[j].Scores[0], predictions[i].Scores[0])
		})
	}
	return order
}

// byRank returns predictions of classes with ranks among all scores in place of the scores: metrics of classes need no
// more, and ranks are sorted faster in every sample.
func byRank(predictions []decide.Prediction) []decide.Prediction {
	var all []float64
	for _, p := range predictions {
		all = append(all, p.Scores...)
	}
	all = metrics.RankScores(all)
	ranked := slices.Clone(predictions)
	for i, p := range predictions {
		ranked[i].Scores, all = all[:len(p.Scores)], all[len(p.Scores):]
	}
	return ranked
}

// leastStratum is the number of records from which on a class is a stratum of its own. That of m records varies by
// (m − 1)/m of what it should: those of a single record not at all.
const leastStratum = 10

// strata numbers the strata of a bootstrap: classes, where each record has one.
func strata(d *dataset.Dataset, n int) []int {
	strata := make([]int, n)
	if d.Targets != nil || d.LabelSets != nil {
		return strata
	}
	counts := make([]int, len(d.Classes))
	for _, y := range d.Y {
		counts[y]++
	}
	for i, y := range d.Y {
		if counts[y] >= leastStratum {
			strata[i] = 1 + y
		}
	}
	return strata
}

// measureSample measures the predictions of a sample, as the mean over the folds that it has records of.
func measureSample(
	d *dataset.Dataset, s metrics.Resample, fold []int, predictions []decide.Prediction,
) (metrics.Scalars, error) {
	if fold == nil {
		r, err := measureDraws(d, s, predictions)
		return r.Scalars, err
	}
	parts := make([]metrics.Resample, slices.Max(fold)+1)
	for k, i := range s.Records {
		part := &parts[fold[i]]
		part.Records, part.Draws = append(part.Records, i), append(part.Draws, s.Draws[k])
	}
	var reports []metrics.Report
	for _, part := range parts {
		if len(part.Records) == 0 {
			continue
		}
		r, err := measureDraws(d, part, predictions)
		if err != nil {
			return metrics.Scalars{}, err
		}
		reports = append(reports, r)
	}
	mean, _ := metrics.MeanSD(reports)
	return mean, nil
}

// measureDraws is Predictions, with queries that were drawn twice kept apart.
func measureDraws(d *dataset.Dataset, s metrics.Resample, predictions []decide.Prediction) (metrics.Report, error) {
	if d.Task != dataset.Ranking || d.Groups == nil {
		return Predictions(d, s.Records, predictions)
	}
	drawn := &dataset.Dataset{Task: d.Task, Targets: subset.At(d.Targets, s.Records), Classes: d.Classes}
	all := make([]int, len(s.Records))
	for k, draw := range s.Draws {
		all[k] = k
		drawn.Groups = append(drawn.Groups, strconv.Itoa(draw))
	}
	return ofGrades(drawn, all, subset.At(predictions, s.Records))
}
