package classify

import (
	"testing"

	"github.com/seqsvm/seqsvm/classify/internal/lasso"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// weightsBy solves a machine of a data set by its features.
func weightsBy(t *testing.T, tr Trainer, d *Dataset, class int) (w map[string]float64, bias float64) {
	t.Helper()
	k, err := stringkernel.Fit(t.Context(), tr.Kernel, d.Corpus)
	if err != nil {
		t.Fatal(err)
	}
	all, err := listing(t.Context(), k, d.Corpus)
	if err != nil {
		t.Fatal(err)
	}
	p := lasso.Problem{Rows: all.rows, Y: signs(d.Y, class), Logistic: tr.Loss == LossLogistic, Tol: tr.Tol}
	for range p.Y {
		p.Costs = append(p.Costs, tr.C)
	}
	s, err := p.Solve(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	w = map[string]float64{}
	for id, value := range s.Weights {
		w[all.names[id]] = value
	}
	return w, s.Bias
}
