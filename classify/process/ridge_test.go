package process_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/classify/process"
	"github.com/seqsvm/seqsvm/classify/svm"
)

func TestRidgeErrors(t *testing.T) {
	g := &svm.Precomputed{N: 2, K: []float64{1, 0, 0, 1}}
	y := []float64{1, 2}
	for want, p := range map[string]process.Regression{
		"want one each per record": {Targets: y[:1], Lambda: 1},
		"target of record 1":       {Targets: []float64{1, math.NaN()}, Lambda: 1},
		"weight of record 0":       {Targets: y, Weights: []float64{-1, 1}, Lambda: 1},
		"no record has a weight":   {Targets: y, Weights: []float64{0, 0}, Lambda: 1},
		"Lambda = 0":               {Targets: y},
		"Tol = 2":                  {Targets: y, Lambda: 1, Tol: 2},
	} {
		if _, err := (process.Ridge{}).Solve(context.Background(), g, p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q in it", err, want)
		}
	}
	done, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := (process.Ridge{}).Solve(done, g, process.Regression{Targets: y, Lambda: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
	if _, err := (process.Ridge{}).Solve(context.Background(), &svm.Precomputed{N: 2, K: []float64{1, math.Inf(1), 1, 1}},
		process.Regression{Targets: y, Lambda: 1}); err == nil {
		t.Error("no error for infinite kernel values")
	}
}

func ExampleRidge() {
	g := &svm.Precomputed{N: 3, K: []float64{
		2, 1, 0,
		1, 2, 1,
		0, 1, 2,
	}}
	problem := process.Regression{Targets: []float64{1, 2, 6}, Lambda: 1, Tol: 1e-12}
	machine, err := process.Ridge{}.Solve(context.Background(), g, problem)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.4f bias %.4f\n", machine.Coef, -machine.Rho)
	// Output: [-0.5333 -0.6000 1.1333] bias 3.2000
}
