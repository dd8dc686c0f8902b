package process

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/elementary"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Relevance is the relevance vector machine (Tipping 2001): f(x) = b + Σ_m μ_m k(x_m, x), where b and the μ_m have a
// normal prior of mean 0 and precision α_m each. Those α are taken under which the labels have the greatest evidence,
// which for most is at infinity: what is left are a few relevance vectors. The evidence is raised by the change of one
// α that raises it most, until none raises its logarithm by 0.001 (Tipping & Faul 2003); it has several maxima, of
// which that is one.
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

// Bytes implements [svm.Sizer].
func (r Relevance) Bytes(n int) float64 { return float64(100*n) + r.columnBytes(n) }

// columnBytes is the memory of columns, of the factor that picks them, and of their products.
func (r Relevance) columnBytes(n int) float64 {
	most := float64(min(n, r.Columns))
	return float64(24*most*float64(n)) + float64(8*most*most)
}

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
	w := p.Weights
	if w == nil {
		w = slices.Repeat([]float64{1}, g.Len())
	}
	n, logWeights, variance := 0.0, 0.0, 0.0
	for i, t := range centred.Targets {
		if w[i] > 0 {
			n++
			logWeights += elementary.Log(w[i])
			variance += float64(w[i] * t * t)
		}
	}
	if variance /= n; !(variance > 0) {
		return svm.Solution{}, fmt.Errorf("process: all targets are %v, want different ones", p.Targets[0])
	}
	e, err := r.evidence(ctx, g)
	if err != nil {
		return svm.Solution{}, err
	}
	changes, err := e.fit(ctx, w, p.Targets, n, variance)
	if err != nil {
		return svm.Solution{}, err
	}
	minus := make([]float64, g.Len())
	for i, f := range e.scores(e.mean) {
		minus[i] = w[i] * (p.Targets[i] - f) / e.noise
	}
	out := e.solution(minus, e.squares(p.Targets, w)/(2*e.noise),
		-(float64(n*elementary.Log(2*math.Pi*e.noise))-logWeights)/2)
	out.Iterations, out.Scalars = changes, []float64{e.noise}
	return out, nil
}

// fit finds the α and the noise of n targets t with weights w and some variance, and returns the number of changes. The
// noise is what is left of the targets over the number of weights that they do not determine (MacKay 1992).
func (e *evidence) fit(ctx context.Context, w, t []float64, n, variance float64) (changes int, err error) {
	if err := e.weigh(ctx, w, t, len(e.columns)); err != nil {
		return 0, err
	}
	e.noise = variance / 10
	for ; changes < 100*len(e.columns); changes++ {
		gain, determined := e.change()
		before := e.noise
		e.noise = max(e.squares(t, w)/max(n-determined, 1), 1e-6*variance)
		e.mean = e.posterior()
		if gain < leastGain && math.Abs(e.noise-before) <= 1e-3*before {
			break
		}
		if err := ctx.Err(); err != nil {
			return 0, err
		}
	}
	return changes, nil
}

// Solve returns the machine of two classes. The error is that of ctx, about the data of the problem, or about a row
// that is not finite.
func (r Relevance) Solve(ctx context.Context, g stringkernel.Gram, p svm.Problem) (svm.Solution, error) {
	if err := r.Check(p); err != nil {
		return svm.Solution{}, err
	}
	p.NoBias = true // it is one of the columns
	loss, err := lossOf(g, p)
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
			if err := ctx.Err(); err != nil {
				return svm.Solution{}, err
			}
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
