package process

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/classify/krylov"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/cholesky"
	"github.com/seqsvm/seqsvm/internal/elementary"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Relevance is the relevance vector machine (Tipping 2001): f(x) = b + Σ_m μ_m k(x_m, x), where b and the μ_m have a
// normal prior of mean 0 and precision α_m each. Those α are taken under which the labels have the greatest evidence,
// which for most is at infinity: what is left are a few relevance vectors. The evidence is raised by the change of one α
// that raises it most, until none raises its logarithm by 0.001 (Tipping & Faul 2003); it has several maxima, of which
// that is one.
//
// The x_m are at most Columns records, the pivots of [krylov.PivotedCholesky]. It takes O(n·Columns²) operations, for
// classes some ten times, and Columns rows of K. The certificate is that of the mean, given the α and the noise.
//
// Relevance is an [svm.Solver] of two classes, with the labels and costs of [Logistic] and its probabilities; the
// posterior is that of Laplace's approximation. [Relevance.Regress] has numbers.
type Relevance struct {
	Columns int
}

const (
	nameRelevance = "relevance"
	leastGain     = 1e-3 // of the logarithm of the evidence
	mostRounds    = 100  // of Laplace's approximation
)

// String returns the name of the method.
func (r Relevance) String() string { return nameRelevance }

// Uses says that the solver asks for rows.
func (r Relevance) Uses(stringkernel.Gram, svm.Problem) svm.Access { return svm.Rows }

// Check returns an [svm.OptionError] if the options of the solver or the problem are out of range.
func (r Relevance) Check(p svm.Problem) error {
	return cmp.Or(Logistic{}.Check(p), svm.CheckOption(r.Columns > 0, "Columns", r.Columns, "at least 1"))
}

// Regress returns the machine of the targets and weights of p; its Scalars are the variance of the noise. λ and the
// other fields of p are ignored. The error is that of ctx, about the data, or about a row that is not finite.
func (r Relevance) Regress(ctx context.Context, g stringkernel.Gram, p Regression) (svm.Solution, error) {
	p.Lambda = 1
	centred, _, err := p.Centred(g.Len())
	if err != nil {
		return svm.Solution{}, err
	}
	weights, n, logWeights := slices.Repeat([]float64{1}, g.Len()), float64(g.Len()), 0.0
	if p.Weights != nil {
		weights, n = p.Weights, 0
		for _, w := range weights {
			if w > 0 {
				n++
				logWeights += elementary.Log(w)
			}
		}
	}
	e, err := r.evidence(ctx, g)
	if err != nil {
		return svm.Solution{}, err
	}
	variance := 0.0
	for i, t := range centred.Targets {
		variance += float64(weights[i]*t*t) / n
	}
	if !(variance > 0) {
		return svm.Solution{}, fmt.Errorf("process: all targets are %v, want different ones", p.Targets[0])
	}
	if err := e.weigh(ctx, weights, p.Targets, len(e.columns)); err != nil {
		return svm.Solution{}, err
	}
	e.noise = variance / 10
	changes := 0
	for ; changes < 100*len(e.columns); changes++ {
		gain, determined := e.change()
		before := e.noise
		e.noise = max(e.squares(p.Targets, weights)/max(n-determined, 1), 1e-6*variance)
		e.mean = e.posterior()
		if gain < leastGain && math.Abs(e.noise-before) <= 1e-3*before {
			break
		}
	}
	minus := make([]float64, g.Len())
	for i, f := range e.scores(e.mean) {
		minus[i] = weights[i] * (p.Targets[i] - f) / e.noise
	}
	out := e.solution(minus, e.squares(p.Targets, weights)/(2*e.noise),
		-(float64(n*elementary.Log(2*math.Pi*e.noise))-logWeights)/2)
	out.Iterations, out.Scalars = changes, []float64{e.noise}
	return out, nil
}

// Solve returns the machine of two classes. The error is that of ctx, about the data of the problem, or about a row
// that is not finite.
func (r Relevance) Solve(ctx context.Context, g stringkernel.Gram, p svm.Problem) (svm.Solution, error) {
	if err := r.Check(p); err != nil {
		return svm.Solution{}, err
	}
	loss, err := lossOf(g, p, true)
	if err != nil {
		return svm.Solution{}, err
	}
	e, err := r.evidence(ctx, g)
	if err != nil {
		return svm.Solution{}, err
	}
	l := &laplace{evidence: e, loss: binary{loss}, minus: scratch.Vectors(1, g.Len())}
	changes := 0
	for range mostRounds {
		if err := l.mode(ctx); err != nil {
			return svm.Solution{}, err
		}
		if _, err := l.linearise(ctx, len(e.columns)); err != nil {
			return svm.Solution{}, err
		}
		before := changes
		for ; changes < before+len(e.columns); changes++ {
			if gain, _ := e.change(); gain < leastGain {
				break
			}
			e.mean = e.posterior()
		}
		if changes == before {
			break
		}
	}
	if err := l.mode(ctx); err != nil {
		return svm.Solution{}, err
	}
	out := e.solution(l.minus[0], l.value, 0)
	out.Iterations = changes
	return out, nil
}

// evidence is that of targets t with noise of variance noise/w under the linear model of some columns, and its
// maximisation. The columns in use come first.
type evidence struct {
	columns [][]float64 // Φ
	records []int       // whose rows of K they are; −1: that of the bias, all 1
	alpha   []float64   // precisions of the columns in use
	mean    []float64   // posterior means of their weights
	noise   float64

	gram   [][]float64     // ΦᵀWΦ
	right  []float64       // ΦᵀWt
	factor cholesky.Factor // of A + ΦᵀWΦ/noise, the inverse of the posterior covariance
}

// evidence returns that of no columns in use.
func (r Relevance) evidence(ctx context.Context, g stringkernel.Gram) (*evidence, error) {
	n := float64(g.Len())
	most := min(n, float64(r.Columns))
	if err := memory.Check(8 * most * float64(3*n+most)); err != nil {
		return nil, fmt.Errorf("process: %d columns of %d records need %w", r.Columns, g.Len(), err)
	}
	low, err := krylov.PivotedCholesky(ctx, g, r.Columns, 0)
	if err != nil {
		return nil, err
	}
	e := &evidence{records: append([]int{-1}, low.Pivots...), noise: 1}
	e.columns = scratch.Vectors(len(e.records), g.Len())
	for m, i := range e.records {
		if i >= 0 {
			g.Row(e.columns[m], i)
			continue
		}
		for j := range e.columns[m] {
			e.columns[m][j] = 1
		}
	}
	e.gram, e.right = scratch.Vectors(len(e.records), len(e.records)), make([]float64, len(e.records))
	return e, nil
}

// weigh takes weights and targets into the products of the first columns.
func (e *evidence) weigh(ctx context.Context, w, t []float64, columns int) error {
	return parallel.Do(ctx, columns, func(m int) error {
		weighted := make([]float64, len(w))
		for i, v := range e.columns[m] {
			weighted[i] = w[i] * v
		}
		e.right[m] = vectors.Dot(weighted, t)
		for k, column := range e.columns[:m+1] {
			e.gram[m][k] = vectors.Dot(weighted, column)
		}
		return nil
	})
}

// product returns an entry of ΦᵀWΦ.
func (e *evidence) product(m, k int) float64 { return e.gram[max(m, k)][min(m, k)] }

// posterior computes the factor and returns the means of the columns in use.
func (e *evidence) posterior() (mean []float64) {
	e.factor.Reset()
	mean = make([]float64, len(e.alpha))
	for m, a := range e.alpha {
		row := make([]float64, m, m+1)
		for k := range row {
			row[k] = e.gram[m][k] / e.noise
		}
		e.factor.Add(row, a+e.gram[m][m]/e.noise)
		mean[m] = e.right[m] / e.noise
	}
	e.factor.Solve(mean)
	return mean
}

// change makes the best change of one α, if it raises the logarithm of the evidence by leastGain, and returns by how
// much it does, and how many weights the data determine. The posterior is that before.
func (e *evidence) change() (gain, determined float64) {
	best, precision := -1, 0.0
	for m := range e.columns {
		s, q := e.quality(m)
		old := math.Inf(1)
		if m < len(e.alpha) {
			old = e.alpha[m]
			determined += s / old
		}
		if a, rise := better(s, q, old); rise > gain {
			best, precision, gain = m, a, rise
		}
	}
	if gain >= leastGain {
		e.set(best, precision)
	}
	return gain, determined
}

// quality returns S and Q of Tipping and Faul: φᵀC⁻¹φ and φᵀC⁻¹t of a column φ with the covariance C of the targets.
func (e *evidence) quality(m int) (s, q float64) {
	along := make([]float64, len(e.alpha))
	q = e.right[m] / e.noise
	for k := range along {
		along[k] = e.product(m, k) / e.noise
		q -= float64(along[k] * e.mean[k])
	}
	e.factor.Forward(along)
	own := e.gram[m][m] / e.noise
	if s = own - vectors.Dot(along, along); s <= 1e-10*own { // rounding
		return 0, 0
	}
	return s, q
}

// better returns the precision of a column that has the greatest evidence, and the gain over the old one; infinity is
// that of a column out of use.
func better(s, q, old float64) (precision, gain float64) {
	if s == 0 || s >= old {
		return old, 0
	}
	own, about := s, q // without the column itself
	if !math.IsInf(old, 1) {
		own, about = old*s/(old-s), old*q/(old-s)
	}
	excess := float64(about*about) - own
	switch square := float64(q * q); {
	case excess > 0 && math.IsInf(old, 1):
		return own * own / excess, (square/s - 1 - elementary.Log(square/s)) / 2
	case excess > 0:
		precision = own * own / excess
		wider := 1/precision - 1/old // by how much the prior variance grows
		return precision, (float64(square*wider)/(1+float64(s*wider)) - elementary.Log1p(s*wider)) / 2
	case !math.IsInf(old, 1):
		return math.Inf(1), (square/(s-old) - elementary.Log1p(-s/old)) / 2
	}
	return old, 0
}

// set gives a column a precision: those in use stay in front.
func (e *evidence) set(m int, precision float64) {
	last := len(e.alpha)
	switch {
	case m >= last:
		e.swap(m, last)
		e.alpha = append(e.alpha, precision)
	case math.IsInf(precision, 1):
		e.swap(m, last-1)
		e.alpha[m] = e.alpha[last-1]
		e.alpha = e.alpha[:last-1]
	default:
		e.alpha[m] = precision
	}
}

// swap exchanges two columns.
func (e *evidence) swap(m, k int) {
	for i := range e.columns {
		if i != m && i != k {
			a, b := &e.gram[max(m, i)][min(m, i)], &e.gram[max(k, i)][min(k, i)]
			*a, *b = *b, *a
		}
	}
	e.gram[m][m], e.gram[k][k] = e.gram[k][k], e.gram[m][m]
	e.right[m], e.right[k] = e.right[k], e.right[m]
	e.columns[m], e.columns[k] = e.columns[k], e.columns[m]
	e.records[m], e.records[k] = e.records[k], e.records[m]
}

// scores returns Φ·v of the columns in use.
func (e *evidence) scores(v []float64) []float64 {
	f := make([]float64, len(e.columns[0]))
	for m, a := range v {
		vectors.AddScaled(f, a, e.columns[m])
	}
	return f
}

// squares returns Σ w(t − f)².
func (e *evidence) squares(t, w []float64) (sum float64) {
	for i, f := range e.scores(e.mean) {
		sum += float64(w[i] * (t[i] - f) * (t[i] - f))
	}
	return sum
}

// penalty returns ½ Σ α v².
func (e *evidence) penalty(v []float64) (sum float64) {
	for m, a := range e.alpha {
		sum += float64(a * v[m] * v[m] / 2)
	}
	return sum
}

// gradient returns minus the derivatives of the objective by the weights, given those of the loss by the scores.
func (e *evidence) gradient(minus []float64) []float64 {
	g := make([]float64, len(e.alpha))
	for m, a := range e.alpha {
		g[m] = vectors.Dot(e.columns[m], minus) - float64(a*e.mean[m])
	}
	return g
}

// solution returns the machine of the means, given the loss of their scores and minus its derivatives. constant is what
// the evidence has besides the objective and the volume of the posterior. With the gradient g the objective, whose
// curvature is at least α, is at most ½ Σ g²/α above its least.
func (e *evidence) solution(minus []float64, loss, constant float64) svm.Solution {
	out := svm.Solution{Coef: make([]float64, len(minus)), Solver: nameRelevance, Rows: len(e.records) - 1}
	out.Primal = loss + e.penalty(e.mean)
	value, excess := constant-out.Primal, 0.0
	for m, g := range e.gradient(minus) {
		excess += float64(g * g / (2 * e.alpha[m]))
		value += elementary.Log(e.alpha[m])/2 - elementary.Log(e.factor.Row(m)[m])
		if i := e.records[m]; i >= 0 {
			out.Coef[i] = e.mean[m]
		} else {
			out.Rho = -e.mean[m]
		}
	}
	out.Dual, out.Gap = out.Primal-excess, excess/max(math.Abs(out.Primal), tinyPrimal)
	out.Reason = fmt.Sprintf("%d of %d columns, log evidence %.6g", len(e.alpha), len(e.columns), value)
	return out
}

// laplace approximates the likelihood of labels about the mode of the weights by one of numbers.
type laplace struct {
	*evidence
	loss  binary
	minus [][]float64 // −∂R at the scores last looked at
	value float64     // R
}

// at looks at the scores of some weights, and returns the objective.
func (l *laplace) at(weights []float64) (f []float64, objective float64) {
	f = l.scores(weights)
	l.value = l.loss.look(l.minus, [][]float64{f})
	return f, l.value + l.penalty(weights)
}

// linearise takes the parabola of R at the means into the products of the first columns, and returns the objective.
func (l *laplace) linearise(ctx context.Context, columns int) (objective float64, err error) {
	f, objective := l.at(l.mean)
	curve := slices.Repeat([]float64{1}, len(f))
	l.loss.Curvature(curve, curve)
	for i, g := range l.minus[0] {
		curve[i] = max(curve[i], 1e-10)
		f[i] += g / curve[i]
	}
	return objective, l.weigh(ctx, curve, f, columns)
}

// mode moves the means to where the objective is least, by Newton's method with halved steps.
func (l *laplace) mode(ctx context.Context) error {
	for range 100 {
		before, err := l.linearise(ctx, len(l.alpha))
		if err != nil {
			return err
		}
		step := l.posterior()
		vectors.AddScaled(step, -1, l.mean)
		slope := vectors.Dot(step, l.gradient(l.minus[0]))
		if slope <= 1e-12*before {
			return nil
		}
		next, t := slices.Clone(l.mean), 1.0
		vectors.AddScaled(next, t, step)
		for _, now := l.at(next); now > before && t > 1e-6; _, now = l.at(next) {
			t /= 2
			vectors.AddScaled(next, -t, step)
		}
		l.mean = next
	}
	return nil
}
