package metrics

import "fmt"

// EvaluateNovelty compares the scores of records with whether they are novel: unlike those that a machine was trained
// on. A higher score speaks for a known record, a score of at most 0 says that the record is novel. The report is that
// of Evaluate for the classes known and novel, the second being positive: auroc is the share of the pairs of a known
// and a novel record in which the novel one has the lower score. Without both kinds of records the areas are undefined.
// Unequal lengths and NaN scores are errors. O(n log n).
func EvaluateNovelty(scores []float64, novel []bool) (Report, error) {
	if err := checkScores(scores, len(novel)); err != nil {
		return Report{}, fmt.Errorf("metrics: novelty: %w", err)
	}
	truth, predicted, strangeness := make([]int, len(novel)), make([]int, len(novel)), make([]float64, len(novel))
	for i, s := range scores {
		strangeness[i] = -s
		if novel[i] {
			truth[i] = 1
		}
		if s <= 0 {
			predicted[i] = 1
		}
	}
	return Evaluate([]string{"known", "novel"}, truth, predicted, [][]float64{strangeness}, 1)
}
