package compose

import (
	"bytes"

	"gonum.org/v1/gonum/floats"

	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// normalizedScorer is a scorer of normalised support vectors that divides by the norm of the query.
type normalizedScorer struct {
	scorerOptions
	inner stringkernel.Scorer
	norms selfScorer
}

func newNormalizedScorer(k stringkernel.Kernel, inner stringkernel.Scorer) *normalizedScorer {
	s := &normalizedScorer{inner: inner, norms: newSelfScorer(k, inner)}
	s.scorerOptions = scorerOptions{[]stringkernel.Scorer{inner}, normalizedScores{s}}
	return s
}

func (s *normalizedScorer) ScoreTo(dst []float64, x []byte) { s.SelfScoreTo(dst, x) }

// SelfScoreTo is ScoreTo and returns 1, or 0 for a sequence without features.
func (s *normalizedScorer) SelfScoreTo(dst []float64, x []byte) float64 {
	scale := inverseRoot(s.norms.SelfScoreTo(dst, x))
	for m := range dst[:s.Outputs()] {
		dst[m] *= scale
	}
	return unit(scale)
}

func (s *normalizedScorer) Describer() stringkernel.Describer {
	return stringkernel.DescriberOf(s.inner)
}

// normalizedScores are the options of the scorer: contributions and scores are divided by the norm of the sequence, the
// weights of features are raw.
type normalizedScores struct{ *normalizedScorer }

func (s normalizedScores) ExplainTo(dst []float64, m int, x []byte) {
	stringkernel.ExplainerOf(s.inner).ExplainTo(dst, m, x)
	floats.Scale(inverseRoot(s.norms.self(x)), dst[:len(x)])
}

func (s normalizedScores) TopFeatures(mix []float64, n int) []stringkernel.Feature {
	return stringkernel.FeatureListerOf(s.inner).TopFeatures(mix, n)
}

func (s normalizedScores) FeaturesOf(mix []float64, x []byte, n int) []stringkernel.Feature {
	features := stringkernel.FeatureListerOf(s.inner).FeaturesOf(mix, x, n)
	scale := inverseRoot(s.norms.self(x))
	for i := range features {
		features[i].Contribution *= scale
	}
	return features
}

func (s normalizedScores) ScoreBatchTo(dst []float64, x [][]byte) {
	stringkernel.ScoreBatch(s.inner, dst, x)
	m := s.Outputs()
	for i := range x {
		floats.Scale(inverseRoot(s.norms.self(x[i])), dst[i*m:(i+1)*m])
	}
}

// SubstituteTo divides by the norm of each sequence with another letter.
func (s normalizedScores) SubstituteTo(scores, contributions []float64, m int, x, letters []byte) {
	Substitute(scores, contributions, s.inner, m, x, letters)
	y, self := bytes.Clone(x), s.substitutedSelf(x)
	for i, own := range x {
		for b, letter := range letters {
			y[i] = letter
			scale, at := inverseRoot(self(y, i)), i*len(letters)+b
			scores[at] *= scale
			if contributions != nil {
				contributions[at] *= scale
			}
		}
		y[i] = own
	}
}

// kmerSum returns the length of k-mers if φ(x) is a sum over those of x, wherever they are, else 0.
func kmerSum(k stringkernel.Kernel) int {
	switch k := k.(type) {
	case BothStrands:
		return kmerSum(k.Kernel)
	case Normalized, Mean, RBF:
		return 0
	}
	if WindowNormsOf(k) == nil { // as where k-mers weigh by their place
		return 0
	}
	return stringkernel.TraitsOf(k).KmerLength
}

// substitutedSelf returns a function from y, which is x with another letter at position i, to k(y, y). Of k-mers only
// those around the position differ: with v and w, the letters around it in x and in y, φ(y) = φ(x) + φ(w) − φ(v). That
// is used as long as k(y, y) is not so small that the difference loses digits.
func (s normalizedScores) substitutedSelf(x []byte) func(y []byte, i int) float64 {
	const (
		least = 4       // times the length of a k-mer: x is so much longer than w that less is computed
		small = 0x1p-10 // of k(x, x)
	)
	k, self := s.norms.kernel, s.norms.self
	span, whole := kmerSum(k), self(x)
	if span == 0 || len(x) < least*span {
		return func(y []byte, _ int) float64 { return self(y) }
	}
	last, fixed := -1, 0.0 // what is the same for all letters of the last position
	return func(y []byte, i int) float64 {
		lo, hi := max(0, i-span+1), min(len(x), i+span)
		v, w := x[lo:hi], y[lo:hi]
		if i != last {
			last, fixed = i, whole+SelfEval(k, v)-float64(2*k.Eval(x, v))
		}
		if y[i] == x[i] {
			return whole
		}
		sum := fixed + SelfEval(k, w) + float64(2*(k.Eval(x, w)-k.Eval(v, w)))
		if sum < small*whole {
			return self(y)
		}
		return sum
	}
}

// TrackTo computes the norms of windows one by one unless the wrapped kernel has [WindowNorms].
func (s normalizedScores) TrackTo(dst []float64, m int, x []byte, window int) {
	stringkernel.Track(dst, s.inner, m, x, window)
	norms := scratch.Borrow(&scratch.Pool, len(x)-window+1)
	defer scratch.Pool.Put(norms)
	TrackSelf(*norms, s.norms.kernel, x, window)
	for p, norm := range *norms {
		dst[p] *= inverseRoot(norm)
	}
}

// TrackStrands writes score m of the windows of x into plus and of those of its reverse complement rc into minus, as
// two calls of [stringkernel.Track] would, and faster where both have the same norms.
func TrackStrands(plus, minus []float64, s stringkernel.Scorer, m int, x, rc []byte, window int) {
	var (
		n, ok = s.(*normalizedScorer)
		norms WindowNorms
		inner stringkernel.Tracker
	)
	if ok && len(x) >= window {
		norms, inner = WindowNormsOf(n.norms.kernel), stringkernel.TrackerOf(n.inner)
	}
	if norms == nil || inner == nil || !norms.StrandSymmetric() {
		stringkernel.Track(plus, s, m, x, window)
		stringkernel.Track(minus, s, m, rc, window)
		return
	}
	inner.TrackTo(plus, m, x, window)
	inner.TrackTo(minus, m, rc, window)
	squares := scratch.Borrow(&scratch.Pool, len(x)-window+1)
	defer scratch.Pool.Put(squares)
	norms.TrackSelfTo(*squares, x, window)
	for p, square := range *squares {
		scale := inverseRoot(square)
		plus[p] *= scale
		minus[len(*squares)-1-p] *= scale
	}
}
