package classify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/floats"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/internal/solve"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// mostMixtures bounds the trainings with other weights: from a quarter to four times as many, results stay within Tol.
const mostMixtures = 200

// checkMixture returns an error for what does not go with weights that are learned.
func (t Trainer) checkMixture() error {
	plain := t.Nu == 0 && t.Lambda == 0 && t.Rank == 0 && t.Relevance == 0 && t.Landmarks == 0 && t.Prior == 0
	return cmp.Or(
		svm.CheckOption(t.MKL == 0 || t.MKL >= 1, "MKL", t.MKL, "from 1 to infinity"),
		svm.CheckOption(t.MKL == 0 || plain && !t.fewFeatures(), "MKL", t.MKL,
			"none with Nu, Lambda, Rank, Relevance, Landmarks, Prior or the penalty %s", PenaltySum))
}

// ErrNoSum says that there are no weights to be learned.
var ErrNoSum = errors.New("classify: weights are learned of a sum of two kernels or more, without weights of its own")

// checkSum returns an error if weights are to be learned of what has none.
func (t Trainer) checkSum(d *dataset.Dataset) error {
	if t.MKL == 0 {
		return nil
	}
	if own, _ := t.Kernel.(compose.Linear); !own.IsMean() || len(own.Terms) < 2 || own.Weights != nil {
		return ErrNoSum
	}
	return svm.CheckOption(d.Task != dataset.Novelty, "MKL", t.MKL, "none for novelty")
}

// withMixture returns the trainer with the weights of the kernel's terms that it learns from a data set, and the cost
// that goes with them. It trains a few times to a dozen, all on one index per term, each time from the machines before:
// up to the relative gap Tol of the whole problem.
func (t Trainer) withMixture(ctx context.Context, d *dataset.Dataset) (Trainer, *decide.Mixture, error) {
	if t.MKL == 0 {
		return t, nil, nil
	}
	norm, own := t.MKL, t.Kernel.(compose.Linear)
	t.MKL = 0
	if math.IsInf(norm, 1) {
		return t, nil, nil
	}
	m := &mixing{trainer: t, norm: norm, cost: cmp.Or(t.C, 1), data: d}
	if err := m.index(ctx); err != nil {
		return t, nil, err
	}
	if err := m.solve(ctx); err != nil {
		return t, nil, err
	}
	total := floats.Sum(m.weights)
	t.C = float64(m.cost * total)
	var mean compose.Linear
	for i, w := range m.weights {
		if w > 0 {
			mean.Terms, mean.Weights = append(mean.Terms, own.Terms[i]), append(mean.Weights, m.rounded(w/total))
		}
	}
	t.Kernel = mean
	if len(mean.Terms) == 1 {
		t.Kernel = mean.Terms[0]
	}
	return t, &m.found, nil
}

// mixing is the state of learning the weights of the kernels of a sum: ℓp-norm multiple kernel learning (Kloft,
// Brefeld, Sonnenburg & Zien 2011). With the kernels K_t, t = 1 … T, it is
//
//	min over d ≥ 0 with ‖d‖_p ≤ T^(1/p − 1), w, b of  ½ Σ_t ‖w_t‖²/d_t + C Σ_i loss(y_i, Σ_t ⟨w_t, φ_t(x_i)⟩ + b)
//
// summed over all machines, which share the weights. The bound is that of the mean, d_t = 1/T, which is the solution
// for p = ∞; p = 1 leaves few kernels, greater p all of them. The solution is that of the weighted mean
// ([compose.Mean]) of the kernels and of the cost C·Σ d_t, which a trainer then takes. Cross-validation learns weights
// in each training part; the folds of calibration, thresholds and confidence take those of all records of training.
type mixing struct {
	trainer Trainer
	data    *dataset.Dataset
	norm    float64 // p
	cost    float64 // C
	terms   []stringkernel.Kernel
	grams   []stringkernel.Gram
	weights []float64 // d

	squares []float64   // q_t = Σ_m β_mᵀ K_t β_m of the machines' coefficients, for the kernel Σ d_t K_t
	start   [][]float64 // β_m of each job, for the mean of that kernel
	total   float64     // Σ d_t then
	tol     float64     // of the trainings
	found   decide.Mixture

	steps [][]float64 // nil, or the weights before the present ones
	// not nil: what to return to unless the continued weights have a primal objective of at most least
	fallback []float64
	least    float64
}

// index fits the terms and indexes the corpus for each.
func (m *mixing) index(ctx context.Context) error {
	kernel, err := m.trainer.fitted(ctx, m.data.Corpus)
	if err != nil {
		return err
	}
	m.terms = kernel.(compose.Linear).Terms
	m.grams, m.weights = make([]stringkernel.Gram, len(m.terms)), make([]float64, len(m.terms))
	for i, term := range m.terms {
		if m.grams[i], err = term.Gram(ctx, m.data.Corpus); err != nil {
			return fmt.Errorf("classify: indexing %d records: %w", m.data.Len(), err)
		}
		if n := m.data.Len(); n <= solve.MostShared/len(m.terms) && stringkernel.IsRowBased(m.grams[i]) {
			if m.grams[i], err = svm.Hold(ctx, m.grams[i]); err != nil {
				return err
			}
		}
		m.weights[i] = 1 / float64(len(m.terms))
	}
	return nil
}

// solve alternates between the machines for some weights and the weights for some machines, which has a closed form.
func (m *mixing) solve(ctx context.Context) error {
	want := cmp.Or(m.trainer.Tol, defaultTol)
	m.tol = max(want, 0.03)
	for m.found = (decide.Mixture{Norm: m.norm}); m.found.Iterations < mostMixtures; {
		certificate, err := m.train(ctx)
		if err != nil {
			return err
		}
		m.found.Iterations++
		primal, dual := m.certify(certificate)
		m.found.Primal, m.found.Dual = primal, dual
		m.found.Gap = max(0, primal-dual) / max(math.Abs(primal), 1e-300)
		inner := max(0, certificate.Primal-certificate.Dual) / max(math.Abs(certificate.Primal), 1e-300)
		if m.found.Gap <= want {
			return nil
		}
		if least := want / 8; inner > m.found.Gap/4 { // the machines are what lacks
			m.tol = max(least, m.tol/8)
		} else if !m.update() {
			return nil
		}
	}
	return nil
}

// train trains with the present weights, from the machines before, and computes the squares. It returns the sums of the
// objectives of all problems, for the kernel Σ d_t K_t and the cost C.
func (m *mixing) train(ctx context.Context) (svm.Certificate, error) {
	t, total := m.trainer.ofMachines(m.data.Labelling()), floats.Sum(m.weights)
	t.C, t.Tol = float64(m.cost*total), m.tol
	var mean compose.Linear
	var grams []stringkernel.Gram
	for i, w := range m.weights {
		if w > 0 {
			mean.Terms, mean.Weights = append(mean.Terms, m.terms[i]), append(mean.Weights, w)
			grams = append(grams, m.grams[i])
		}
	}
	g := compose.MeanGram(mean, grams)
	plan, err := t.plan(m.data, nil)
	if err != nil {
		return svm.Certificate{}, err
	}
	for i := range m.start {
		if j := &plan.jobs[i]; j.Joint == nil && j.Risk == nil && t.Loss != LossLogistic {
			j.Start = scaled(m.start[i], total/m.total)
		}
	}
	results, rule, err := t.solvePlan(ctx, g, plan)
	if err != nil {
		return svm.Certificate{}, err
	}
	m.total, m.start = total, make([][]float64, len(plan.rule.Machines))
	for i := range m.start {
		m.start[i] = results[i].Coef
	}
	if m.squares, err = m.squaresOf(ctx, plan); err != nil {
		return svm.Certificate{}, err
	}
	var sum svm.Certificate
	for _, problem := range plan.problems(rule) {
		sum.Primal, sum.Dual = sum.Primal+problem.Primal/total, sum.Dual+problem.Dual/total
	}
	return sum, nil
}

// squaresOf returns q_t of the machines' coefficients: those for the mean are Σ d_t times those for the sum.
func (m *mixing) squaresOf(ctx context.Context, plan *plan) ([]float64, error) {
	n, squares := m.data.Len(), make([]float64, len(m.grams))
	v, f := make([]float64, n), make([]float64, n)
	for i, coef := range m.start {
		clear(v)
		solve.Expand(v, coef, plan.jobs[i].Index)
		for t, g := range m.grams {
			if err := cancel.Run(ctx, func() { g.MulVecTo(f, v) }); err != nil {
				return nil, err
			}
			squares[t] += max(0, vectors.Dot(v, f)) / float64(m.total*m.total)
		}
	}
	return squares, nil
}

// certify returns both objectives of the whole problem, from those of the machines with the present weights: the dual
// has the greatest Σ d_t q_t that any weights allow in place of that of the present ones.
func (m *mixing) certify(c svm.Certificate) (primal, dual float64) {
	present := vectors.Dot(m.weights, m.squares)
	return c.Primal, c.Dual + float64((present-float64(m.radius()*m.dualNorm()))/2)
}

// radius is the bound of ‖d‖_p, at which the mean is.
func (m *mixing) radius() float64 { return math.Pow(float64(len(m.weights)), 1/m.norm-1) }

// dualNorm is the norm of the squares with the exponent p/(p − 1).
func (m *mixing) dualNorm() float64 {
	if m.norm == 1 {
		return slices.Max(m.squares)
	}
	return normOf(m.squares, m.norm/(m.norm-1))
}

// normOf returns ‖v‖_p of numbers of at least 0, without overflow.
func normOf(v []float64, p float64) float64 {
	most := slices.Max(v)
	if most == 0 {
		return 0
	}
	sum := 0.0
	for _, x := range v {
		sum += math.Pow(x/most, p)
	}
	return most * math.Pow(sum, 1/p)
}

// update takes the weights that the present machines ask for next, or those that the last two steps lead to when they
// are continued. It reports whether anything has changed.
func (m *mixing) update() bool {
	before := m.weights
	switch next := m.step(); {
	case next == nil:
		return false
	case m.fallback != nil && m.found.Primal > m.least: // the continuation went too far
		m.weights, m.steps = m.fallback, nil
		m.fallback = nil
	case len(m.steps) == 0 || !sameKernels(m.steps[0], next):
		m.steps, m.weights, m.fallback = [][]float64{m.weights}, next, nil
	default:
		m.weights, m.fallback, m.least = m.continued(m.steps[0], m.weights, next), next, m.found.Primal
		m.steps = nil
	}
	return !slices.Equal(before, m.weights)
}

// step returns the best weights for the present machines, d_t ∝ ‖w_t‖^(2/(p+1)) with ‖w_t‖² = d_t² q_t, without kernels
// that have next to none; nil if the machines have no weights at all.
func (m *mixing) step() []float64 {
	next, most := make([]float64, len(m.weights)), 0.0
	for t, d := range m.weights {
		if next[t] = math.Pow(float64(d*d)*m.squares[t], 1/(m.norm+1)); d > 0 {
			most = max(most, m.squares[t])
		}
	}
	if next = m.onBall(next); next == nil {
		return nil
	}
	for t := range next {
		if m.weights[t] == 0 && m.squares[t] > most { // left out too early
			next[t] = returning * m.radius()
		}
	}
	return next
}

// onBall scales weights to the bound, and leaves out kernels that have next to none and whose squares are not the
// greatest; nil if all are 0.
func (m *mixing) onBall(weights []float64) []float64 {
	size, most := normOf(weights, m.norm), slices.Max(m.squares)
	if size == 0 {
		return nil
	}
	for t := range weights {
		weights[t] *= m.radius() / size
		if weights[t] < leastWeight*m.radius() && m.squares[t] < farBelow*most {
			weights[t] = 0
		}
	}
	return weights
}

// continued extrapolates two steps, a to b to c, of logarithms of the weights (SQUAREM: Varadhan & Roland 2008): steps
// alone come to the end of a narrow valley, as that of p = 1 is, in hundreds of them.
func (m *mixing) continued(a, b, c []float64) []float64 {
	first, bend := make([]float64, len(a)), make([]float64, len(a))
	for t := range a {
		if c[t] > 0 {
			first[t] = math.Log(b[t] / a[t])
			bend[t] = math.Log(c[t]/b[t]) - first[t]
		}
	}
	length := min(mostContinued, max(1, vectors.Norm(first)/max(vectors.Norm(bend), 1e-300)))
	out := make([]float64, len(a))
	for t := range a {
		if c[t] > 0 {
			out[t] = a[t] * math.Exp(float64(2*length*first[t])+float64(length*length*bend[t]))
		}
	}
	return m.onBall(out)
}

// mostContinued bounds how many times two steps are continued. From a quarter to four times as many, results stay
// within Tol.
const mostContinued = 50

// sameKernels reports whether the same kernels have weights.
func sameKernels(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return (x > 0) == (y > 0) })
}

// A kernel is left out if its weight is a share of the bound less than leastWeight, and its square less than farBelow
// of the greatest: kernels of the solution have the greatest square all of them if p = 1. It returns with a greater
// share. From a quarter to four times these, farBelow below 1, results stay within Tol.
const (
	leastWeight = 1e-4
	farBelow    = 0.9
	returning   = 0.01
)

// rounded rounds a weight to two digits more than the gap asks for, so that a formula with it can be read.
func (m *mixing) rounded(w float64) float64 {
	digits := 2 + max(1, int(math.Ceil(-math.Log10(cmp.Or(m.trainer.Tol, defaultTol)))))
	short, _ := strconv.ParseFloat(strconv.FormatFloat(w, 'g', digits, 64), 64)
	return short
}

// scaled returns a vector times a number.
func scaled(v []float64, by float64) []float64 {
	out := slices.Clone(v)
	vectors.Scale(out, by)
	return out
}
