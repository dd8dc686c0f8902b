package auto_test

import (
	"context"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/svm/auto"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/shard"
)

// inShards solves problems of explicit features: in parts of them, in a space that is wider by the square.
type inShards struct {
	auto.Tables
	parts int
	scale float64 // of features: 1 where records are visited one by one, so that their norms are those of the rows
}

func (s inShards) Solve(ctx context.Context, g stringkernel.Gram, p svm.Problem) (svm.Solution, error) {
	features := stringkernel.FeatureRowsOf(g)
	r, space := make(rows, g.Len()), metric{mat.NewSymDense(features.Width(), nil)}
	for i := range r {
		r[i] = make([]float64, features.Width())
		features.Scatter(r[i], i, s.scale)
	}
	for j := range features.Width() {
		space.SetSym(j, j, 1/(s.scale*s.scale))
	}
	records := shard.Shard(split(r, s.parts))
	if s.scale == 1 {
		records = visits(r, s.parts)
	}
	sol, err := s.Tables.Solve(ctx, space, records, p)
	if err != nil {
		return svm.Solution{}, err
	}
	for j := range sol.Table { // the weights of whole features
		sol.Table[j] /= s.scale
	}
	return svm.Solution{Coef: sol.Table, Rho: sol.Rho, Certificate: sol.Certificate,
		Iterations: sol.Iterations, Products: sol.Products, Solver: sol.Solver}, nil
}

func TestTablesConform(t *testing.T) {
	for name, s := range map[string]inShards{
		"newton": {parts: 3, scale: 0.5}, "descent": {parts: 2, scale: 1},
	} {
		limited := func(n int) svm.Solver {
			few := s
			few.MaxIterations = n
			return few
		}
		opt := abilities{Tables: true, Limited: limited, Refused: risks}
		t.Run(name, func(t *testing.T) { runSuite(t, s, opt) })
	}
}
