package poim

import (
	"bytes"
	"context"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/vectors"
)

// sums are W, R, L and B of the package comment: at first without extensions, then complete, and finally the terms of
// the importances. W is needed for k-mers of up to K − 2 letters, R and L up to K − 1, and B for all.
type sums struct {
	window, length int
	sigma          int
	frequency      []float64
	inner          levels      // W
	right          levels      // R
	left           levels      // L
	both           levels      // B
	expected       [][]float64 // expected[k][i] is Σ_u π(u) w(u, i) over all k-mers
	last           []byte      // the k-mer added last
	ahead, behind  []float64   // probabilities of the letters before each of it, and from each on
}

func newSums(opt Options, frequency []float64) *sums {
	sigma := opt.Alphabet.Size()
	return &sums{
		window: opt.Window, length: opt.Length, sigma: sigma, frequency: frequency,
		inner: newLevels(sigma, opt.Window, max(0, opt.Length-2)),
		right: newLevels(sigma, opt.Window, opt.Length-1),
		left:  newLevels(sigma, opt.Window, opt.Length-1),
		both:  newLevels(sigma, opt.Window, opt.Length),
	}
}

// check returns an error unless the weight is of a k-mer within the window.
func (s *sums) check(w Weight) error {
	if w.Position < 0 || len(w.Word) < 1 || w.Position+len(w.Word) > s.window {
		return fmt.Errorf("a weight of a k-mer of %d letters at position %d is outside the window of %d",
			len(w.Word), w.Position, s.window)
	}
	for _, c := range w.Word {
		if int(c) >= s.sigma {
			return fmt.Errorf("a weight of a k-mer with letter %d, want 0…%d", c, s.sigma-1)
		}
	}
	if math.IsNaN(w.Value) || math.IsInf(w.Value, 0) {
		return fmt.Errorf("a weight of %v, want a finite number", w.Value)
	}
	return nil
}

// add adds a weight to the sums of the parts of its k-mer that are short enough to have one.
func (s *sums) add(w Weight) {
	k, part := len(w.Word), min(len(w.Word), s.right.longest())
	s.multiply(w.Word, part)
	for len(s.expected) <= k {
		s.expected = append(s.expected, make([]float64, s.window))
	}
	s.expected[k][w.Position] += float64(w.Value * s.ahead[k])
	if k <= s.inner.longest() {
		s.inner.row(k, w.Position)[s.number(w.Word)] += w.Value
	}
	if part > 0 {
		s.right.row(part, w.Position)[s.number(w.Word[:part])] += float64(w.Value * s.behind[part])
		s.left.row(part, w.Position+k-part)[s.number(w.Word[k-part:])] += float64(w.Value * s.ahead[k-part])
	}
	if k >= s.length {
		s.addWindows(w)
	}
}

// addWindows adds a weight to B of all K-mers within its k-mer.
func (s *sums) addWindows(w Weight) {
	size := s.both.sizes[s.length]
	number := s.number(w.Word[:s.length-1])
	for end := s.length; end <= len(w.Word); end++ {
		start := end - s.length
		number = (number*s.sigma + int(w.Word[end-1])) % size
		s.both.row(s.length, w.Position+start)[number] += float64(float64(w.Value*s.ahead[start]) * s.behind[end])
	}
}

// multiply writes the probabilities of all prefixes of a k-mer, by length, and of the suffixes that begin at part or
// later. A k-mer is often the previous one plus a letter, whose prefixes are known.
func (s *sums) multiply(word []byte, part int) {
	k := len(word)
	for len(s.ahead) <= k {
		s.ahead, s.behind = append(s.ahead, 1), append(s.behind, 1)
	}
	known := k - 1
	if len(s.last) < known || !bytes.Equal(s.last[:known], word[:known]) {
		known = 0
	}
	for i, c := range word[known:] {
		s.ahead[known+i+1] = s.ahead[known+i] * s.frequency[c]
	}
	s.last = append(s.last[:known], word[known:]...)
	s.behind[k] = 1
	for i := k - 1; i >= part; i-- {
		s.behind[i] = s.behind[i+1] * s.frequency[word[i]]
	}
}

// number returns the index of a k-mer in a row.
func (s *sums) number(word []byte) int {
	n := 0
	for _, c := range word {
		n = n*s.sigma + int(c)
	}
	return n
}

// importances turns the sums into Q, in place of B, unless ctx ends.
func (s *sums) importances(ctx context.Context) {
	s.extendRight(ctx)
	s.extendLeft(ctx)
	s.extendBoth(ctx)
	addPrefixes(ctx, &s.left, s.sigma)
	addSuffixes(ctx, &s.right, s.sigma)
	// within a k-mer: the sum over the suffixes of the sums over their prefixes
	addPrefixes(ctx, &s.inner, s.sigma)
	addSuffixes(ctx, &s.inner, s.sigma)
	s.assemble(ctx)
}

// extendRight completes R: R(v, a) += Σ_c π(c) R(vc, a).
func (s *sums) extendRight(ctx context.Context) {
	for k := s.right.longest() - 1; k >= 1; k-- {
		s.right.each(ctx, k+1, func(a int) {
			longer := s.right.row(k+1, a)
			for v := range s.right.row(k, a) {
				s.right.row(k, a)[v] += s.average(longer[v*s.sigma : (v+1)*s.sigma])
			}
		})
	}
}

// average returns Σ_c π(c)·values[c].
func (s *sums) average(values []float64) float64 {
	sum := 0.0
	for c, f := range s.frequency {
		sum += float64(f * values[c])
	}
	return sum
}

// extendLeft completes L: L(v, a) += Σ_c π(c) L(cv, a − 1).
func (s *sums) extendLeft(ctx context.Context) {
	for k := s.left.longest() - 1; k >= 1; k-- {
		s.left.each(ctx, k+1, func(a int) { s.addLonger(s.left.row(k, a+1), s.left.row(k+1, a)) })
	}
}

// addLonger adds Σ_c π(c) longer(cv) to every v.
func (s *sums) addLonger(row, longer []float64) {
	for c, f := range s.frequency {
		part := longer[c*len(row) : (c+1)*len(row)]
		for v, value := range part {
			row[v] += float64(f * value)
		}
	}
}

// extendBoth completes B: B(v, a) = R(v, a) + Σ_c π(c) B(cv, a − 1).
func (s *sums) extendBoth(ctx context.Context) {
	for k := s.length - 1; k >= 1; k-- {
		copy(s.both.rows[k], s.right.rows[k])
		s.both.each(ctx, k+1, func(a int) { s.addLonger(s.both.row(k, a+1), s.both.row(k+1, a)) })
	}
}

// addPrefixes replaces values of k-mers by their sums over all prefixes of a k-mer, including the k-mer.
func addPrefixes(ctx context.Context, l *levels, sigma int) {
	for k := 2; k <= l.longest(); k++ {
		l.each(ctx, k, func(a int) {
			row := l.row(k, a)
			for v, value := range l.row(k-1, a) {
				for c := range sigma {
					row[v*sigma+c] += value
				}
			}
		})
	}
}

// addSuffixes replaces values of k-mers by their sums over all suffixes of a k-mer, including the k-mer.
func addSuffixes(ctx context.Context, l *levels, sigma int) {
	for k := 2; k <= l.longest(); k++ {
		l.each(ctx, k, func(a int) {
			row, shorter := l.row(k, a), l.row(k-1, a+1)
			for c := range sigma {
				vectors.Add(row[c*len(shorter):], shorter)
			}
		})
	}
}

// assemble turns B into Q by adding the sums over prefixes, suffixes and inner k-mers, and subtracting the expectation
// without the k-mer.
func (s *sums) assemble(ctx context.Context) {
	until := s.expectedUntil()
	for k := 1; k <= s.length; k++ {
		s.both.each(ctx, k, func(j int) {
			row := s.both.row(k, j)
			expected := s.expectedAt(until, k, j)
			for z := range row {
				row[z] -= expected
			}
			if k > 1 {
				s.addOverlaps(row, k, j)
			}
		})
	}
}

// addOverlaps adds to the k-mers at j, k ≥ 2, the k-mers that overlap them without covering them.
func (s *sums) addOverlaps(row []float64, k, j int) {
	prefixes, suffixes := s.left.row(k-1, j), s.right.row(k-1, j+1)
	within := []float64{0} // of (k−2)-mers
	if k > 2 {
		within = s.inner.row(k-2, j+1)
	}
	z := 0
	for first := range s.sigma {
		for v, inside := range within {
			prefix := prefixes[first*len(within)+v] + inside
			for _, suffix := range suffixes[v*s.sigma : (v+1)*s.sigma] {
				row[z] += prefix + suffix
				z++
			}
		}
	}
}

// expectedUntil returns the running sums of expected: entry i of length k is the sum over positions before i.
func (s *sums) expectedUntil() [][]float64 {
	until := scratch.Vectors(len(s.expected), s.window+1)
	for k, values := range s.expected {
		for i, value := range values {
			until[k][i+1] = until[k][i] + value
		}
	}
	return until
}

// expectedAt returns the contribution of the k-mers that overlap [j, j + k) to the expected score of a random window.
func (s *sums) expectedAt(until [][]float64, k, j int) float64 {
	sum := 0.0
	for length := 1; length < len(until); length++ {
		sum += until[length][j+k] - until[length][max(0, j-length+1)]
	}
	return sum
}
