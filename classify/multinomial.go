package classify

import (
	"cmp"
	"slices"

	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/elementary"
)

// Multinomial is the scheme with a machine per class, all trained as one problem of logistic regression, so that the
// probabilities of the classes are the softmax of their decision values: see [process.Multinomial].
const Multinomial = "multinomial"

type multinomial struct{ perClass }

func (multinomial) check(t Trainer) error {
	return cmp.Or(
		t.checkSquares("for the scheme "+Multinomial),
		svm.CheckOption(t.Loss == LossLogistic && t.Landmarks == 0 && t.Relevance == 0, "Multiclass", Multinomial,
			"another scheme, or the loss %s without Landmarks and Relevance", LossLogistic))
}

// bytes counts the coefficients: no machine is calibrated.
func (multinomial) bytes(_ Trainer, n, k float64) float64 { return machineRecordBytes * n * k }

func (multinomial) plan(t Trainer, p *plan, d *Dataset, rows []int) {
	y, counts := d.classesOf(rows)
	p.jobs = crammerSinger{}.jobs(t, rows, y, counts)
	p.jobs[0].joint.(*crammerSingerProblem).logistic = true // that of all jobs
}

func (multinomial) probabilities(_ *Rule, decisions []float64) []float64 {
	greatest, sum := slices.Max(decisions), 0.0
	out := make([]float64, len(decisions))
	for c, v := range decisions {
		out[c] = elementary.Exp(v - greatest)
		sum += out[c]
	}
	for c := range out {
		out[c] /= sum
	}
	return out
}
