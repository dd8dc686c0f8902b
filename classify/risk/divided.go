package risk

import (
	"context"

	"github.com/seqsvm/seqsvm/internal/parallel"
)

// Scores writes the scores of the records lo, lo+1, … into dst. It may be called by several goroutines at once.
type Scores func(dst []float64, lo int)

// Divided is implemented by risks that are computed part by part from scores that nobody has to keep: in parallel, and
// without memory for each record besides that of the labels.
type Divided interface {
	Risk

	// PlaneOf is Plane at computed scores. take gets the coefficients of the records lo, lo+1, …, a part of at most
	// PartLen records that begins at a multiple of it, to be read before it returns; parts may come in any order and
	// from several goroutines. Sums are in the order of parts, so that the bits depend on nothing but the scores, which
	// must not be beyond ±1e300.
	PlaneOf(scores Scores, take func(a []float64, lo int)) (value, offset float64)

	// ScalarsOf is Scalars at computed scores.
	ScalarsOf(scores Scores) []float64
}

// PartLen is the number of records of a part, but for the last one.
const PartLen = 1 << 13

// Parts returns the number of parts of n records.
func Parts(n int) int { return (n + PartLen - 1) / PartLen }

// DividedOf returns the risk that is computed part by part, nil where all scores have to be there: hinges of one bias
// are, whose losses are not squared.
func DividedOf(r Risk) Divided {
	if h, ok := r.(*Hinges); ok && (h.Squared || h.Scalar != nil) {
		return nil
	}
	d, _ := r.(Divided)
	return d
}

// PlaneOf implements [Divided], in three passes over the scores, or rarely more.
func (h *Hinges) PlaneOf(scores Scores, take func(a []float64, lo int)) (value, offset float64) {
	h.prepare()
	h.biases[0] = h.biasOf(scores)
	sums := newPlaneSums(h)
	coefs := make([][]float64, groups)
	h.eachPart(scores, func(group int, p part, f []float64) {
		if coefs[group] == nil {
			coefs[group] = make([]float64, min(h.Len(), PartLen))
		}
		a := coefs[group][:len(f)]
		sums.add(p, a, f)
		take(a, p.lo)
	})
	return sums.total()
}

// ScalarsOf implements [Divided].
func (h *Hinges) ScalarsOf(scores Scores) []float64 {
	h.prepare()
	return []float64{h.biasOf(scores).value}
}

// groups is the number of runs of parts that have sums of their own, at most.
const groups = 64

// eachPart computes the scores of each part, on all threads, and gives them to visit. The parts of one group, and they
// alone, come one after another, in order.
func (h *Hinges) eachPart(scores Scores, visit func(group int, p part, f []float64)) {
	buffers := make([][]float64, groups)
	h.inParts(func(group int, p part) {
		if buffers[group] == nil {
			buffers[group] = make([]float64, min(h.Len(), PartLen))
		}
		f := buffers[group][:p.hi-p.lo]
		scores(f, p.lo)
		visit(group, p, f)
	})
}

// inParts visits each part, as eachPart.
func (h *Hinges) inParts(visit func(group int, p part)) {
	n, parts := h.Len(), Parts(h.Len())
	count := min(groups, parts)
	_ = parallel.Do(context.Background(), count, func(group int) error { // no task fails
		for k := group * parts / count; k < (group+1)*parts/count; k++ {
			p := part{lo: k * PartLen, hi: min(n, (k+1)*PartLen)}
			p.first, p.end = h.firstOf(p.lo), h.firstOf(p.hi)
			visit(group, p)
		}
		return nil
	})
}
