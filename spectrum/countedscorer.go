package spectrum

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/seqsvm/seqsvm/internal/countof"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// countedScorer is the weights of k-mers by counts through a function g: those of raw counts, in which each occurrence
// of a k-mer adds g(1) times its weight, and each repeat what g(n) is beyond. It is safe for concurrent use.
type countedScorer struct {
	kernel  throughCount
	values  countof.Values
	factors int // columns of the weights before those of outputs: by document frequency one, of squares of factors
	linear  *scorer
}

func (k throughCount) scorer(columns, factors int, levels []level) (*countedScorer, error) {
	raw := Kernel{K: k.K, Bounded: k.Bounded, Alphabet: k.Alphabet}
	linear, err := newScorer(raw, columns, levels, scorerDepth(raw, columns, levels))
	return &countedScorer{k, countof.New(k.Count), factors, linear}, err
}

// merge folds the support vectors into weights of k-mers. O(N) for N letters, for each length.
func (k throughCount) merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (*countedScorer, error) {
	table := topByTable(Kernel(k), sv.Letters(), c.Outputs)
	if err := Kernel(k).checkSorted(sv, table && !k.Bounded); err != nil {
		return nil, err
	}
	perLetter := Kernel(k).weightBytes(sv.Len(), sv.Letters(), c.Outputs) / float64(max(sv.Letters(), 1))
	if k.rc {
		perLetter *= 2
	}
	if err := stringkernel.CheckIndex(sv, perLetter); err != nil {
		return nil, fmt.Errorf("spectrum: %w", err)
	}
	records, coef, values := k.records(sv), c.Dense(), countof.New(k.Count)
	for _, row := range coef {
		for j := range row {
			row[j] *= values.At(1)
		}
	}
	levels, err := mergeWeights(ctx, Kernel(k), records, coef, table)
	if err != nil {
		return nil, err
	}
	k.addRepeats(ctx, levels, records, coef)
	return k.scorer(c.Outputs, 0, levels)
}

// addRepeats adds to the weights of k-mers by raw counts what repeats are beyond, given coefficients times g(1).
func (k throughCount) addRepeats(
	ctx context.Context, levels []level, records *stringkernel.Corpus, coef [][]float64,
) {
	outputs, first := len(coef), Kernel(k).shortest()
	coder, values := newCoder(k.Alphabet, k.K), countof.New(k.Count)
	places, rows := make([]map[uint64]int, len(levels)), make([][]float64, len(levels))
	for i := range places {
		places[i] = map[uint64]int{}
	}
	c := counters.Get().(*counter)
	for j := range records.Len() {
		c.findRepeats(ctx, &coder, first, records.Seq(j))
		for _, r := range c.repeats {
			i := int(r.length) - first
			at, known := places[i][r.code]
			if !known {
				at = len(rows[i])
				places[i][r.code], rows[i] = at, append(rows[i], make([]float64, outputs)...)
			}
			surplus := values.Surplus(r.count)
			for m := range coef {
				rows[i][at+m] += float64(surplus * coef[m][j])
			}
		}
	}
	counters.Put(c)
	for i := range levels {
		more := newLevel(levels[i].length, len(places[i]), outputs)
		for _, code := range slices.Sorted(maps.Keys(places[i])) {
			copy(more.at(code, outputs), rows[i][places[i][code]:])
		}
		levels[i] = addRows(levels[i], more, outputs).nonzero(outputs)
	}
}

// Traits says that weights are to be arranged for scores.
func (s *countedScorer) Traits() stringkernel.Traits { return s.linear.Traits() }

// Outputs returns the number of scores per sequence.
func (s *countedScorer) Outputs() int { return s.linear.outputs - s.factors }

// ScoreTo writes the scores by raw counts, and adds the weights of repeats times their surplus. O(|x|) for each length
// that repeats reach.
func (s *countedScorer) ScoreTo(dst []float64, x []byte) { s.SelfScoreTo(dst, x) }

// SelfScoreTo is ScoreTo and also returns k(x, x).
func (s *countedScorer) SelfScoreTo(dst []float64, x []byte) (self float64) {
	record, first := s.kernel.record(x), Kernel(s.kernel).shortest()
	pooled := scratch.Borrow(&scratch.Pool, 2*s.linear.outputs)
	defer scratch.Pool.Put(pooled)
	sums, row := (*pooled)[:s.linear.outputs], (*pooled)[s.linear.outputs:]
	s.linear.ScoreTo(sums, record)
	c := counters.Get().(*counter)
	defer counters.Put(c)
	c.findRepeats(context.Background(), &s.linear.coder, first, record)
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
	return c.selfRepeats(&s.values)
}

// ownTo writes the weights of a k-mer: with Bounded, what its row has beyond that of its prefix.
func (s *scorer) ownTo(dst []float64, code uint64, length int) {
	clear(dst)
	copy(dst, s.row(code, length))
	if s.kernel.Bounded && length > 1 {
		for m, value := range s.row(code>>s.coder.Bits, length-1) {
			dst[m] -= value
		}
	}
}

// ExplainTo divides what a k-mer adds to score m evenly among its occurrences, and of each among its letters.
// Contributions sum to the score up to rounding. O(K·|x|) for each length.
func (s *countedScorer) ExplainTo(dst []float64, m int, x []byte) {
	record, shares := s.kernel.record(x), dst[:len(x)]
	if s.kernel.rc {
		shares = make([]float64, len(record))
	}
	s.linear.ExplainTo(shares, s.factors+m, record)
	s.explainRepeats(shares, s.factors+m, record)
	for p := range dst[:len(x)] {
		sum := shares[p]
		if s.kernel.rc { // on the other strand, behind a break, places are counted from the last letter
			sum += shares[2*len(x)-p]
		}
		dst[p] = float64(s.values.At(1) * sum)
	}
}

// explainRepeats adds the surplus of repeats.
func (s *countedScorer) explainRepeats(shares []float64, m int, record []byte) {
	first := Kernel(s.kernel).shortest()
	c, row := counters.Get().(*counter), make([]float64, s.linear.outputs)
	defer counters.Put(c)
	c.findRepeats(context.Background(), &s.linear.coder, first, record)
	for list := c.repeats; len(list) > 0; {
		length, of := int(list[0].length), map[uint64]float64{}
		for ; len(list) > 0 && int(list[0].length) == length; list = list[1:] {
			r := list[0]
			s.linear.ownTo(row, r.code, length)
			of[r.code] = float64(s.values.Surplus(r.count)*row[m]) / float64(int(r.count)*length)
		}
		coder := newCoder(s.kernel.Alphabet, length)
		for at, code := range coder.All(record) {
			if share := of[code]; share != 0 {
				for p := range shares[at : at+length] {
					shares[at+p] += share
				}
			}
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
	s.kernel.track(dst, x, window, s.values.At, func(code uint64, length int) float64 {
		s.linear.ownTo(row, code, length)
		return row[m]
	})
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
