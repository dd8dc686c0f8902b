// Package lasso trains linear machines whose weights are few: those of a penalty Σ_j |w_j| in place of ½‖w‖². It sees
// explicit features, not kernels.
package lasso

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/seqsvm/seqsvm/classify/risk"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/elementary"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/rows"
	"github.com/seqsvm/seqsvm/internal/vectors"
)

// Name is that of the solver in its reports.
const Name = "l1-coordinate"

// Problem is
//
//	min over w, b of  Σ_j |w_j| + Σ_i c_i ℓ(y_i (⟨w, x_i⟩ + b)),   ℓ(z) = max(0, 1 − z)²  or  log(1 + exp(−z)),
//
// LIBLINEAR's -s 5 and -s 6 but for the bias, which is not penalised. It is solved by coordinate descent on the
// weights, a step of Newton's method and a search along it for each, with shrinking (Chang, Hsieh & Lin 2008, JMLR 9,
// 1369–1398; Yuan, Chang, Hsieh & Lin 2010, JMLR 11, 3183–3234). The certificate is a point of the dual,
//
//	max over α of  −Σ_i c_i ℓ*(−α_i/c_i)   subject to  |Σ_i α_i y_i x_ij| ≤ 1 for every j,  Σ_i α_i y_i = 0,  α ≥ 0,
//
// made of the slopes of the losses, α_i = −c_i ℓ'(z_i), the two classes brought into balance and all scaled into the
// bounds.
//
// Time: a pass is linear in the values of the features that are visited; with the logistic loss an exponential function
// for each. Memory: 12 bytes per value and 40 per record and feature.
type Problem struct {
	Rows     *rows.Rows // x_i; every feature at most once in a row
	Y        []float64  // ±1, both of which occur
	Costs    []float64  // c_i > 0
	Logistic bool       // the logistic loss, else the squared hinge
	NoBias   bool       // b = 0, and no condition on Σ α y

	Tol           float64 // relative gap to stop at; zero: 1e-3
	MaxIterations int     // passes; zero: 100,000
	Seed          uint64  // of the order of features
	Progress      func(svm.Progress)
}

// Solution is an approximate solution with its certificate.
type Solution struct {
	Weights []float64 // w, by feature, most of them 0
	Bias    float64   // b
	svm.Certificate
	Iterations int // passes
}

// Numbers of the search along a step.
const (
	sufficient = 0.01 // of the decrease that the gradient promises
	mostHalves = 60
	leastCurve = 1e-12
)

// run is the state of a call of Solve.
type run struct {
	Problem
	columns        *rows.Columns
	weights        []float64
	bias           float64
	margins        []float64 // ⟨w, x_i⟩ + b
	slopes, curves []float64 // c_i ℓ' y_i and c_i ℓ'' there
	alpha, seen    []float64 // of certificates: α, and Σ_i α_i y_i x_ij by feature
	every          []uint32  // all records, of the bias
	ones           []float64
	active         []uint32 // features to visit
	violation      float64  // the greatest of a pass
	threshold      float64  // that of the last pass, per record
}

// Solve solves the problem. It returns ctx.Err() soon after ctx is done, and the best point that it has reached if the
// gap cannot be closed within MaxIterations.
func (p Problem) Solve(ctx context.Context) (Solution, error) {
	n, width := p.Rows.Len(), p.Rows.Width()
	if err := p.check(); err != nil {
		return Solution{}, err
	}
	if err := memory.Check(float64(12*float64(p.Rows.Entries())) + float64(40*float64(n+width))); err != nil {
		return Solution{}, fmt.Errorf("lasso: %d features of %d records need %w", width, n, err)
	}
	r := &run{
		Problem: p, columns: p.Rows.Columns(), weights: make([]float64, width), margins: make([]float64, n),
		slopes: make([]float64, n), curves: make([]float64, n), alpha: make([]float64, n), seen: make([]float64, width),
		every: make([]uint32, n), ones: make([]float64, n), threshold: math.Inf(1),
	}
	for i := range n {
		r.every[i], r.ones[i] = uint32(i), 1
		r.refresh(i)
	}
	r.all()
	return r.solve(ctx)
}

func (p *Problem) check() error {
	positives := 0
	for i, y := range p.Y {
		if y != 1 && y != -1 || !(p.Costs[i] > 0) {
			return fmt.Errorf("lasso: record %d has label %v and cost %v, want +1 or -1 and a cost above 0", i, y, p.Costs[i])
		}
		if y > 0 {
			positives++
		}
	}
	if positives == 0 || positives == len(p.Y) || len(p.Y) != p.Rows.Len() {
		return fmt.Errorf("lasso: %d of %d labels of %d rows are +1, want one of each at least", positives, len(p.Y),
			p.Rows.Len())
	}
	return nil
}

// all makes the next pass visit every feature.
func (r *run) all() {
	r.active = r.active[:0]
	for j := range r.weights {
		r.active = append(r.active, uint32(j))
	}
	r.threshold = math.Inf(1)
}

func (r *run) solve(ctx context.Context) (Solution, error) {
	tol, most := cmp.Or(r.Tol, 1e-3), cmp.Or(r.MaxIterations, 100_000)
	random := rand.New(rand.NewPCG(r.Seed, uint64(len(r.weights))))
	s := Solution{Weights: make([]float64, len(r.weights))}
	s.Primal, s.Dual = math.Inf(1), math.Inf(-1)
	for next := 1; ; {
		if err := r.pass(ctx, random); err != nil {
			return Solution{}, err
		}
		s.Iterations++
		if s.Iterations < next && s.Iterations < most {
			continue
		}
		next += 1 + s.Iterations/4
		r.certify(&s)
		done := s.Gap <= tol || s.Iterations >= most || r.violation == 0 && len(r.active) == len(r.weights)
		svm.Report(r.Progress, Name, s.Iterations, s.Certificate, done)
		if done {
			return s, nil
		}
		if r.violation == 0 {
			next = s.Iterations + 1
		}
		r.all()
	}
}

// pass visits the active features in random order, and the bias after them.
func (r *run) pass(ctx context.Context, random *rand.Rand) error {
	random.Shuffle(len(r.active), func(a, b int) { r.active[a], r.active[b] = r.active[b], r.active[a] })
	r.violation = 0
	left := r.active[:0]
	const often = 1 << 10
	for at, j := range r.active {
		if at%often == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if !r.visit(j) {
			left = append(left, j)
		}
	}
	r.active = left
	r.threshold = r.violation / float64(len(r.Y))
	if math.IsInf(r.threshold, 0) || math.IsNaN(r.threshold) {
		return fmt.Errorf("lasso: a feature has a slope that is not a number, want values of at most 1e70")
	}
	if !r.NoBias {
		r.step(&r.bias, r.every, r.ones, 0)
	}
	return nil
}

// slope returns the derivatives of the loss along a feature.
func (r *run) slope(documents []uint32, values []float64) (first, second float64) {
	for e, i := range documents {
		v := values[e]
		first += float64(r.slopes[i] * v)
		second += float64(r.curves[i] * v * v)
	}
	return first, second
}

// visit changes one weight and reports whether the feature may be left out.
func (r *run) visit(j uint32) (leaves bool) {
	documents, values := r.columns.Column(j)
	if r.weights[j] == 0 {
		first, _ := r.slope(documents, values)
		if math.Abs(first) <= 1 {
			return math.Abs(first) < 1-r.threshold
		}
	}
	r.violation = max(r.violation, r.step(&r.weights[j], documents, values, 1))
	return false
}

// step changes the weight of a feature with a penalty, and returns by how much it violated optimality.
func (r *run) step(weight *float64, documents []uint32, values []float64, penalty float64) (violation float64) {
	first, second := r.slope(documents, values)
	second = max(second, leastCurve)
	w := *weight
	up, down := first+penalty, first-penalty
	d := -w
	switch {
	case w > 0:
		violation = math.Abs(up)
	case w < 0:
		violation = math.Abs(down)
	default:
		violation = max(0, down, -up)
	}
	switch {
	case up < second*w:
		d = -up / second
	case down > second*w:
		d = -down / second
	}
	if math.Abs(d) < 1e-14*math.Max(1, math.Abs(w)) {
		return violation
	}
	promised := float64(penalty*(math.Abs(w+d)-math.Abs(w))) + float64(first*d)
	for range mostHalves {
		change := float64(penalty * (math.Abs(w+d) - math.Abs(w)))
		for e, i := range documents {
			z := float64(r.margins[i] * r.Y[i])
			change += float64(r.Costs[i] * (r.loss(z+float64(d*values[e]*r.Y[i])) - r.loss(z)))
		}
		if change <= sufficient*promised {
			*weight = w + d
			for e, i := range documents {
				r.margins[i] += float64(d * values[e])
				r.refresh(int(i))
			}
			return violation
		}
		d /= 2
		promised /= 2
	}
	return violation
}

// loss returns ℓ(z).
func (r *run) loss(z float64) float64 {
	if r.Logistic {
		return risk.Softplus(-z)
	}
	d := max(0, 1-z)
	return float64(d * d)
}

// refresh computes the derivatives of the loss of a record.
func (r *run) refresh(i int) {
	y, c := r.Y[i], r.Costs[i]
	z := float64(r.margins[i] * y)
	if !r.Logistic {
		if z >= 1 {
			r.slopes[i], r.curves[i] = 0, 0
		} else {
			r.slopes[i], r.curves[i] = -2*c*(1-z)*y, 2*c
		}
		return
	}
	p, _ := risk.Odds(z)
	r.slopes[i], r.curves[i] = -c*p*y, c*p*(1-p)
}

// certify computes all margins afresh, and both bounds; the best of either is kept.
func (r *run) certify(s *Solution) {
	primal := 0.0
	for _, w := range r.weights {
		primal += math.Abs(w)
	}
	var sides [2]float64 // Σ α of either class
	for i, y := range r.Y {
		r.margins[i] = r.Rows.Gather(r.weights, i) + r.bias
		r.refresh(i)
		primal += float64(r.Costs[i] * r.loss(float64(r.margins[i]*y)))
		r.alpha[i] = math.Abs(r.slopes[i])
		sides[sideOf(y)] += r.alpha[i]
	}
	clear(r.seen)
	for i, y := range r.Y {
		if side := sideOf(y); !r.NoBias && sides[side] > sides[1-side] {
			r.alpha[i] *= sides[1-side] / sides[side]
		}
		if r.alpha[i] != 0 {
			r.Rows.Scatter(r.seen, i, r.alpha[i]*y)
		}
	}
	most := max(1, vectors.Greatest(r.seen)) // of |Σ α y x_j|
	if primal < s.Primal {
		s.Primal, s.Bias = primal, r.bias
		copy(s.Weights, r.weights)
	}
	s.Dual = max(s.Dual, r.dual(1/most))
	s.Gap = svm.Between(s.Primal, s.Dual).Gap
}

func sideOf(y float64) int {
	if y > 0 {
		return 0
	}
	return 1
}

// dual returns the value of the dual at a multiple of α.
func (r *run) dual(scale float64) (value float64) {
	if !r.Logistic { // α − α²/(4c)
		for i, a := range r.alpha {
			a = float64(a * scale)
			value += a - float64(a*a)/(4*r.Costs[i])
		}
		return value
	}
	for i, a := range r.alpha {
		p := a * scale / r.Costs[i]
		value += float64(r.Costs[i] * (entropy(p) + entropy(1-p)))
	}
	return value
}

// entropy returns −p log p.
func entropy(p float64) float64 {
	if p <= 0 {
		return 0
	}
	return -p * elementary.Log(p)
}
