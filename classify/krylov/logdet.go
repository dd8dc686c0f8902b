package krylov

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"

	"github.com/seqsvm/seqsvm/internal/elementary"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/vectors"
)

// LogDet estimates log det(A + σI) = tr log(A + σI) of a positive semidefinite A by stochastic Lanczos quadrature
// (Ubaru, Chen & Saad 2017): the mean of zᵀlog(A + σI)z over random signs z, each by the Gauss rule of the tridiagonal
// matrix that Lanczos makes of A and z. One run serves every σ.
type LogDet struct {
	Probes int    // random vectors; zero: 16
	Steps  int    // of Lanczos each, a product a step; zero: 100
	Seed   uint64 // of the random signs
}

// Estimate is an estimate of a log determinant.
type Estimate struct {
	Value  float64
	StdErr float64 // standard error of the mean over the probes
	// Width is the mean distance of the Gauss rule, an upper bound of zᵀlog(A + σI)z, and the Gauss–Radau rule with a
	// node at 0, a lower bound: that of more steps lies between. Value is the mean of their middles.
	Width float64
}

// Estimates returns an estimate for every shift σ > 0, and the number of products made. The error is that of ctx or
// about a product that is not finite.
func (l LogDet) Estimates(ctx context.Context, a Operator, shifts []float64) ([]Estimate, int, error) {
	rules, products, err := l.rules(ctx, a)
	if err != nil {
		return nil, products, err
	}
	n, probes := float64(a.Len()), float64(len(rules))
	out := make([]Estimate, len(shifts))
	for k, sigma := range shifts {
		var squares float64
		for _, r := range rules {
			upper, lower := float64(n*r.gauss.log(sigma)), float64(n*r.radau.log(sigma))
			middle := (upper + lower) / 2
			out[k].Value += middle / probes
			out[k].Width += max(0, upper-lower) / probes
			squares += float64(middle * middle)
		}
		variance := max(0, squares/probes-float64(out[k].Value*out[k].Value))
		out[k].StdErr = math.Sqrt(variance / max(1, probes-1))
	}
	return out, products, nil
}

// rule integrates functions over the spectrum of A, weighted by a probe.
type rule struct {
	nodes   []float64
	weights []float64 // they sum to 1
}

// log returns the integral of log(max(0, x) + σ).
func (r rule) log(sigma float64) (sum float64) {
	for j, x := range r.nodes {
		sum += float64(r.weights[j] * elementary.Log(max(0, x)+sigma))
	}
	return sum
}

// ruleOf returns the rule of a tridiagonal matrix: its eigenvalues and the squares of the first entries of its vectors.
func ruleOf(diag, off []float64) (rule, error) {
	nodes, beside := append([]float64(nil), diag...), append([]float64(nil), off...)
	first := scratch.Vectors(len(nodes), 1)
	first[0][0] = 1
	if err := tridiagonalEigen(nodes, beside, first); err != nil {
		return rule{}, err
	}
	r := rule{nodes, make([]float64, len(nodes))}
	for j, v := range first {
		r.weights[j] = v[0] * v[0]
	}
	return r, nil
}

// probe is a run of Lanczos without reorthogonalisation: rounding then repeats eigenvalues whose weights add up to what
// they would have been (Greenbaum 1989), and no more than three vectors are held.
type probe struct {
	before, q, next []float64
	diag, off       []float64
	done            bool
	gauss, radau    rule
}

// rules runs Lanczos from all probes, in one block of products per step.
func (l LogDet) rules(ctx context.Context, a Operator) (all []*probe, products int, err error) {
	rng := rand.New(rand.NewPCG(l.Seed, 0x6c6f67646574))
	for range cmp.Or(l.Probes, 16) {
		p := &probe{before: make([]float64, a.Len()), q: make([]float64, a.Len()), next: make([]float64, a.Len())}
		for i := range p.q {
			p.q[i] = float64(1-2*rng.IntN(2)) / math.Sqrt(float64(a.Len()))
		}
		all = append(all, p)
	}
	for range min(cmp.Or(l.Steps, 100), a.Len()) {
		var dst, v [][]float64
		for _, p := range all {
			if !p.done {
				dst, v = append(dst, p.next), append(v, p.q)
			}
		}
		if err := Multiply(ctx, a, dst, v); err != nil {
			return nil, products, err
		}
		products += len(v)
		for _, p := range all {
			if !p.done {
				p.advance()
			}
		}
	}
	for _, p := range all {
		if err := p.integrate(); err != nil {
			return nil, products, err
		}
	}
	return all, products, nil
}

// advance takes the product next = A·q.
func (p *probe) advance() {
	if len(p.off) > 0 {
		vectors.AddScaled(p.next, -p.off[len(p.off)-1], p.before)
	}
	along := vectors.Dot(p.next, p.q)
	vectors.AddScaled(p.next, -along, p.q)
	norm := vectors.Norm(p.next)
	p.diag, p.off = append(p.diag, along), append(p.off, norm)
	if norm <= negligibleNorm*max(math.Abs(along), p.diag[0]) {
		p.done = true
		return
	}
	vectors.Scale(p.next, 1/norm)
	p.before, p.q, p.next = p.q, p.next, p.before
}

// integrate makes both rules. The Radau rule is that of the matrix with one more row, whose diagonal entry makes 0 an
// eigenvalue; where the matrix itself is singular, it is the Gauss rule.
func (p *probe) integrate() (err error) {
	last := len(p.diag) - 1
	if p.gauss, err = ruleOf(p.diag, p.off[:last]); err != nil {
		return err
	}
	pivot, scale := p.diag[0], p.diag[0]
	for j := 1; j <= last && pivot > 0; j++ {
		scale = max(scale, p.diag[j])
		pivot = p.diag[j] - float64(p.off[j-1]*p.off[j-1])/pivot
	}
	p.radau = p.gauss
	if !p.done && pivot > epsilon*scale {
		p.radau, err = ruleOf(append(p.diag[:last+1:last+1], p.off[last]*p.off[last]/pivot), p.off)
	}
	return err
}
