package compose

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"

	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// linearScorer is the scorer of a [Linear] kernel: the mean of the terms' scores of what they see of a query, divided
// by its norm.
type linearScorer struct {
	kernel  Linear
	terms   []stringkernel.Scorer
	norms   []selfScorer // of the terms; nil if their scores are raw
	letters sync.Pool    // *[]byte, of a reverse complement
}

// newScorer collects the scorers of the terms.
func (k Linear) newScorer(
	of func(t int, term stringkernel.Kernel) (stringkernel.Scorer, error),
) (stringkernel.Scorer, error) {
	terms, err := ofTerms(k, of)
	if err != nil {
		return nil, err
	}
	s := &linearScorer{kernel: k, terms: terms}
	for t, term := range terms {
		if n, first := term.Outputs(), terms[0].Outputs(); n != first {
			return nil, fmt.Errorf("sum: term %d has %d outputs, term 1 has %d", t+1, n, first)
		}
		if !k.whole { // of which a restored scorer does not know k(x, x)
			s.norms = append(s.norms, selfScorer{term, k.Terms[t], stringkernel.TraitsOf(term).SelfScoreTo})
		}
	}
	return s, nil
}

// Raw returns a scorer without the norms of queries: of a [Normalized] kernel f_m(x) = Σ_i coef[m][i]·k(x_i, x)/√k(x_i,
// x_i), in which the support vectors are normalised and x is not; of another [Linear] one the mean of its terms' raw
// scores; any other scorer itself. The norm takes longer than the score where k(x, x) is quadratic in |x|, and raw
// scores of k-mers add up to that of the sequence they are in. It shares its structure with s and takes O(1) per term.
func Raw(s stringkernel.Scorer) stringkernel.Scorer {
	l, is := s.(*linearScorer)
	if !is || l.kernel.whole {
		return s
	}
	terms := slices.Clone(l.terms)
	for t := range terms {
		if !l.kernel.Cosine {
			terms[t] = Raw(terms[t])
		}
	}
	if len(terms) == 1 && l.kernel.sees() {
		return terms[0]
	}
	return &linearScorer{kernel: l.kernel.raw(), terms: terms}
}

func (s *linearScorer) Outputs() int { return s.terms[0].Outputs() }

// mean writes the mean of what write gives for the scorers of the terms.
func (s *linearScorer) mean(dst []float64, write func(out []float64, t stringkernel.Scorer)) {
	mean(dst, s.kernel.Weights, s.terms, write)
}

// strands writes what write makes of a sequence, on both strands the sum with what it makes of the reverse complement,
// in reverse order if that is mirrored. Addition commutes: that is why both strands give the same bits.
func (s *linearScorer) strands(dst []float64, x []byte, mirrored bool, write func(dst []float64, x []byte)) {
	write(dst, x)
	if s.kernel.Strands == "" {
		return
	}
	rc := scratch.BorrowOf[byte](&s.letters, len(x))
	defer s.letters.Put(rc)
	other := scratch.Borrow(&scratch.Pool, len(dst))
	defer scratch.Pool.Put(other)
	write(*other, s.kernel.Strands.ReverseComplementTo(*rc, x))
	if mirrored {
		slices.Reverse(*other)
	}
	floats.Add(dst, *other)
}

func (s *linearScorer) ScoreTo(dst []float64, x []byte) {
	if s.kernel.Cosine {
		s.selfScoreTo(dst, x)
		return
	}
	s.sumTo(dst[:s.Outputs()], s.kernel.part(x))
}

// sumTo scores what the terms see of a sequence, before normalisation.
func (s *linearScorer) sumTo(dst []float64, x []byte) {
	if len(s.terms) == 1 && s.kernel.Strands == "" {
		s.terms[0].ScoreTo(dst, x)
		return
	}
	s.mean(dst, func(out []float64, t stringkernel.Scorer) { s.strands(out, x, false, t.ScoreTo) })
}

// selfScoreTo is ScoreTo and returns k(x, x): the mean of the terms', each by its scorer if that knows.
func (s *linearScorer) selfScoreTo(dst []float64, x []byte) float64 {
	dst = dst[:s.Outputs()]
	square := s.squareTo(dst, s.kernel.part(x))
	if !s.kernel.Cosine {
		return square
	}
	scale := inverseRoot(square)
	floats.Scale(scale, dst)
	return unit(scale)
}

// squareTo is sumTo and returns k(x, x) before normalisation.
func (s *linearScorer) squareTo(dst []float64, x []byte) (square float64) {
	switch {
	case s.kernel.Strands != "":
		s.sumTo(dst, x)
		return s.kernel.square(x)
	case len(s.norms) == 1:
		return s.norms[0].SelfScoreTo(dst, x)
	}
	weights, t := shares(s.kernel.Weights), 0
	mean(dst, weights, s.norms, func(out []float64, term selfScorer) {
		square += float64(weights.weight(t) * term.SelfScoreTo(out, x))
		t++
	})
	return square / weights.total(t)
}

// scale returns what the scores of a sequence are divided by, inverted.
func (s *linearScorer) scale(x []byte) float64 {
	if !s.kernel.Cosine {
		return 1
	}
	return inverseRoot(s.square(x))
}

// square returns k(x, x) before normalisation.
func (s *linearScorer) square(x []byte) float64 {
	x = s.kernel.part(x)
	if s.kernel.Strands != "" {
		return s.kernel.square(x)
	}
	return average(s.kernel.Weights, s.norms, func(n selfScorer) float64 { return n.self(x) })
}

// Traits say that batches are scored together if any term does that. The length of windows is that of the first term
// that has one; of parts, the length of a sequence follows if they go to the end.
func (s *linearScorer) Traits() stringkernel.Traits {
	all := stringkernel.Traits{Prepare: func(ctx context.Context) error { return prepareAll(ctx, s.terms) }}
	if s.norms != nil { // raw scores have no kernel
		all.SelfScoreTo = s.selfScoreTo
	}
	for _, t := range s.terms {
		own := stringkernel.TraitsOf(t)
		all.WindowLength = cmp.Or(all.WindowLength, own.WindowLength)
		if own.ScoreBatchTo != nil && !s.kernel.whole {
			all.ScoreBatchTo = s.scoreBatchTo
		}
	}
	switch {
	case s.kernel.To != 0:
		all.WindowLength = 0
	case all.WindowLength > 0:
		all.WindowLength += s.kernel.From + s.kernel.Drop
	}
	return all
}

// Explainer explains if the terms do.
func (s *linearScorer) Explainer() stringkernel.Explainer {
	return givenAll(s.terms, stringkernel.ExplainerOf, stringkernel.Explainer(s))
}

// ExplainTo adds up contributions on both strands, at the places of the whole sequence.
func (s *linearScorer) ExplainTo(dst []float64, m int, x []byte) {
	from, to := s.kernel.bounds(len(x))
	part := s.kernel.part(x)
	clear(dst[:len(x)])
	s.mean(dst[from:to], func(out []float64, t stringkernel.Scorer) {
		explainer := stringkernel.ExplainerOf(t)
		s.strands(out, part, true, func(dst []float64, x []byte) { explainer.ExplainTo(dst, m, x) })
	})
	floats.Scale(s.scale(x), dst[from:to])
}

// FeatureLister lists features if the terms do.
func (s *linearScorer) FeatureLister() stringkernel.FeatureLister {
	return givenAll(s.terms, stringkernel.FeatureListerOf, stringkernel.FeatureLister(s))
}

// TopFeatures ranks the features of all terms together, by what they add to the mean. It lists a feature and its
// reverse complement, which have the same weight, as one: an occurrence counts on its strand and, as the other, on the
// opposite one.
func (s *linearScorer) TopFeatures(mix []float64, n int) []stringkernel.Feature {
	listed := n
	if s.kernel.Strands != "" && n <= stringkernel.AllFeatures/2 {
		listed = 2 * n // each may be listed as both
	}
	return stringkernel.StrongestWeights(s.union(1, func(t stringkernel.FeatureLister) []stringkernel.Feature {
		return t.TopFeatures(mix, listed)
	}), n)
}

// FeaturesOf lists the features of all terms on both strands of x.
func (s *linearScorer) FeaturesOf(mix []float64, x []byte, n int) []stringkernel.Feature {
	part := s.kernel.part(x)
	return stringkernel.StrongestContributions(s.union(s.scale(x), func(t stringkernel.FeatureLister) (
		features []stringkernel.Feature) {
		if s.kernel.Strands == "" {
			return t.FeaturesOf(mix, part, n)
		}
		const all = stringkernel.AllFeatures
		return append(t.FeaturesOf(mix, part, all), t.FeaturesOf(mix, s.kernel.opposite(part), all)...)
	}), n)
}

// union joins what the terms list, scaled to the mean and contributions to the norm, and numbered among the kernels of
// all terms.
func (s *linearScorer) union(
	scale float64, list func(stringkernel.FeatureLister) []stringkernel.Feature,
) (union []stringkernel.Feature) {
	weights, before := shares(s.kernel.Weights), 0
	total := weights.total(len(s.terms))
	for t, term := range s.terms {
		for _, f := range s.joined(list(stringkernel.FeatureListerOf(term))) {
			f.Term += before
			f.Weight = f.Weight * weights.weight(t) / total
			f.Contribution = float64(f.Contribution*scale) * weights.weight(t) / total
			union = append(union, f)
		}
		before += leaves(s.kernel.Terms[t])
	}
	return union
}

// joined makes one feature of a feature and its reverse complement, under the alphabetically first: the weight of both,
// half of the count on both strands, the sum of contributions.
func (s *linearScorer) joined(features []stringkernel.Feature) (joined []stringkernel.Feature) {
	if s.kernel.Strands == "" {
		return features
	}
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
	for i := range joined {
		joined[i].Count /= 2 // once on either strand
	}
	return joined
}

// opposite returns the reverse complement of a feature. The mark of the beginning is then at the end, and becomes that
// of the end.
func (s *linearScorer) opposite(text string) string {
	other := s.kernel.opposite([]byte(text))
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

func (s *linearScorer) scoreBatchTo(dst []float64, x [][]byte) {
	parts, others := make([][]byte, len(x)), make([][]byte, len(x))
	for i := range x {
		parts[i] = s.kernel.part(x[i])
		if s.kernel.Strands != "" {
			others[i] = s.kernel.opposite(parts[i])
		}
	}
	m := s.Outputs()
	s.mean(dst[:m*len(x)], func(out []float64, t stringkernel.Scorer) {
		stringkernel.ScoreBatch(t, out, parts)
		if s.kernel.Strands != "" {
			scores := make([]float64, len(out))
			stringkernel.ScoreBatch(t, scores, others)
			floats.Add(out, scores)
		}
	})
	for i := range x {
		floats.Scale(s.scale(x[i]), dst[i*m:(i+1)*m])
	}
}

// Tracker tracks windows if the terms do.
func (s *linearScorer) Tracker() stringkernel.Tracker {
	return givenAll(s.terms, stringkernel.TrackerOf, stringkernel.Tracker(s))
}

// TrackTo tracks the parts of windows, which are windows of a part. It computes the norms of windows one by one unless
// the kernel tracks them.
func (s *linearScorer) TrackTo(dst []float64, m int, x []byte, window int) {
	dst = dst[:len(x)-window+1]
	from, to := s.kernel.bounds(window)
	if from == to { // no window has the part
		stringkernel.TrackEach(dst, s, m, x, window)
		return
	}
	part := s.kernel.letters(x[from : len(x)-window+to])
	s.mean(dst, func(out []float64, t stringkernel.Scorer) {
		s.strands(out, part, true, func(dst []float64, x []byte) {
			stringkernel.Track(dst, t, m, x, to-from)
		})
	})
	if !s.kernel.Cosine {
		return
	}
	squares := scratch.Borrow(&scratch.Pool, len(dst))
	defer scratch.Pool.Put(squares)
	TrackSelf(*squares, s.kernel.raw(), x, window)
	for p, square := range *squares {
		dst[p] *= inverseRoot(square)
	}
}

// TrackStrands writes score m of the windows of x into plus and of those of its reverse complement rc into minus, as
// two calls of [stringkernel.Track] would, and faster where both have the same norms.
func TrackStrands(plus, minus []float64, s stringkernel.Scorer, m int, x, rc []byte, window int) {
	l, is := s.(*linearScorer)
	if is && l.kernel.Cosine && len(x) >= window && l.Tracker() != nil {
		if norms := l.kernel.raw().Traits(); norms.TrackSelf != nil && norms.StrandSymmetric {
			raw := stringkernel.TrackerOf(Raw(s))
			raw.TrackTo(plus, m, x, window)
			raw.TrackTo(minus, m, rc, window)
			squares := scratch.Borrow(&scratch.Pool, len(x)-window+1)
			defer scratch.Pool.Put(squares)
			norms.TrackSelf(*squares, x, window)
			for p, square := range *squares {
				scale := inverseRoot(square)
				plus[p] *= scale
				minus[len(*squares)-1-p] *= scale
			}
			return
		}
	}
	stringkernel.Track(plus, s, m, x, window)
	stringkernel.Track(minus, s, m, rc, window)
}

// substituteTo is [Substitute] by the terms, of whole sequences. It adds up a letter on one strand and its complement,
// at the mirrored position, on the other, and divides by the norm of each sequence with another letter.
func (s *linearScorer) substituteTo(scores, contributions []float64, m int, x, letters []byte) {
	both := make([]float64, len(scores)+len(contributions))
	s.mean(both, func(out []float64, t stringkernel.Scorer) {
		substitute := func(dst []float64, x, letters []byte) {
			first, second := dst[:len(scores):len(scores)], dst[len(scores):]
			if scores == nil {
				first = nil
			}
			if contributions == nil {
				second = nil
			}
			Substitute(first, second, t, m, x, letters)
		}
		substitute(out, x, letters)
		if s.kernel.Strands == "" {
			return
		}
		n, other, complements := len(x)*len(letters), make([]float64, len(out)), s.kernel.opposite(letters)
		slices.Reverse(complements)
		substitute(other, s.kernel.opposite(x), complements)
		for i := range out {
			position, letter := i%n/len(letters), i%len(letters)
			out[i] += other[i-i%n+(len(x)-1-position)*len(letters)+letter]
		}
	})
	if s.kernel.Cosine {
		s.divideSubstituted(both, x, letters)
	}
	copy(scores, both)
	copy(contributions, both[len(scores):])
}

// divideSubstituted divides scores, and contributions if they follow, by the norm of each sequence with another letter.
func (s *linearScorer) divideSubstituted(both []float64, x, letters []byte) {
	squares, n := scratch.Borrow(&scratch.Pool, len(x)*len(letters)), len(letters)
	defer scratch.Pool.Put(squares)
	rest, y := s.quickSquares(*squares, x, letters), bytes.Clone(x)
	if len(rest) > 0 {
		square := s.substitutedSquare(x)
		for _, i := range rest {
			for b, letter := range letters {
				y[i] = letter
				(*squares)[i*n+b] = square(y, i)
			}
			y[i] = x[i]
		}
	}
	for at := range both {
		both[at] *= inverseRoot((*squares)[at%len(*squares)])
	}
}

// quickSquares writes k(y, y) before normalisation for each y that differs from x in one letter, where a single term
// has a way to all of them, and returns the positions that are left.
func (s *linearScorer) quickSquares(squares []float64, x, letters []byte) (rest []int) {
	if len(s.terms) == 1 && s.kernel.Strands == "" {
		if quick := stringkernel.TraitsOf(s.kernel.Terms[0]).SelfSubstituteTo; quick != nil {
			return quick(squares, x, letters)
		}
	}
	for i := range x {
		rest = append(rest, i)
	}
	return rest
}

// kmerSum returns the length of k-mers if φ(x) is a sum over those of x, wherever they are, else 0.
func kmerSum(k stringkernel.Kernel) int {
	if l, is := k.(Linear); is {
		if l.Cosine || l.cuts() || len(l.Terms) > 1 {
			return 0
		}
		return kmerSum(l.Terms[0])
	}
	if t := stringkernel.TraitsOf(k); t.TrackSelf != nil {
		return t.KmerLength
	}
	return 0 // as where k-mers weigh by their place
}

// substitutedSquare returns a function from y, which is x with another letter at position i, to k(y, y) before
// normalisation. Of k-mers only those around the position differ: with v and w, the letters around it in x and in y,
// φ(y) = φ(x) + φ(w) − φ(v). That is used as long as k(y, y) is not so small that the difference loses digits.
func (s *linearScorer) substitutedSquare(x []byte) func(y []byte, i int) float64 {
	const (
		least = 4       // times the length of a k-mer: x is so much longer than w that less is computed
		small = 0x1p-10 // of k(x, x)
	)
	k := s.kernel.raw()
	span, whole := kmerSum(k), s.square(x)
	if span == 0 || len(x) < least*span {
		return func(y []byte, _ int) float64 { return s.square(y) }
	}
	last, fixed := -1, 0.0 // what is the same for all letters of the last position
	return func(y []byte, i int) float64 {
		lo, hi := max(0, i-span+1), min(len(x), i+span)
		v, w := x[lo:hi], y[lo:hi]
		if i != last {
			last, fixed = i, whole+k.SelfEval(v)-float64(2*k.Eval(x, v))
		}
		if y[i] == x[i] {
			return whole
		}
		sum := fixed + k.SelfEval(w) + float64(2*(k.Eval(x, w)-k.Eval(v, w)))
		if sum < small*whole {
			return s.square(y)
		}
		return sum
	}
}
