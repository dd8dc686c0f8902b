package classify

import (
	"testing"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/internal/lasso"
	"github.com/seqsvm/seqsvm/classify/internal/solve"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// weightsBy solves a machine of a data set by its features.
func weightsBy(t *testing.T, tr Trainer, d *dataset.Dataset, class int) (w map[string]float64, bias float64) {
	t.Helper()
	k := must.Get(stringkernel.Fit(t.Context(), tr.Kernel, d.Corpus))(t)
	all := must.Get(solve.Listing(t.Context(), k, d.Corpus))(t)
	p := lasso.Problem{Rows: all.Rows, Y: signs(d.Y, class), Logistic: tr.Loss == LossLogistic, Tol: tr.Tol}
	for range p.Y {
		p.Costs = append(p.Costs, tr.C)
	}
	s := must.Get(p.Solve(t.Context()))(t)
	w = map[string]float64{}
	for id, value := range s.Weights {
		w[all.Names[id]] = value
	}
	return w, s.Bias
}
