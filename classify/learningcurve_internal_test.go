package classify

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/svm/smo"
	"github.com/seqsvm/seqsvm/internal/must"
)

// TestGrowing: every beginning is nested by construction; it has all classes, and of each about its share.
func TestGrowing(t *testing.T) {
	d := &dataset.Dataset{Classes: []string{"a", "b", "c"}}
	counts := []int{50, 30, 4}
	var records []int
	for class, n := range counts {
		for range n {
			records = append(records, len(d.Y))
			d.Y = append(d.Y, class)
		}
	}
	order := growing(d, records, rand.New(rand.NewPCG(1, 2)))
	if sorted := slices.Sorted(slices.Values(order)); !slices.Equal(sorted, records) {
		t.Fatalf("not an order of the records: %v", order)
	}
	seen := make([]int, 3)
	for k, i := range order {
		seen[d.Y[i]]++
		for class, n := range counts {
			want := float64(k+1) * float64(n) / float64(len(order))
			if got := float64(seen[class]); math.Abs(got-want) > 2 || k >= 2 && got == 0 {
				t.Errorf("%d of the first %d are of class %d, want about %.1f", seen[class], k+1, class, want)
			}
		}
	}
}

// TestLearningCurve: each point is what training by hand on nested parts predicts, all of them for fraction 1; the same
// again, and never on records of the fold.
func TestLearningCurve(t *testing.T) {
	d := toyData(60, 2)
	fold := must.Get(d.Folds(3, 5))(t)
	tr := Trainer{Kernel: toyKernel{}, Solver: smo.Solver{}, Tol: 1e-8}
	fractions := []float64{0.25, 0.5, 1}
	points := must.Get(LearningCurve(context.Background(), tr, d, fold, fractions, 7))(t)
	whole := crossValidateByHand(t, tr, d, fold)
	for i, p := range points[2].Result.Predictions {
		if math.Abs(p.Scores[0]-whole[i].Scores[0]) > 1e-9 {
			t.Errorf("record %d: %v with all records, %v by cross-validation", i, p.Scores[0], whole[i].Scores[0])
		}
	}
	if points[0].Records >= points[1].Records || points[1].Records >= points[2].Records {
		t.Errorf("sizes %d, %d, %d", points[0].Records, points[1].Records, points[2].Records)
	}
	again := must.Get(LearningCurve(context.Background(), tr, d, fold, fractions, 7))(t)
	for p := range points {
		for i := range fold {
			if points[p].Result.Predictions[i].Scores[0] != again[p].Result.Predictions[i].Scores[0] {
				t.Fatalf("point %d, record %d: other scores again", p, i)
			}
		}
	}
	for _, fraction := range []float64{0, -1, 1.1, math.NaN()} {
		if _, err := LearningCurve(context.Background(), tr, d, fold, []float64{fraction}, 1); err == nil {
			t.Errorf("no error about fraction %v", fraction)
		}
	}
	// By hand: the part of the first fold.
	train, test := points[0].Result.Split(0)
	order := growing(d, train, rand.New(rand.NewPCG(7, 0x1ea4)))
	part := slices.Sorted(slices.Values(order[:int(math.Round(0.25*float64(len(train))))]))
	_, c := mustTrain(t, tr, d.Subset(part))
	predictions := must.Get(c.Predict(context.Background(), d.Corpus.Subset(test)))(t)
	for j, i := range test {
		if got := points[0].Result.Predictions[i].Scores[0]; got != predictions[j].Scores[0] {
			t.Errorf("record %d: %v, by hand %v", i, got, predictions[j].Scores[0])
		}
	}
}
