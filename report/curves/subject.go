package curves

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/internal/subset"
	"github.com/seqsvm/seqsvm/report/figure"
)

// Subject is predictions of the classes or numbers of records.
type Subject struct {
	Data        *dataset.Dataset
	Predictions []decide.Prediction
	Fold        []int  // of each record, from 0: predictions are of a cross-validation; else nil
	Replicates  int    // samples for the bands of curves; zero: no bands
	Seed        uint64 // of the samples

	Beside []decide.Prediction // of another model, whose histogram of scores is to have the same bars
}

// Of draws what fits the labels. It fails if the context ends, or where the predictions are not numbers.
func (s Subject) Of(ctx context.Context) (*Result, error) {
	r := new(Result)
	if len(s.Predictions) == 0 || len(s.Predictions) != s.Data.Len() {
		return nil, fmt.Errorf("curves: %d predictions for %d records", len(s.Predictions), s.Data.Len())
	}
	switch s.Data.Labelling() {
	case dataset.Numbers, dataset.Grades:
		s.numbers(r)
		return r, nil
	case dataset.OrderedClasses:
		s.confusion(r)
		return r, nil
	}
	if err := s.rankings(ctx, r); err != nil {
		return nil, err
	}
	s.histogram(r)
	if err := s.calibration(r); err != nil {
		return nil, err
	}
	s.confusion(r)
	return r, nil
}

// contrast is a class against all others.
type contrast struct {
	name     string
	series   int // its colour
	drawn    bool
	scores   []float64
	positive []bool
}

// mostDrawn is the number of classes with curves of their own in a picture.
const mostDrawn = 8

// contrasts lists the classes, of two the positive one alone, with a number for each record. Of many classes those of
// most records are drawn.
func (s Subject) contrasts(number func(p *decide.Prediction, class int) float64) []contrast {
	var classes []int
	if two := len(s.Predictions[0].Scores) == 1; two {
		classes = []int{s.Data.Positive}
	} else {
		classes = subset.Whole(len(s.Predictions[0].Scores)) // labels that the model does not know have none
	}
	list := make([]contrast, len(classes))
	size := make([]int, len(classes))
	for k, class := range classes {
		list[k] = contrast{name: s.Data.Classes[class]}
		for i := range s.Predictions {
			is := s.is(i, class)
			list[k].scores = append(list[k].scores, number(&s.Predictions[i], class))
			list[k].positive = append(list[k].positive, is)
			if is {
				size[k]++
			}
		}
	}
	order := subset.Whole(len(list))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(size[b], size[a]) })
	for _, k := range order[:min(mostDrawn, len(order))] {
		list[k].drawn = true
	}
	next := 0
	for k := range list {
		if list[k].drawn {
			list[k].series = next
			next++
		}
	}
	return list
}

// is reports whether a record is of a class.
func (s Subject) is(i, class int) bool {
	if s.Data.LabelSets != nil {
		return slices.Contains(s.Data.LabelSets[i], class)
	}
	return s.Data.Y[i] == class
}

// folds returns the records of each fold, or all.
func (s Subject) folds(records []int) [][]int {
	if s.Fold == nil {
		return [][]int{records}
	}
	parts := make([][]int, slices.Max(s.Fold)+1)
	for _, i := range records {
		parts[s.Fold[i]] = append(parts[s.Fold[i]], i)
	}
	return parts
}

func (s Subject) all() []int { return subset.Whole(len(s.Predictions)) }

// note says which classes are drawn.
func note(list []contrast) string {
	if len(list) <= mostDrawn {
		return ""
	}
	return fmt.Sprintf("The %d largest of %d classes.", mostDrawn, len(list))
}

// score returns the score of a class.
func score(p *decide.Prediction, class int) float64 {
	if len(p.Scores) == 1 {
		return p.Scores[0]
	}
	return p.Scores[class]
}

// confusion draws the confusion matrix of records of one class each.
func (s Subject) confusion(r *Result) {
	if s.Data.LabelSets != nil {
		return
	}
	f := figure.Confusion{Title: "Confusion matrix", Classes: s.Data.Classes}
	for range s.Data.Classes {
		f.Counts = append(f.Counts, make([]int64, len(s.Data.Classes)))
	}
	for i, p := range s.Predictions {
		f.Counts[s.Data.Y[i]][p.Class]++
	}
	r.add(f)
}

var nan = math.NaN()
