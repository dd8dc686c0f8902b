// Package conformal says how sure a prediction is, by records that were left out in training: the set of labels that
// holds the right one, or the interval that holds the number, with a chosen confidence.
//
// A nonconformity score says how badly a label suits a record. A label is in the set of a record unless its score is
// among the greatest of those that records left out have with their own label. If these records and the new one are
// exchangeable, and one function gives all scores, the set lacks the right label with a probability of at most
// 1 − confidence, whatever the data and the function (Vovk, Gammerman & Shafer 2005, doi:10.1007/b106715). Labels are
// compared with records of their own class alone, so that this holds within each class (Mondrian, or label-conditional,
// prediction).
//
// # Bounds
//
// [New] keeps at most a given number of scores per class: of more, as many of their ranks, evenly spaced. Between
// two that are kept a score counts as the lower one, so that sets are never too small; they hold the right label with a
// probability greater by at most the reciprocal of that number.
//
// # Cost
//
// O(n log n) for n records left out; O(log m) per label of a new record with m scores kept.
package conformal

import (
	"fmt"
	"math"
	"slices"
)

// Scores are the nonconformity scores of records left out in training.
type Scores struct {
	Kept  [][]float64 // by class, ascending: all, or evenly spaced ones
	Count []int       // by class, how many records they stand for
}

// New collects the scores of records by class, of which it keeps at most a number.
func New(scores [][]float64, most int) *Scores {
	s := &Scores{Kept: make([][]float64, len(scores)), Count: make([]int, len(scores))}
	for class, list := range scores {
		all := slices.Sorted(slices.Values(list))
		n := len(all)
		s.Count[class] = n
		for j := 1; j <= min(n, most); j++ {
			s.Kept[class] = append(s.Kept[class], all[rank(j, n, min(n, most))-1])
		}
	}
	return s
}

// rank returns the rank, from 1, of the j-th of m kept scores of n.
func rank(j, n, m int) int { return (j*n + m - 1) / m }

// P returns the p-value of a score with which a record would be of a class: (1 + the number of records of the class
// with this score or a greater one)/(1 + their number).
func (s *Scores) P(class int, score float64) float64 {
	kept, n := s.Kept[class], s.Count[class]
	less, _ := slices.BinarySearch(kept, score) // of equal ones, the first
	if less > 0 {
		less = rank(less, n, len(kept))
	}
	return float64(n-less+1) / float64(n+1)
}

// Contains reports whether a class is in the set of a record that would have this score as one of the class.
func (s *Scores) Contains(class int, score, confidence float64) bool {
	return s.P(class, score) > 1-confidence+rounding
}

// Radius returns the score that a new record of a class exceeds with a probability of at most 1 − confidence: of n
// records left out the one of rank ⌈confidence·(n + 1)⌉. It is +Inf if they are too few, fewer than [Least].
func (s *Scores) Radius(class int, confidence float64) float64 {
	kept, n := s.Kept[class], s.Count[class]
	wanted := math.Ceil(float64(confidence*float64(n+1)) - rounding)
	for j := range kept {
		if float64(rank(j+1, n, len(kept))) >= wanted {
			return kept[j]
		}
	}
	return math.Inf(1)
}

// Short reports whether regions of n records hold the truth in so small a share of them that the records are unlike
// those left out: four standard errors of both less than the confidence.
func (s *Scores) Short(coverage float64, n int, confidence float64) bool {
	left := 0
	for _, count := range s.Count {
		left += count
	}
	return coverage < confidence-float64(4*math.Sqrt(confidence*(1-confidence)*(1/float64(n)+1/float64(left))))
}

// rounding is what a confidence such as 0.95, which is no binary number, may be off by.
const rounding = 1e-9

// Least returns the least number of records left out with which a radius is finite.
func Least(confidence float64) int { return int(math.Ceil(confidence/(1-confidence) - rounding)) }

// Check returns an error unless there are ascending, finite scores for as many classes, of as many records or more.
func (s *Scores) Check(classes int) error {
	if len(s.Kept) != classes || len(s.Count) != classes {
		return fmt.Errorf("conformal: scores of %d classes and counts of %d, want %d", len(s.Kept), len(s.Count), classes)
	}
	for class, kept := range s.Kept {
		if s.Count[class] < len(kept) || s.Count[class] > math.MaxInt32 || (s.Count[class] > 0) != (len(kept) > 0) {
			return fmt.Errorf("conformal: class %d has %d scores of %d records", class, len(kept), s.Count[class])
		}
		for i, v := range kept {
			if v-v != 0 || i > 0 && v < kept[i-1] {
				return fmt.Errorf("conformal: score %d of class %d is %v, want finite numbers in ascending order", i, class, v)
			}
		}
	}
	return nil
}
