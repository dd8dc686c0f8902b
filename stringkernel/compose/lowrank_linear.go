package compose

import (
	"context"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// linearTerm is the linear term of a function of a kernel: f = w·k + (1 − w)·rest, where rest is positive
// semidefinite, as no coefficient of the function's power series is negative.
type linearTerm struct {
	weight float64             // w
	kernel stringkernel.Kernel // k
	rest   Function
}

// linearTermOf returns the linear term of a kernel, nil if it is no function with one, or if scorers of what it is a
// function of cannot be stored, as those of a LowRank kernel can.
func linearTermOf(k stringkernel.Kernel) *linearTerm {
	f, is := k.(Function)
	if !is || len(f.Kernels) > 1 || stringkernel.RestorerOf(f.Kernels[0]) == nil {
		return nil
	}
	w := f.Of.linear(f.Kernels[0])
	if !(w > 0 && w < 1) {
		return nil
	}
	f.Of.beyond = w
	return &linearTerm{w, f.Kernels[0], f}
}

// mean returns the kernel of the term and an approximation of the rest: one that others do not take apart.
func (l *linearTerm) mean(rest stringkernel.Kernel) Linear {
	k := Mean([]stringkernel.Kernel{l.kernel, rest}, []float64{l.weight, 1 - l.weight})
	k.whole = true
	return k
}

// termMatrix is a matrix of a function as that of its linear term and that of the rest.
type termMatrix struct {
	*linearTerm
	inner  stringkernel.Gram // of the term, without its weight
	beyond stringkernel.Gram // of the rest
}

// linearTermIn returns the terms of a matrix, nil if its kernel has no linear term, or one without products that are
// faster than rows.
func linearTermIn(g stringkernel.Gram) *termMatrix {
	function, ok := g.(functionGram)
	if !ok || stringkernel.IsRowBased(function.inner[0]) {
		return nil
	}
	term := linearTermOf(function.kernel)
	if term == nil {
		return nil
	}
	return &termMatrix{term, function.inner[0], functionGram{term.rest, function.inner, function.norms}}
}

// with returns the matrix with an approximation of the rest.
func (m *termMatrix) with(rest *explicitGram) stringkernel.Gram {
	return MeanGram(m.mean(nil), []stringkernel.Gram{m.inner, rest})
}

// The linear term is exact if the first pivots, one of firstPart, then leave less of the trace, by leastGain of it.
// Where records have nearly all features in common, pivots span these soon, and there is little to gain.
const (
	firstPart = 4
	leastGain = 0.05
)

// factored approximates a matrix of the wrapped kernel by pivots among some records (nil: all): with its linear term,
// which is exact, or without (nil).
func (k LowRank) factored(
	ctx context.Context, g stringkernel.Gram, among []int,
) (linear *termMatrix, f *pivoted, err error) {
	whole, err := newPivoting(ctx, g, k.Rank, among)
	if err != nil {
		return nil, nil, err
	}
	first := (whole.rank + firstPart - 1) / firstPart
	if linear = linearTermIn(g); linear != nil {
		whole.extend(ctx, first)
		gain, err := linear.gain(ctx, whole, first)
		if err != nil {
			return nil, nil, err
		}
		if gain >= leastGain {
			return linear.factored(ctx, whole)
		}
	}
	whole.extend(ctx, whole.rank)
	return nil, whole.factor(), nil
}

// share returns the part of the trace that is not the linear term's.
func (m *termMatrix) share(rest, whole *pivoting) float64 {
	return (1 - m.weight) * rest.trace / whole.trace
}

// gain returns the part of the trace that is saved if the given number of pivots is for the rest alone, and not for the
// whole.
func (m *termMatrix) gain(ctx context.Context, whole *pivoting, pivots int) (float64, error) {
	left := whole.traceError()
	if left < leastGain {
		return 0, nil
	}
	rest, err := newPivoting(ctx, m.beyond, pivots, whole.among)
	if err != nil {
		return 0, err
	}
	rest.extend(ctx, pivots)
	return left - float64(m.share(rest, whole)*rest.traceError()), nil
}

// factored approximates the rest, in place of the whole.
func (m *termMatrix) factored(ctx context.Context, whole *pivoting) (*termMatrix, *pivoted, error) {
	rest, err := whole.of(ctx, m.beyond)
	if err != nil {
		return nil, nil, err
	}
	rest.extend(ctx, rest.rank)
	f := rest.factor()
	f.approximation.TraceError *= m.share(rest, whole)
	f.approximation.Linear = m.weight
	return m, f, nil
}
