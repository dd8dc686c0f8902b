package classify

import (
	"context"
	"strconv"
	"testing"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/internal/must"
)

// crossValidateByHand trains on a copy of each training part and predicts each test part.
func crossValidateByHand(t *testing.T, tr Trainer, d *dataset.Dataset, fold []int) []decide.Prediction {
	t.Helper()
	out := make([]decide.Prediction, d.Len())
	for f := 0; ; f++ {
		var train, test []int
		for i, g := range fold {
			if g == f {
				test = append(test, i)
			} else {
				train = append(train, i)
			}
		}
		if len(test) == 0 {
			return out
		}
		_, c := mustTrain(t, tr, d.Subset(train))
		for _, i := range test {
			out[i] = c.Decide(d.Corpus.Seq(i))
		}
	}
}

func TestCrossValidateByGroups(t *testing.T) {
	d := toyData(90, 2)
	d.Groups = make([]string, 90)
	for i := range d.Groups {
		d.Groups[i] = strconv.Itoa(i / 3)
	}
	fold := must.Get(d.Folds(3, 1))(t)
	tr := Trainer{Kernel: toyKernel{}, Probability: true}
	must.Get(CrossValidate(context.Background(), tr, d, fold))(t)
	// Calibration keeps groups together too.
	p := must.Get(tr.plan(d, nil))(t)
	for _, c := range p.folds[0] {
		tested := map[string]bool{}
		for _, i := range p.jobs[c.job].Test {
			tested[d.Groups[i]] = true
		}
		for _, i := range p.jobs[c.job].Index {
			if tested[d.Groups[i]] {
				t.Fatalf("group %s is trained on and tested", d.Groups[i])
			}
		}
	}
}
