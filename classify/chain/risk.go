package chain

import (
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/vectors"
)

// chunks is the number of parts that sequences are walked in, whose sums are added in order.
const chunks = 64

// Risk is a [risk.Risk] of the scores of paths: see Margin and Likelihood.
type Risk struct {
	data   *Data
	c      float64
	pieces []piece
	walker func() walker
}

// walker walks sequences. It is scratch memory of one goroutine.
type walker interface {
	// prepare takes the scores of links, which hold for the sequences that follow.
	prepare(l Links, links []float64)
	// walk returns the loss of a sequence with the right states y, and adds what a plane has of every state of its
	// tokens to a, of every link to pairs: how often the right path has them, less how often that of the loss has.
	walk(l Links, tokens, links []float64, y []uint8, a, pairs []float64) float64
}

// Margin is the risk of structural support vector machines with Hamming loss,
//
//	R(f) = C Σ_q max over y of  (number of tokens of sequence q whose states in y are wrong) + F(y) − F(right),
//
// of a score for each token and state, and then one for each link: S of those after state 0, and so on; at last S of
// the first states. A walk takes S² operations per token.
func Margin(d *Data, c float64) Risk {
	return Risk{d, c, d.pieces(), func() walker { return new(marginWalker) }}
}

// Likelihood is the risk of conditional random fields,
//
//	R(f) = C Σ_q log Σ_y exp(F(y) − F(right)),
//
// of the scores that Margin has.
func Likelihood(d *Data, c float64) Risk {
	return Risk{d, c, d.pieces(), func() walker { return new(likelihoodWalker) }}
}

// Len returns the number of scores: states times tokens, and links.
func (r Risk) Len() int { return len(r.data.Tags)*r.data.Links.States + r.data.Links.size() }

// Nonnegative reports that R ≥ 0: the right path is among all.
func (r Risk) Nonnegative() bool { return true }

// Scalars returns none.
func (r Risk) Scalars([]float64) []float64 { return nil }

// Plane implements [risk.Risk].
func (r Risk) Plane(a, f []float64) (value, offset float64) {
	l := r.data.Links
	n := len(f) - l.size()
	clear(a)
	whole := l.scores(f[n:])
	inner := append([]float64(nil), whole...) // a sequence of which the beginning is not known has no first link
	clear(inner[l.at(Start, 0):])
	losses, pairs := make([]float64, chunks), make([][]float64, chunks)
	parallel.Each(chunks, func(p int) {
		pairs[p] = make([]float64, l.size())
		losses[p] = r.walkPart(p, a, f, [2][]float64{inner, whole}, pairs[p])
	})
	for p := range chunks {
		value += losses[p]
		vectors.Add(a[n:], pairs[p])
	}
	vectors.Scale(a, r.c)
	value = float64(value * r.c)
	return value, value + vectors.Dot(a, f)
}

// walkPart walks the sequences of a chunk.
func (r Risk) walkPart(p int, a, f []float64, links [2][]float64, pairs []float64) (loss float64) {
	l, s, n := r.data.Links, r.data.Links.States, len(r.pieces)
	var walkers [2]walker
	var counts [2][]float64
	for kind := range walkers {
		walkers[kind], counts[kind] = r.walker(), make([]float64, l.size())
		walkers[kind].prepare(l, links[kind])
	}
	for _, q := range r.pieces[p*n/chunks : (p+1)*n/chunks] {
		kind := 0
		if q.whole {
			kind = 1
		}
		loss += walkers[kind].walk(l, f[q.lo*s:q.hi*s], links[kind], r.data.Tags[q.lo:q.hi], a[q.lo*s:q.hi*s], counts[kind])
	}
	clear(counts[0][l.at(Start, 0):])
	for i := range pairs {
		pairs[i] = counts[0][i] + counts[1][i]
	}
	return loss
}

// addPath adds times to every state and link of a path.
func addPath(l Links, y []uint8, times float64, a, pairs []float64) {
	before := Start
	for t, s := range y {
		a[t*l.States+int(s)] += times
		pairs[l.at(before, int(s))] += times
		before = int(s)
	}
}

// marginWalker finds the path of greatest loss and score.
type marginWalker struct {
	viterbi
	augmented []float64
	y         []uint8
}

func (*marginWalker) prepare(Links, []float64) {}

func (w *marginWalker) walk(l Links, tokens, links []float64, right []uint8, a, pairs []float64) float64 {
	w.augmented = append(w.augmented[:0], tokens...)
	for i := range w.augmented {
		w.augmented[i]++
	}
	for t, s := range right {
		w.augmented[t*l.States+int(s)]--
	}
	if len(w.y) < len(right) {
		w.y = make([]uint8, len(right))
	}
	y := w.y[:len(right)]
	w.path(l, w.augmented, links, y)
	wrong := 0
	for t, s := range right {
		if y[t] != s {
			wrong++
		}
	}
	if wrong == 0 {
		return 0
	}
	addPath(l, right, 1, a, pairs)
	addPath(l, y, -1, a, pairs)
	return max(0, l.path(w.augmented, links, y)-l.path(tokens, links, right))
}

// likelihoodWalker finds the probabilities of states and links.
type likelihoodWalker struct {
	forward
	p []float64
}

func (w *likelihoodWalker) prepare(l Links, links []float64) { w.forward.prepare(l, links) }

func (w *likelihoodWalker) walk(l Links, tokens, links []float64, right []uint8, a, pairs []float64) float64 {
	logSum := w.sum(l, tokens)
	if len(w.p) < len(tokens) {
		w.p = make([]float64, len(tokens))
	}
	p := w.p[:len(tokens)]
	expected := make([]float64, len(pairs))
	w.marginals(l, p, expected)
	for i, v := range p {
		a[i] -= v
	}
	for i, v := range expected {
		pairs[i] -= v
	}
	addPath(l, right, 1, a, pairs)
	return max(0, logSum-l.path(tokens, links, right))
}
