package classify_test

import (
	"context"
	"math"
	"testing"

	"github.com/seqsvm/seqsvm/classify"
)

func TestLearningCurveErrors(t *testing.T) {
	d, fold := classify.LearningData(t)
	tr := classify.Trainer{Kernel: classify.ToyKernel{}}
	for _, fraction := range []float64{0, -1, 1.1, math.NaN()} {
		if _, err := classify.LearningCurve(context.Background(), tr, d, fold, []float64{fraction}, 1); err == nil {
			t.Errorf("no error about fraction %v", fraction)
		}
	}
}
