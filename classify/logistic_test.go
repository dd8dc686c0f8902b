package classify_test

import (
	"testing"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/threshold"
)

// TestLogOddsAsTheyStand: without folds the probability is that of the log odds.
func TestLogOddsAsTheyStand(t *testing.T) {
	few := classify.ToyData(9, 2)
	for i := range few.Y {
		few.Y[i] = 0
	}
	few.Y[0] = 1
	for name, c := range map[string]struct {
		trainer classify.Trainer
		data    *dataset.Dataset
	}{
		"one record of a class": {classify.Trainer{Kernel: classify.ToyKernel{}}, few},
		"one group":             {classify.Trainer{Kernel: classify.ToyKernel{}}, oneGroup(classify.ToyData(30, 2))},
		"one problem for all":   {classify.Trainer{Kernel: classify.ToyKernel{}, Multiclass: decide.Multinomial}, classify.ToyData(30, 3)},
	} {
		c.trainer.Loss = classify.LossLogistic
		m, _ := classify.MustTrain(t, c.trainer, c.data)
		for _, machine := range m.Machines {
			if s := *machine.Sigmoid; s != (threshold.Sigmoid{A: -1}) {
				t.Errorf("%s: sigmoid %+v, want A = −1 and B = 0", name, s)
			}
		}
	}
	three, _ := classify.MustTrain(t, classify.Trainer{Kernel: classify.ToyKernel{}, Loss: classify.LossLogistic}, classify.ToyData(60, 3))
	for _, machine := range three.Machines {
		if machine.Sigmoid.A == -1 {
			t.Errorf("class %d is not calibrated", machine.Positive)
		}
	}
}

func oneGroup(d *dataset.Dataset) *dataset.Dataset {
	d.Groups = make([]string, d.Len())
	return d
}
