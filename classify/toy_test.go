package classify

import (
	"context"
	"fmt"
	"testing"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/internal/svmtest"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// toyKernel compares sequences by their counts of letter pairs: a kernel with nothing but Eval.
type toyKernel struct {
	Scale float64 `json:"scale"`
}

func (k toyKernel) Check() error {
	if k.Scale < 0 {
		return fmt.Errorf("toy: scale = %v, want ≥ 0", k.Scale)
	}
	return nil
}

func (k toyKernel) SelfEval(x []byte) float64 { return k.Eval(x, x) }

func (k toyKernel) Eval(x, y []byte) float64 {
	var counts [1024]int32
	pair := func(s []byte, i int) int { return int(s[i]&31)<<5 | int(s[i+1]&31) }
	for i := range len(x) - 1 {
		counts[pair(x, i)]++
	}
	sum := 0
	for i := range len(y) - 1 {
		sum += int(counts[pair(y, i)])
	}
	return float64(sum) / 100
}

func (k toyKernel) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	return dense(stringkernel.DirectGram{Kernel: k, Corpus: c}), nil
}

func (k toyKernel) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	if err := c.Check(sv); err != nil {
		return nil, err
	}
	return stringkernel.DirectScorer{Kernel: k, SV: sv, Coef: c}, nil
}

// fittedToy is a Fitter that remembers how many sequences it was fitted to and scales by that.
type fittedToy struct {
	toyKernel
	reference *stringkernel.Corpus
}

func (k fittedToy) Fit(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Kernel, error) {
	k.reference = c
	return k, nil
}

func (k fittedToy) SelfContained() bool { return false }

func (k fittedToy) Reference() *stringkernel.Corpus { return k.reference }

func (k fittedToy) SelfEval(x []byte) float64 { return k.Eval(x, x) }

func (k fittedToy) Eval(x, y []byte) float64 {
	return k.toyKernel.Eval(x, y) * 100 / float64(k.reference.Len())
}

func (k fittedToy) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	return dense(stringkernel.DirectGram{Kernel: k, Corpus: c}), nil
}

func (k fittedToy) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	return stringkernel.DirectScorer{Kernel: k, SV: sv, Coef: c}, nil
}

// toyData labels record i of toyCorpus by i mod classes: "a", "b", "c".
func toyData(n, classes int) *dataset.Dataset {
	labels := make([]string, n)
	for i := range labels {
		labels[i] = string("abc"[i%3%classes])
	}
	d, err := dataset.New(svmtest.Corpus(n), labels, nil)
	if err != nil {
		panic(err)
	}
	return d
}

// dense returns the matrix of g's rows.
func dense(g stringkernel.Gram) *svm.Precomputed {
	n := g.Len()
	p := &svm.Precomputed{N: n, K: make([]float64, n*n)}
	for i := range n {
		g.Row(p.K[i*n:(i+1)*n], i)
	}
	return p
}

func indices(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func mustSolve(t testing.TB, s svm.Solver, g stringkernel.Gram, y []float64, c, tol float64) svm.Solution {
	t.Helper()
	p := must.Get(svm.Classify(y, svm.Costs{Positive: c, Negative: c}))(t)
	p.Tol = tol
	sol, err := s.Solve(context.Background(), g, p)
	if err != nil {
		t.Fatalf("%T: %v", s, err)
	}
	return sol
}

// inMemory reports whether a trainer holds a matrix.
func inMemory(g stringkernel.Gram) bool {
	_, held := g.(*svm.Precomputed)
	return held
}
