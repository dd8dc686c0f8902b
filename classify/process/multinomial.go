package process

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/classify/internal/dual"
	"github.com/seqsvm/seqsvm/classify/krylov"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/cholesky"
	"github.com/seqsvm/seqsvm/internal/elementary"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Multinomial solves the problem of multinomial logistic regression of records of k classes,
//
//	min over w_1 … w_k, b of  ½ Σ_m ‖w_m‖² + Σ_i C_i (log Σ_m exp(f_im + b_m) − f_iy_i − b_y_i),   f_im = ⟨w_m, φ(x_i)⟩,
//
// by Newton's method with conjugate gradients, all classes in one block of products. The probabilities of the classes
// at x are the softmax of f_m(x) − Rho_m. The biases are not penalised; they sum to 0.
type Multinomial struct{}

// Solve returns the machines of all classes. The problem's weights are its Costs, one per class. The error is that of
// ctx, about the data of the problem, or about a product that is not finite.
func (s Multinomial) Solve(
	ctx context.Context, g stringkernel.Gram, p svm.MulticlassProblem,
) (out svm.MulticlassSolution, err error) {
	loss, err := softmaxOf(g.Len(), p)
	if err != nil {
		return out, err
	}
	run := &newton{
		likelihood: loss, g: krylov.Of(g), tol: cmp.Or(p.Tol, 1e-3), progress: p.Progress,
	}
	certificate, err := run.run(ctx)
	if err != nil {
		return out, err
	}
	out.Rho = make([]float64, p.Classes)
	mean := 0.0
	for _, b := range loss.bias {
		mean += b / float64(p.Classes)
	}
	for m, b := range loss.bias {
		out.Rho[m] = mean - b
	}
	out.Coef, out.Certificate, out.Solver = run.coef, certificate, dual.Newton
	out.Iterations, out.Products = run.iterations, run.products
	return out, nil
}

// Bytes estimates the memory of Solve for n records, besides the matrix.
func (Multinomial) Bytes(n, classes int) float64 { return float64(newtonBytes * n * classes) }

// softmaxOf returns the likelihood of a problem of n records.
func softmaxOf(n int, p svm.MulticlassProblem) (*softmax, error) {
	if err := p.Check(n); err != nil {
		return nil, err
	}
	l := &softmax{
		y: p.Y, cost: make([]float64, n), classes: p.Classes,
		bias: make([]float64, p.Classes), p: scratch.Vectors(n, p.Classes),
	}
	counts := make([]int, p.Classes)
	for i, y := range p.Y {
		counts[y]++
		l.cost[i] = p.Cost(i)
		l.total += l.cost[i]
	}
	for c, count := range counts {
		if count == 0 {
			return nil, fmt.Errorf("process: class %d has no record, want at least one of each for the biases", c)
		}
	}
	return l, nil
}

// softmax is Σ C_i (log Σ_m exp(f_im + b_m) − f_iy − b_y) with the best b. With the probabilities p of a record, its
// Hessian is C(diag(p) − ppᵀ), of which the biases take out the sums over all records.
type softmax struct {
	y       []int
	cost    []float64
	total   float64 // Σ C
	classes int
	bias    []float64
	p       [][]float64     // per record, at the scores last looked at
	inner   cholesky.Factor // of Σ_i C_i(diag(p) − ppᵀ) without the last class, whose bias follows from the others
}

func (l *softmax) outputs() int { return l.classes }

func (l *softmax) look(minus, f [][]float64) (value float64) {
	value = l.findBias(f, l.evaluate(f, l.bias))
	for i, p := range l.p {
		for m, v := range p {
			minus[m][i] = -l.cost[i] * v
		}
		minus[l.y[i]][i] = l.cost[i] * l.otherwise(i)
	}
	residue := make([]float64, l.classes) // what rounding leaves of Σ = 0, by the Newton step of b
	for m := range minus {
		residue[m] = vectors.Sum(minus[m])
	}
	l.solve(residue)
	for i := range l.p {
		l.subtractHessian(minus, i, residue)
	}
	return value
}

// otherwise returns the probability that record i is of another class than its own.
func (l *softmax) otherwise(i int) (sum float64) {
	for m, v := range l.p[i] {
		if m != l.y[i] {
			sum += v
		}
	}
	return sum
}

// evaluate returns the value at scores and biases, and keeps the probabilities.
func (l *softmax) evaluate(f [][]float64, bias []float64) (value float64) {
	for i, p := range l.p {
		greatest := math.Inf(-1)
		for m := range p {
			p[m] = f[m][i] + bias[m]
			greatest = max(greatest, p[m])
		}
		own, sum := p[l.y[i]], 0.0
		for m := range p {
			p[m] = elementary.Exp(p[m] - greatest)
			sum += p[m]
		}
		for m := range p {
			p[m] /= sum
		}
		value += float64(l.cost[i] * (elementary.Log(sum) + (greatest - own)))
	}
	return value
}

// findBias moves the biases to where the value is least, by Newton's method with halved steps, and returns that.
func (l *softmax) findBias(f [][]float64, value float64) float64 {
	for range 100 {
		l.factor()
		descent, norm := make([]float64, l.classes), 0.0
		for i, p := range l.p {
			for m, v := range p {
				descent[m] -= float64(l.cost[i] * v)
			}
			descent[l.y[i]] += l.cost[i]
		}
		for _, d := range descent {
			norm = max(norm, math.Abs(d))
		}
		if norm <= 1e-15*l.total {
			break
		}
		l.solve(descent)
		next, lower := l.shorten(f, descent, value)
		if next == nil {
			break
		}
		l.bias, value = next, lower
	}
	return value
}

// shorten returns the biases at most a step away where the value is lower, nil if there are none.
func (l *softmax) shorten(f [][]float64, step []float64, value float64) (bias []float64, lower float64) {
	for t := 1.0; t > 1e-9; t /= 2 {
		next := append([]float64(nil), l.bias...)
		for m, s := range step {
			next[m] += float64(t * s)
		}
		if lower = l.evaluate(f, next); lower < value {
			return next, lower
		}
	}
	l.evaluate(f, l.bias)
	return nil, value
}

// factor computes the inner matrix at the present probabilities.
func (l *softmax) factor() {
	h := scratch.Vectors(l.classes-1, l.classes-1)
	for i, p := range l.p {
		for m, row := range h {
			v := float64(l.cost[i] * p[m])
			row[m] += v
			for c := range m + 1 {
				row[c] -= float64(v * p[c])
			}
		}
	}
	l.inner.Reset()
	for m, row := range h {
		l.inner.Add(row[:m:m], row[m])
	}
}

// solve replaces the sums over the records by the biases that make them by the Hessian, 0 for the last class.
func (l *softmax) solve(sums []float64) {
	l.inner.Solve(sums[:l.classes-1])
	sums[l.classes-1] = 0
}

// subtractHessian subtracts C(diag(p) − ppᵀ)t from the entries of record i.
func (l *softmax) subtractHessian(dst [][]float64, i int, t []float64) {
	mean := 0.0
	for m, v := range l.p[i] {
		mean += float64(v * t[m])
	}
	for m, v := range l.p[i] {
		dst[m][i] -= float64(l.cost[i] * v * (t[m] - mean))
	}
}

func (l *softmax) hessian(dst, v [][]float64) {
	sums := make([]float64, l.classes)
	for i, p := range l.p {
		mean := 0.0
		for m, q := range p {
			mean += float64(q * v[m][i])
		}
		for m, q := range p {
			dst[m][i] = float64(l.cost[i] * q * (v[m][i] - mean))
			sums[m] += dst[m][i]
		}
	}
	l.solve(sums)
	for i := range l.p {
		l.subtractHessian(dst, i, sums)
	}
}
