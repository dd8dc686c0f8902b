package process_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seqsvm/seqsvm/classify/process"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/must"
)

// outputs returns those of the scorer merged from a process at point x of a sample.
func (s sample) outputs(p *process.Process, x int) []float64 {
	scores := []float64{s.score(p.Coef, x)}
	for _, r := range p.Roots {
		scores = append(scores, s.score(r, x))
	}
	return scores
}

// posterior returns mean, variance and log density of the targets by dense algebra: those of new values at the points
// from s.n, with covariance scale·(K + λW⁻¹).
func (s sample) posterior(
	t *testing.T, p process.Regression, mean, scale float64,
) (means, variances []float64, evidence float64) {
	t.Helper()
	n := s.n
	c, y := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil)
	for i := range n {
		w := 1.0
		if p.Weights != nil {
			w = p.Weights[i]
		}
		for j := range n {
			c.SetSym(i, j, scale*s.all.At(i, j))
		}
		c.SetSym(i, i, scale*(s.all.At(i, i)+p.Lambda/w))
		y.SetVec(i, p.Targets[i]-mean)
	}
	var factor mat.Cholesky
	if !factor.Factorize(c) {
		t.Fatal("not positive definite")
	}
	var alpha, u mat.VecDense
	must.Succeed(t, factor.SolveVecTo(&alpha, y))
	for x := n; x < s.all.SymmetricDim(); x++ {
		k := mat.NewVecDense(n, nil)
		for i := range n {
			k.SetVec(i, scale*s.all.At(i, x))
		}
		must.Succeed(t, factor.SolveVecTo(&u, k))
		means = append(means, mean+mat.Dot(k, &alpha))
		variances = append(variances, scale*(s.all.At(x, x)+p.Lambda)-mat.Dot(k, &u))
	}
	evidence = -(mat.Dot(y, &alpha) + factor.LogDet() + float64(n)*math.Log(2*math.Pi)) / 2
	return means, variances, evidence
}

// Mean and variance are those of dense algebra where Lanczos goes to the end, and bounds of them before.
func TestGaussian(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 2))
	const n, others = 120, 30
	s := newSample(rng, n, others)
	for name, p := range problems(rng, n) {
		p.Tol = 1e-24
		var before []float64
		for _, rank := range []int{3, 20, n} {
			got := must.Get(process.Gaussian{Rank: rank, Checks: 5}.Fit(context.Background(), s.gram, p))(t)
			means, variances, _ := s.posterior(t, p, -got.Rho, got.Scale)
			var now []float64
			for x := range others {
				mean, deviation := got.Predict(s.all.At(n+x, n+x), s.outputs(got, n+x))
				if math.Abs(mean-means[x]) > 1e-8 {
					t.Errorf("%s: mean %v, want %v", name, mean, means[x])
				}
				variance := deviation * deviation
				if rank == n && math.Abs(variance-variances[x]) > 1e-8 || variance < variances[x]-1e-9 {
					t.Errorf("%s, rank %d: variance %v, want %v", name, rank, variance, variances[x])
				}
				if before != nil && variance > before[x]+1e-9 {
					t.Errorf("%s: variance %v at rank %d, %v at less", name, variance, rank, before[x])
				}
				now = append(now, variance)
			}
			before = now
			if (rank == n) != (got.Slack < 0.011) {
				t.Errorf("%s, rank %d: slack %g", name, rank, got.Slack)
			}
		}
	}
}

// The scale that maximises the evidence is the one taken, and the evidence is that of dense algebra.
func TestEvidence(t *testing.T) {
	rng := rand.New(rand.NewPCG(22, 2))
	const n = 60
	s := newSample(rng, n, 0)
	lambdas := []float64{0.01, 1, 0.1}
	for name, p := range problems(rng, n) {
		if !p.NoBias {
			continue // the same again
		}
		p.Tol = 1e-14
		mean := 0.0
		if m, err := (process.Gaussian{}).Fit(context.Background(), s.gram, p); err != nil {
			t.Fatal(err)
		} else {
			mean = -m.Rho
		}
		for _, probes := range []int{0, 50} {
			var l process.Likelihood
			l.Determinant.Probes = probes
			got, _, err := l.Evidences(context.Background(), s.gram, p, lambdas)
			if err != nil {
				t.Fatal(err)
			}
			for k, e := range got {
				p.Lambda = lambdas[k]
				_, _, want := s.posterior(t, p, mean, e.Scale)
				if math.Abs(e.Value-want) > 4*e.StdErr+1e-6 || e.StdErr > 0.1*n || e.Lambda != p.Lambda ||
					probes == 0 && e.StdErr != 0 {
					t.Errorf("%s, λ = %g: evidence %v ± %g, want %v", name, p.Lambda, e.Value, e.StdErr, want)
				}
				for _, other := range []float64{0.9, 1.1} {
					if _, _, less := s.posterior(t, p, mean, other*e.Scale); less > want {
						t.Errorf("%s: scale %g has more evidence than %g", name, other*e.Scale, e.Scale)
					}
				}
			}
		}
	}
}

// Predictions of records left out are those of machines trained without them, exactly or within the error said.
func TestLeaveOneOut(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 2))
	const n = 40
	s := newSample(rng, n, 0)
	for name, p := range problems(rng, n) {
		p.Tol = 1e-24
		lambdas := []float64{2, p.Lambda}
		all := must.Get(process.LeaveOneOut{}.Predict(context.Background(), s.gram, p, lambdas))(t)
		some := must.Get(process.LeaveOneOut{Probes: 300}.Predict(context.Background(), s.gram, p, lambdas))(t)
		exact, estimated := all[1], some[1]
		for i := range n {
			others := append(upTo(n)[:i:i], upTo(n)[i+1:]...)
			coef, bias, _ := s.bordered(t, p, others)
			want := bias
			for j, x := range others {
				want += coef[j] * s.all.At(x, i)
			}
			if math.Abs(exact.Predictions[i]-want) > 1e-7 || exact.StdErr != nil {
				t.Errorf("%s: record %d left out is predicted %v, want %v", name, i, exact.Predictions[i], want)
			}
			if d := estimated.Inverse[i] - exact.Inverse[i]; math.Abs(d) > 5*estimated.StdErr[i] {
				t.Errorf("%s: diagonal %d is off by %g, standard error %g", name, i, d, estimated.StdErr[i])
			}
		}
	}
}

// Targets that are all equal are known without doubt: the variance is 0, and its slack that of the directions.
func TestGaussianOfEqualTargets(t *testing.T) {
	s := newSample(rand.New(rand.NewPCG(23, 2)), 20, 0)
	targets := make([]float64, 20)
	for i := range targets {
		targets[i] = 2.5
	}
	p := must.Get(process.Gaussian{Rank: 5, Checks: 4}.Fit(context.Background(), s.gram, process.Regression{Targets: targets, Lambda: 0.1}))(t)
	if p.Rho != -2.5 || p.Scale != 0 || !(p.Slack >= 0 && p.Slack < math.Inf(1)) {
		t.Errorf("rho %v, scale %v, slack %v; want -2.5, 0 and a number", p.Rho, p.Scale, p.Slack)
	}
}

// The factor of the exact inverse is counted before it is made.
func TestLeaveOneOutMemory(t *testing.T) {
	s := newSample(rand.New(rand.NewPCG(24, 2)), 20, 0)
	defer memory.SetLimit(memory.SetLimit(1000))
	p := process.Regression{Targets: make([]float64, 20), Lambda: 1}
	var want *memory.Error
	_, err := process.LeaveOneOut{}.Predict(context.Background(), s.gram, p, []float64{1})
	if !errors.As(err, &want) {
		t.Errorf("error %v, want one about memory", err)
	}
}
