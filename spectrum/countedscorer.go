package spectrum

import (
	"context"

	"github.com/seqsvm/seqsvm/internal/countof"
	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// countedScorer is the weights of k-mers by counts through a function g: those of raw counts, in which each occurrence
// of a k-mer adds g(1) times its weight, and each repeat what g(n) is beyond. It is safe for concurrent use.
type countedScorer struct {
	kernel  Kernel
	values  countof.Values
	factors int // columns of the weights before those of outputs: by document frequency one, of squares of factors
	linear  *scorer
}

// Traits says that weights are to be arranged for scores.
func (s *countedScorer) Traits() stringkernel.Traits {
	return stringkernel.Traits{Prepare: s.linear.Traits().Prepare, SelfScoreTo: s.SelfScoreTo}
}

// Outputs returns the number of scores per sequence.
func (s *countedScorer) Outputs() int { return s.linear.outputs - s.factors }

// ScoreTo writes the scores by raw counts, and adds the weights of repeats times their surplus. O(|x|) for each length
// that repeats reach.
func (s *countedScorer) ScoreTo(dst []float64, x []byte) { s.SelfScoreTo(dst, x) }

// SelfScoreTo is ScoreTo and also returns k(x, x).
func (s *countedScorer) SelfScoreTo(dst []float64, x []byte) (self float64) {
	record, first := s.kernel.record(x), s.kernel.shortest()
	pooled := scratch.Borrow(&scratch.Pool, 2*s.linear.outputs)
	defer scratch.Pool.Put(pooled)
	sums, row := (*pooled)[:s.linear.outputs], (*pooled)[s.linear.outputs:]
	c := counters.Get().(*counter)
	defer counters.Put(c)
	s.linear.scoreTo(sums, c, record)
	c.findRepeats(context.Background(), &s.linear.coder, first, true, record)
	for _, r := range c.repeats {
		s.linear.ownTo(row, r.code, int(r.length))
		surplus := s.values.Surplus(r.count)
		for m, weight := range row[s.factors:] {
			sums[s.factors+m] += float64(surplus * weight)
		}
		if s.factors > 0 {
			sums[0] += float64((s.values.Square(r.count)/s.values.Square(1) - float64(r.count)) * row[0])
		}
	}
	for m, sum := range sums[s.factors:] {
		dst[m] = float64(s.values.At(1) * sum)
	}
	if s.factors > 0 {
		return float64(s.values.Square(1) * sums[0])
	}
	return c.square(&s.values)
}

// ExplainTo divides what a k-mer adds to score m evenly among its occurrences, and of each among its letters.
// Contributions sum to the score up to rounding. O(K·|x|) for each length.
func (s *countedScorer) ExplainTo(dst []float64, m int, x []byte) {
	s.linear.prepare()
	record, row := s.kernel.record(x), make([]float64, s.linear.outputs)
	shares := make([]float64, len(record))
	for length := s.kernel.shortest(); length <= s.kernel.K; length++ {
		coder, of := kmer.New(s.kernel.Alphabet, length), map[uint64]float64{}
		coder.EachCount(record, func(code uint64, count int) {
			s.linear.ownTo(row, code, length)
			of[code] = float64(s.values.At(uint32(count))*row[s.factors+m]) / float64(count*length)
		})
		for at, code := range coder.All(record) {
			share := of[code]
			for p := range shares[at : at+length] {
				shares[at+p] += share
			}
		}
	}
	copy(dst, shares[:len(x)])
	if s.kernel.bothStrands { // on the other strand, behind a break, places are counted from the last letter
		for p := range x {
			dst[p] += shares[2*len(x)-p]
		}
	}
}

// Tracker tracks windows; nil by document frequency, since norms of windows would be those of the kernel, which is not
// fitted where a model was read.
func (s *countedScorer) Tracker() stringkernel.Tracker {
	if s.factors > 0 {
		return nil
	}
	return countedTracker{s}
}

type countedTracker struct{ *countedScorer }

// TrackTo writes score m of all windows of x: O(1) per window for each length.
func (s countedTracker) TrackTo(dst []float64, m int, x []byte, window int) {
	s.linear.prepare()
	row := make([]float64, s.linear.outputs)
	s.kernel.track(dst, window, s.values.At, func(code uint64, length int) float64 {
		s.linear.ownTo(row, code, length)
		return row[m]
	}, s.kernel.strands(x)...)
}

// mixed returns the mixture of the weights that one of outputs is of what they are of an occurrence.
func (s *countedScorer) mixed(mix []float64) []float64 {
	columns := make([]float64, s.linear.outputs)
	for m, a := range mix {
		columns[s.factors+m] = float64(s.values.At(1) * a)
	}
	return columns
}

// TopFeatures lists k-mers with what one occurrence of each adds: see stringkernel.FeatureLister. O(k-mers with a
// weight).
func (s *countedScorer) TopFeatures(mix []float64, n int) []stringkernel.Feature {
	return s.linear.TopFeatures(s.mixed(mix), n)
}

// FeaturesOf lists the k-mers of x with what they add: see stringkernel.FeatureLister.
func (s *countedScorer) FeaturesOf(mix []float64, x []byte, n int) []stringkernel.Feature {
	list := s.linear.FeaturesOf(s.mixed(mix), s.kernel.record(x), stringkernel.AllFeatures)
	for i := range list {
		f := &list[i]
		f.Contribution = f.Weight * s.values.At(uint32(f.Count)) / s.values.At(1)
		f.Weight = f.Contribution / float64(f.Count)
	}
	return stringkernel.StrongestContributions(list, n)
}
