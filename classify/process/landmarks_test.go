package process_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seqsvm/seqsvm/classify/process"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/must"
)

// onSpan minimises ½βᵀKβ + C Σ log(1 + exp(−y(Kβ + b))) over β with entries at some records, and b, by dense Newton
// steps, and returns the least value and the scores without b.
func (s sample) onSpan(t *testing.T, y []float64, cost float64, records []int) (value float64, f []float64) {
	t.Helper()
	m := len(records) + 1 // the last is b
	x, value := mat.NewVecDense(m, nil), math.Inf(1)
	for range 60 {
		hessian, gradient := mat.NewSymDense(m, nil), mat.NewVecDense(m, nil)
		f, value = make([]float64, s.n), 0
		for j, a := range records {
			for k, b := range records[:j+1] {
				hessian.SetSym(j, k, s.all.At(a, b))
			}
			own := 0.0
			for k, b := range records {
				own += s.all.At(a, b) * x.AtVec(k)
			}
			gradient.SetVec(j, own)
			value += own * x.AtVec(j) / 2
		}
		for i := range s.n {
			row := mat.NewVecDense(m, nil)
			for j, a := range records {
				row.SetVec(j, s.all.At(i, a))
				f[i] += s.all.At(i, a) * x.AtVec(j)
			}
			row.SetVec(m-1, 1)
			wrong := 1 / (1 + math.Exp(y[i]*(f[i]+x.AtVec(m-1))))
			value += cost * math.Log1p(math.Exp(-y[i]*(f[i]+x.AtVec(m-1))))
			gradient.AddScaledVec(gradient, -cost*y[i]*wrong, row)
			hessian.SymRankOne(hessian, cost*wrong*(1-wrong), row)
		}
		var step mat.VecDense
		if err := step.SolveVec(hessian, gradient); err != nil && len(records) < 20 {
			t.Fatal(err)
		}
		x.AddScaledVec(x, -1, &step)
	}
	return value, f
}

// Machines on landmarks have the least objective in their span, by dense algebra; each landmark is the record along
// whose distance from the span of those before the objective falls most steeply; and what the span costs is bounded.
func TestLogisticLandmarks(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 19))
	const n, cost = 60, 5
	s := newSample(rng, n, 0)
	y := make([]float64, n)
	for i := range y {
		y[i] = math.Copysign(1, s.all.At(i, 0)-s.all.At(i, 1)+0.2*rng.NormFloat64())
	}
	problem := svm.Problem{Weights: y, Costs: svm.Costs{Positive: cost, Negative: cost}, Tol: 1e-13}
	full := must.Get(process.Logistic{}.Solve(context.Background(), s.gram, problem))(t)
	var landmarks []int
	for most := 1; most <= 8; most++ {
		got := must.Get(process.Logistic{Landmarks: most}.Solve(context.Background(), s.gram, problem))(t)
		want := s.steepest(t, y, cost, landmarks)
		if got.Coef[want] == 0 || got.SupportVectors() != most {
			t.Fatalf("%d landmarks: %d coefficients, and none for record %d", most, got.SupportVectors(), want)
		}
		landmarks = append(landmarks, want)
		value, f := s.onSpan(t, y, cost, landmarks)
		if relative(got.Primal, value) > 1e-10 || got.Gap > 1e-12 {
			t.Errorf("%d landmarks: objective %v, gap %g, want %v", most, got.Primal, got.Gap, value)
		}
		for i := range f {
			if math.Abs(s.score(got.Coef, i)-f[i]) > 1e-5 {
				t.Fatalf("%d landmarks: score %g, want %g", most, s.score(got.Coef, i), f[i])
			}
		}
		var count int
		var most float64
		if _, err := fmt.Sscanf(got.Reason, "%d landmarks; of all records, the objective is lower by at most %g of it",
			&count, &most); err != nil || count != len(landmarks) {
			t.Fatal(got.Reason, err)
		}
		if less := (got.Primal - full.Primal) / got.Primal; most < less*0.99 {
			t.Errorf("%d landmarks cost %g, want at most %g", count, less, most)
		}
	}
	all, err := process.Logistic{Landmarks: n}.Solve(context.Background(), s.gram, problem)
	if err != nil || relative(all.Primal, full.Primal) > 1e-9 {
		t.Errorf("all landmarks: objective %v, without them %v, %v", all.Primal, full.Primal, err)
	}
	loose := problem
	loose.Tol = 0.02
	if few, err := (process.Logistic{Landmarks: n}).Solve(context.Background(), s.gram, loose); err != nil ||
		few.SupportVectors() >= n/2 || few.Primal > 1.05*full.Primal {
		t.Errorf("at a tolerance of 0.02 %d landmarks, objective %v, least %v, %v", few.SupportVectors(), few.Primal,
			full.Primal, err)
	}
}

// steepest returns the record along which the objective falls most steeply at its least value over the span of others.
func (s sample) steepest(t *testing.T, y []float64, cost float64, span []int) (record int) {
	_, f := s.onSpan(t, y, cost, span)
	b := 0.0
	for range 100 { // of the best bias
		slope, curve := 0.0, 0.0
		for i := range y {
			p := 1 / (1 + math.Exp(y[i]*(f[i]+b)))
			slope -= y[i] * p
			curve += p * (1 - p)
		}
		b -= slope / curve
	}
	most := 0.0
	for x := range s.n {
		slope := -f[x]
		for i := range y {
			slope += cost * y[i] / (1 + math.Exp(y[i]*(f[i]+b))) * s.all.At(i, x)
		}
		distance := s.all.At(x, x)
		if len(span) > 0 {
			k, right := mat.NewSymDense(len(span), nil), mat.NewVecDense(len(span), nil)
			for j, a := range span {
				right.SetVec(j, s.all.At(a, x))
				for m, c := range span {
					k.SetSym(j, m, s.all.At(a, c))
				}
			}
			var solved mat.VecDense
			must.Succeed(t, solved.SolveVec(k, right))
			distance -= mat.Dot(right, &solved)
		}
		if distance > 1e-9 && slope*slope/distance > most {
			record, most = x, slope*slope/distance
		}
	}
	return record
}
