package compose

import (
	"sync"

	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// strandScorer scores both strands of the query against both strands of the support vectors.
type strandScorer struct {
	scorerOptions
	inner    stringkernel.Scorer
	alphabet stringkernel.Alphabet
	scratch  sync.Pool // of *strandScratch
}

type strandScratch struct {
	rc     []byte
	scores []float64
}

func newStrandScorer(inner stringkernel.Scorer, a stringkernel.Alphabet) *strandScorer {
	s := &strandScorer{inner: inner, alphabet: a, scratch: sync.Pool{New: func() any { return new(strandScratch) }}}
	s.scorerOptions = scorerOptions{[]stringkernel.Scorer{inner}, strandScores{s}}
	return s
}

// ScoreTo adds the strands' scores last, and addition commutes: that is why both strands give the same bits.
func (s *strandScorer) ScoreTo(dst []float64, x []byte) {
	w := s.scratch.Get().(*strandScratch)
	defer s.scratch.Put(w)
	w.rc = s.alphabet.ReverseComplementTo(w.rc, x)
	w.scores = scratch.Resize(w.scores, s.Outputs())
	s.inner.ScoreTo(dst, x)
	s.inner.ScoreTo(w.scores, w.rc)
	for m, value := range w.scores {
		dst[m] += value
	}
}

func (s *strandScorer) Describer() stringkernel.Describer { return stringkernel.DescriberOf(s.inner) }

// strandScores are the options of the scorer, which add up those of both strands.
type strandScores struct{ *strandScorer }

// mirrored writes the sum of what write makes of x and, in reverse order, of what it makes of the reverse complement.
func (s strandScores) mirrored(dst []float64, x []byte, write func(dst []float64, x []byte)) {
	w := s.scratch.Get().(*strandScratch)
	defer s.scratch.Put(w)
	w.rc = s.alphabet.ReverseComplementTo(w.rc, x)
	w.scores = scratch.Resize(w.scores, len(dst))
	write(dst, x)
	write(w.scores, w.rc)
	for i := range w.scores {
		dst[i] += w.scores[len(dst)-1-i]
	}
}

func (s strandScores) ExplainTo(dst []float64, m int, x []byte) {
	inner := stringkernel.ExplainerOf(s.inner)
	s.mirrored(dst[:len(x)], x, func(dst []float64, x []byte) { inner.ExplainTo(dst, m, x) })
}

func (s strandScores) TrackTo(dst []float64, m int, x []byte, window int) {
	s.mirrored(dst[:len(x)-window+1], x, func(dst []float64, x []byte) {
		stringkernel.Track(dst, s.inner, m, x, window)
	})
}

// SubstituteTo adds up a letter on one strand and its complement, at the mirrored position, on the other.
func (s strandScores) SubstituteTo(scores, contributions []float64, m int, x, letters []byte) {
	n, complements := len(letters), make([]byte, len(letters))
	for b, letter := range letters {
		complements[b] = s.alphabet.ReverseComplementTo(nil, []byte{letter})[0]
	}
	other, parts := make([]float64, len(scores)), []float64(nil)
	if contributions != nil {
		parts = make([]float64, len(contributions))
	}
	Substitute(scores, contributions, s.inner, m, x, letters)
	Substitute(other, parts, s.inner, m, s.alphabet.ReverseComplementTo(nil, x), complements)
	for i := range x {
		mirrored := (len(x) - 1 - i) * n
		for b := range n {
			scores[i*n+b] += other[mirrored+b]
			if contributions != nil {
				contributions[i*n+b] += parts[mirrored+b]
			}
		}
	}
}

func (s strandScores) ScoreBatchTo(dst []float64, x [][]byte) {
	other, scores := make([][]byte, len(x)), make([]float64, len(x)*s.Outputs())
	for i := range x {
		other[i] = s.alphabet.ReverseComplementTo(nil, x[i])
	}
	stringkernel.ScoreBatch(s.inner, dst, x)
	stringkernel.ScoreBatch(s.inner, scores, other)
	for i, value := range scores {
		dst[i] += value
	}
}

// TopFeatures lists a feature and its reverse complement, which have the same weight, as one: an occurrence counts on
// its strand and, as the other, on the opposite one.
func (s strandScores) TopFeatures(mix []float64, n int) []stringkernel.Feature {
	twice := n
	if n <= stringkernel.AllFeatures/2 {
		twice = 2 * n // each may be listed as both
	}
	return stringkernel.StrongestWeights(s.joined(stringkernel.FeatureListerOf(s.inner).TopFeatures(mix, twice)), n)
}

// FeaturesOf lists the features of both strands of x, a feature and its reverse complement as one.
func (s strandScores) FeaturesOf(mix []float64, x []byte, n int) []stringkernel.Feature {
	const all = stringkernel.AllFeatures
	inner := stringkernel.FeatureListerOf(s.inner)
	features := inner.FeaturesOf(mix, x, all)
	features = append(features, inner.FeaturesOf(mix, s.alphabet.ReverseComplementTo(nil, x), all)...)
	features = s.joined(features)
	for i := range features {
		features[i].Count /= 2 // once on either strand
	}
	return stringkernel.StrongestContributions(features, n)
}

// joined makes one feature of a feature and its reverse complement, under the alphabetically first: the weight of both,
// the sum of counts and contributions.
func (s strandScores) joined(features []stringkernel.Feature) (joined []stringkernel.Feature) {
	place := map[string]int{}
	for _, f := range features {
		f.Text = min(f.Text, s.opposite(f.Text))
		at, known := place[f.Text]
		if !known {
			place[f.Text] = len(joined)
			f.Weight *= 2
			joined = append(joined, f)
			continue
		}
		joined[at].Count += f.Count
		joined[at].Contribution += f.Contribution
	}
	return joined
}

// opposite returns the reverse complement of a feature. The mark of the beginning is then at the end, and becomes that
// of the end.
func (s strandScores) opposite(text string) string {
	other := s.alphabet.ReverseComplementTo(nil, []byte(text))
	for i, b := range other {
		switch b {
		case stringkernel.BeginSign:
			other[i] = stringkernel.EndSign
		case stringkernel.EndSign:
			other[i] = stringkernel.BeginSign
		}
	}
	return string(other)
}
