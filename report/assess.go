package report

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/classify/dataset"
)

// assessment says how right a prediction is.
type assessment struct {
	wrong bool
	// margin is how far the prediction is on the right side: the score of the true class less the greatest of the
	// others or, of two classes, the distance of the decision value from the threshold, towards the true class; of
	// numbers minus the error, of label sets minus the number of wrong labels. NaN where nothing is right or wrong.
	margin float64
}

// assess assesses every prediction.
func (b *builder) assess() {
	b.assessed = make([]assessment, len(b.Predictions))
	for i := range b.assessed {
		b.assessed[i] = b.assessOne(i)
	}
}

func (b *builder) assessOne(i int) assessment {
	p := &b.Predictions[i]
	switch b.labelling {
	case dataset.Numbers:
		return assessment{margin: -math.Abs(p.Scores[0] - b.Data.Targets[i])}
	case dataset.Grades:
		return assessment{margin: math.NaN()}
	case dataset.LabelSets:
		wrong := different(p.Labels, b.Data.LabelSets[i])
		return assessment{wrong: wrong > 0, margin: -float64(wrong)}
	}
	truth := b.Data.Y[i]
	a := assessment{wrong: p.Class != truth}
	switch {
	case len(p.Scores) == 1 && len(b.Data.Classes) == 2:
		a.margin = p.Scores[0] - b.threshold(i)
		if truth != b.Data.Positive {
			a.margin = -a.margin
		}
	case len(p.Scores) == len(b.Data.Classes):
		a.margin = p.Scores[truth] - greatestBut(p.Scores, truth)
	default: // classes in order
		a.margin = -math.Abs(float64(p.Class - truth))
	}
	return a
}

// threshold returns the decision value above which a record is of the positive class of two.
func (b *builder) threshold(i int) float64 {
	rule := &b.Model.Decision
	if b.Validation != nil {
		rule = &b.Validation.Rules[b.Validation.Fold[i]]
	}
	return rule.Machines[0].Threshold
}

// greatestBut returns the greatest score but that of one class.
func greatestBut(scores []float64, class int) float64 {
	greatest := math.Inf(-1)
	for c, score := range scores {
		if c != class {
			greatest = max(greatest, score)
		}
	}
	return greatest
}

// different counts what is in one of two ascending lists alone.
func different(a, b []int) (n int) {
	for _, x := range a {
		if !slices.Contains(b, x) {
			n++
		}
	}
	for _, x := range b {
		if !slices.Contains(a, x) {
			n++
		}
	}
	return n
}

// hasErrors reports whether predictions are right or wrong, rather than more or less so.
func (b *builder) hasErrors() bool {
	return b.labelling != dataset.Numbers && b.labelling != dataset.Grades
}

// byMargin returns the records that keep accepts, those of the least margin first.
func (b *builder) byMargin(keep func(assessment) bool) (list []int) {
	for i, a := range b.assessed {
		if !math.IsNaN(a.margin) && keep(a) {
			list = append(list, i)
		}
	}
	slices.SortStableFunc(list, func(i, j int) int { return cmp.Compare(b.assessed[i].margin, b.assessed[j].margin) })
	return list
}

// wrongest returns the records whose predictions are furthest from right, the worst first.
func (b *builder) wrongest() []int {
	return b.byMargin(func(a assessment) bool { return a.wrong || !b.hasErrors() })
}

// surest returns the records that a model is surest of, the surest first: of classes those that are right.
func (b *builder) surest() []int {
	if b.hasErrors() {
		list := b.byMargin(func(a assessment) bool { return !a.wrong })
		slices.Reverse(list)
		return list
	}
	list := make([]int, len(b.Predictions))
	for i := range list {
		list[i] = i
	}
	slices.SortStableFunc(list, func(i, j int) int {
		return cmp.Compare(b.Predictions[j].Scores[0], b.Predictions[i].Scores[0])
	})
	return list
}

// drawn returns all records in random order.
func (b *builder) drawn() []int { return rand.New(rand.NewPCG(b.Seed, 1)).Perm(len(b.Predictions)) }

// choose chooses the records of the table: all or, of too many, half of them those that are furthest from right, as far
// as there are any, and the rest at random.
func (b *builder) choose() {
	n, most := len(b.Predictions), b.mostRecords()
	chosen := make([]bool, n)
	left := min(n, most)
	for _, list := range [][]int{b.wrongest(), b.drawn()} {
		if room := max(1, left/2); n > most && len(list) > room && left == most {
			list = list[:room]
		}
		for _, i := range list {
			if left > 0 && !chosen[i] {
				chosen[i] = true
				left--
			}
		}
	}
	b.row = map[int]int{}
	for i, c := range chosen {
		if c {
			b.row[i] = len(b.listed)
			b.listed = append(b.listed, i)
		}
	}
}

// joined returns the names of classes, with the separator of labels between them.
func (b *builder) joined(classes []int) string {
	names := make([]string, len(classes))
	for k, c := range classes {
		names[k] = b.Data.Classes[c]
	}
	return strings.Join(names, cmp.Or(b.Model.Input.Separator, ", "))
}
