package process_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/seqsvm/seqsvm/classify/process"
	"github.com/seqsvm/seqsvm/classify/svm"
)

func TestLogisticErrors(t *testing.T) {
	g := &svm.Precomputed{N: 2, K: []float64{1, 0, 0, 1}}
	done, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := (process.Logistic{}).Solve(done, g, svm.Problem{Weights: []float64{1, -1}}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
	for _, p := range []svm.Problem{
		{Weights: []float64{1}}, {Weights: []float64{1, 1}}, {Weights: []float64{1, 0}}, {Weights: []float64{1, -1}, Tol: 2},
		{Weights: []float64{1, math.NaN()}}, {Weights: []float64{-1, math.Inf(1)}},
	} {
		if _, err := (process.Logistic{}).Solve(context.Background(), g, p); err == nil {
			t.Errorf("%v: no error", p.Weights)
		}
	}
	for _, p := range []svm.MulticlassProblem{
		{Y: []int{0}, Classes: 2}, {Y: []int{0, 0}, Classes: 2}, {Y: []int{0, 2}, Classes: 2}, {Y: []int{0, 0}, Classes: 1},
		{Y: []int{0, 1}, Classes: 2, Costs: []float64{1}}, {Y: []int{0, 1}, Classes: 2, Costs: []float64{1, -1}},
	} {
		if _, err := (process.Multinomial{}).Solve(context.Background(), g, p); err == nil {
			t.Errorf("%v: no error", p)
		}
	}
}

// Two records, one of each class, are alike up to the sign: the bias is 0, and α = C/(1 + e^{α}).
func ExampleLogistic() {
	g := &svm.Precomputed{N: 2, K: []float64{1, 0, 0, 1}}
	machine, err := process.Logistic{}.Solve(context.Background(), g, svm.Problem{Weights: []float64{1, -1}, Tol: 1e-12})
	if err != nil {
		fmt.Println(err)
		return
	}
	a := machine.Coef[0]
	fmt.Printf("%.4f %.4f, bias %.1f\n", a, 1/(1+math.Exp(a)), math.Abs(machine.Rho))
	// Output: 0.4011 0.4011, bias 0.0
}
