package metrics

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/internal/elementary"
	"github.com/seqsvm/seqsvm/internal/fenwick"
)

// RankMetrics returns the names of the metrics of a ranking, in order. Within a query records are ranked by their
// scores, highest first, and their true grades say how high they should be. Records of equal scores count as in the
// mean over all their orders, so that no order of the input changes a metric.
//
//	ndcg            Σ gain/log₂(rank + 1) over the whole list, divided by that of the best order (Järvelin & Kekäläinen
//	                2002, doi:10.1145/582415.582418); ties as McSherry & Najork 2008, doi:10.1007/978-3-540-78646-7_38
//	precision_at_10 the share of the first 10 records, or of all if they are fewer, that are relevant; 10 is the k below
//	pair_accuracy   the share of the pairs of one query and of different grades in which the record of the higher grade
//	                has the higher score, equal scores counting half; with two grades and one query this is AUROC
//
// If all grades are integers from 0 to 31, the gain is 2^grade − 1, and grades above 0 are relevant. Else the gain is
// the grade itself, less the lowest grade if that is negative, and relevant are the k highest grades of a query, with
// those equal to the lowest of these. The first two are means over the queries in which they are defined: ndcg is not
// where no record has a gain. pair_accuracy counts the pairs of all queries together.
func RankMetrics() []string { return rankMetrics(PrecisionDepth) }

func rankMetrics(k int) []string {
	return []string{"ndcg", fmt.Sprintf("precision_at_%d", k), "pair_accuracy"}
}

// PrecisionDepth is the usual k of EvaluateRanking.
const PrecisionDepth = 10

// EvaluateRanking measures scores by the grades of the records. queries has the name of each record's query; nil: there
// is one. k ≥ 1 is that of the precision, and in its name. Unequal lengths, grades that are not finite and NaN scores
// are errors. O(n log n).
func EvaluateRanking(grades, scores []float64, queries []string, k int) (Report, error) {
	if err := checkScores(scores, len(grades)); err != nil {
		return Report{}, fmt.Errorf("metrics: ranking: %w", err)
	}
	if err := checkFinite("grade", grades); err != nil {
		return Report{}, fmt.Errorf("metrics: ranking: %w", err)
	}
	if queries != nil && len(queries) != len(grades) {
		return Report{}, fmt.Errorf("metrics: ranking: %d queries for %d records, want one per record, or none at all",
			len(queries), len(grades))
	}
	if k < 1 {
		return Report{}, fmt.Errorf("metrics: ranking: precision at %d, want at least 1", k)
	}
	gain, whole := gainOf(grades)
	var ndcgs, precisions []float64
	var twice, pairs int64
	for _, q := range byQuery(grades, scores, queries) {
		ndcgs = append(ndcgs, q.discounted(graded.byScore, gain)/q.discounted(graded.byGrade, gain))
		precisions = append(precisions, q.precision(k, whole))
		right, all := q.pairs()
		twice, pairs = twice+right, pairs+all
	}
	return Report{N: len(grades), Scalars: Scalars{Names: rankMetrics(k), Values: []Float{
		Float(meanDefined(ndcgs)), Float(meanDefined(precisions)), Float(ratio(twice, 2*pairs)),
	}}}, nil
}

// gainOf returns what a grade adds to a ranking, and whether all grades are small whole numbers.
func gainOf(grades []float64) (gain func(float64) float64, whole bool) {
	const most = 31
	isGrade := func(g float64) bool { return g >= 0 && g <= most && g == math.Trunc(g) }
	if !slices.ContainsFunc(grades, func(g float64) bool { return !isGrade(g) }) {
		return func(g float64) float64 { return math.Ldexp(1, int(g)) - 1 }, true
	}
	lowest := min(0, slices.Min(grades))
	return func(g float64) float64 { return g - lowest }, false
}

// graded is a record of a query.
type graded struct{ grade, score float64 }

func (r graded) byScore() float64 { return r.score }
func (r graded) byGrade() float64 { return r.grade }

// query is the records of one query.
type query []graded

// byQuery divides the records among the queries, in the order of their first records.
func byQuery(grades, scores []float64, queries []string) (out []query) {
	number := map[string]int{}
	for i, grade := range grades {
		name := ""
		if queries != nil {
			name = queries[i]
		}
		q, known := number[name]
		if !known {
			q = len(out)
			number[name], out = q, append(out, nil)
		}
		out[q] = append(out[q], graded{grade, scores[i]})
	}
	return out
}

// ties sorts the records by a key, highest first, and returns a walk over those of equal keys.
func (q query) ties(key func(graded) float64) iter.Seq[query] {
	slices.SortFunc(q, func(a, b graded) int { return cmp.Compare(key(b), key(a)) })
	return func(yield func(query) bool) {
		for first, i := 0, 1; i <= len(q); i++ {
			if i < len(q) && key(q[i]) == key(q[first]) {
				continue
			}
			if !yield(q[first:i]) {
				return
			}
			first = i
		}
	}
}

// discounted is the sum of gain/log₂(rank + 1) in the order of a key.
func (q query) discounted(key func(graded) float64, gain func(float64) float64) (sum float64) {
	rank := 0
	for tied := range q.ties(key) {
		var gains, discounts float64
		for _, r := range tied {
			rank++
			gains += gain(r.grade)
			discounts += math.Ln2 / elementary.Log(float64(rank+1))
		}
		sum += float64(gains / float64(len(tied)) * discounts)
	}
	return sum
}

// precision is the share of relevant records among the first k: of grades above 0 if they are whole numbers, else of
// the k highest grades.
func (q query) precision(k int, whole bool) float64 {
	k = min(k, len(q))
	least := math.SmallestNonzeroFloat64
	if !whole {
		grades := make([]float64, len(q))
		for i, r := range q {
			grades[i] = r.grade
		}
		slices.Sort(grades)
		least = grades[len(grades)-k]
	}
	var sum float64
	left := k
	for tied := range q.ties(graded.byScore) {
		relevant := 0
		for _, r := range tied {
			if r.grade >= least {
				relevant++
			}
		}
		taken := min(left, len(tied))
		left -= taken
		sum += float64(taken*relevant) / float64(len(tied))
	}
	return sum / float64(k)
}

// pairs counts the pairs of different grades, and twice those in the right order; one in a tie counts once.
func (q query) pairs() (twice, pairs int64) {
	scores := make([]float64, len(q))
	for i, r := range q {
		scores[i] = r.score
	}
	slices.Sort(scores)
	scores = slices.Compact(scores)
	higher := make(fenwick.Tree, len(scores)+1) // of the records of higher grades, by score
	var above int64
	for tied := range q.ties(graded.byGrade) {
		for _, r := range tied {
			at, _ := slices.BinarySearch(scores, r.score)
			atMost, less := int64(higher.Below(at+1)), int64(higher.Below(at))
			twice += 2*(above-atMost) + (atMost - less)
		}
		for _, r := range tied {
			at, _ := slices.BinarySearch(scores, r.score)
			higher.Add(at)
		}
		pairs += above * int64(len(tied))
		above += int64(len(tied))
	}
	return twice, pairs
}
