package stringkernel

import (
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/internal/strongest"
)

// Feature is one feature of a kernel, or several that always occur together and count as one, with what it does to a score.
type Feature struct {
	// Text is the feature as it stands in a sequence, or its terms with spaces between. Of substrings that always occur together it is the longest.
	Text string
	// Term is the number of the kernel in a [Sum], 0-based.
	Term int
	// Weight is what one occurrence adds to the raw score, without the norm of the sequence. Of substrings that occur together in the support vectors it is what
	// that of them adds alone which adds most; in a list of the features of a sequence, what all of them add.
	Weight float64
	// Support is the number of support vectors that have the feature, each strand counting as one where both count; 0 if it is not known.
	Support int
	// Count is how often a sequence has it, 0 where no sequence is asked about.
	Count int
	// Contribution is what all its occurrences in a sequence add to the score, the norm included.
	Contribution float64
}

// All asks a [FeatureLister] for every feature there is.
const All = math.MaxInt

// FeatureLister is a Scorer that knows its features one by one. Correct without, richer with: an [Explainer] says where a score comes from, this says from
// what. Ask [CanListFeatures] before the type assertion: a wrapper has the methods whether or not the scorer inside lists.
//
// mix has one number per output: the score asked about is Σ_m mix[m]·f_m, as the decision of a class is made of several machines.
type FeatureLister interface {
	Scorer
	// TopFeatures returns the n features of the greatest positive weights, the greatest first, then the n of the least negative ones, the least
	// first. Fewer if there are fewer; n = All for all.
	TopFeatures(mix []float64, n int) []Feature
	// FeaturesOf returns the n features of x with the greatest absolute contributions, the greatest first; n = All for all. The contributions of
	// all of them sum to the score of x, up to rounding.
	FeaturesOf(mix []float64, x []byte, n int) []Feature
}

// CanListFeatures reports whether s is a FeatureLister all the way down.
func CanListFeatures(s Scorer) bool {
	if w, wrapper := s.(interface{ CanListFeatures() bool }); wrapper {
		return w.CanListFeatures()
	}
	_, ok := s.(FeatureLister)
	return ok
}

// StrongestContributions returns the n features with the greatest absolute contributions, of equal ones the first of them. Features that contribute nothing
// are left out.
func StrongestContributions(features []Feature, n int) []Feature {
	list := strongest.NewList(min(n, len(features)))
	for i, f := range features {
		if f.Contribution != 0 {
			list.Offer(i, math.Abs(f.Contribution))
		}
	}
	return pick(features, list.Items())
}

// StrongestWeights returns the n features of the greatest positive weights and the n of the least negative ones, as TopFeatures does.
func StrongestWeights(features []Feature, n int) []Feature {
	both := strongest.NewBoth(min(n, len(features)))
	for i, f := range features {
		both.Offer(i, f.Weight)
	}
	return pick(features, both.Items())
}

func pick(features []Feature, items []strongest.Item) []Feature {
	picked := make([]Feature, len(items))
	for i, item := range items {
		picked[i] = features[item.Number]
	}
	return picked
}

// Mix returns Σ_m mix[m]·row[m], the weight in a mixture of outputs of a feature with a weight per output.
func Mix(mix, row []float64) (sum float64) {
	for m, a := range mix {
		sum += float64(a * row[m])
	}
	return sum
}

// Spanned is a Kernel whose features may be made of units of several bytes: words of a text. Explanations are then shown by unit. Correct without: the units
// are the letters.
type Spanned interface {
	Kernel
	// Spans returns what calls visit with the place of every unit of x in order, x[lo:hi], 0-based; nil if the units are the letters.
	Spans() func(x []byte, visit func(lo, hi int))
}

// CanListFeatures reports whether the scorer inside lists.
func (s normalizedScorer) CanListFeatures() bool { return CanListFeatures(s.inner) }

// TopFeatures returns those of the scorer inside: weights are raw.
func (s normalizedScorer) TopFeatures(mix []float64, n int) []Feature {
	return listTop(s.inner, mix, n)
}

// FeaturesOf divides the contributions by the norm of x.
func (s normalizedScorer) FeaturesOf(mix []float64, x []byte, n int) []Feature {
	features := listOf(s.inner, mix, x, n)
	scale := inverseRoot(s.self(x))
	for i := range features {
		features[i].Contribution *= scale
	}
	return features
}

// listTop asks the scorer inside a wrapper, and returns nothing if it does not list.
func listTop(s Scorer, mix []float64, n int) []Feature {
	if l, ok := s.(FeatureLister); ok {
		return l.TopFeatures(mix, n)
	}
	return nil
}

// listOf is listTop for a sequence.
func listOf(s Scorer, mix []float64, x []byte, n int) []Feature {
	if l, ok := s.(FeatureLister); ok {
		return l.FeaturesOf(mix, x, n)
	}
	return nil
}

// CanListFeatures reports whether every term does.
func (s sumScorer) CanListFeatures() bool {
	return !slices.ContainsFunc(s.terms, func(t Scorer) bool { return !CanListFeatures(t) })
}

// TopFeatures ranks the features of all terms together, by what they add to the mean.
func (s sumScorer) TopFeatures(mix []float64, n int) []Feature {
	return StrongestWeights(s.union(func(t Scorer) []Feature { return listTop(t, mix, n) }), n)
}

// FeaturesOf ranks the features of all terms together.
func (s sumScorer) FeaturesOf(mix []float64, x []byte, n int) []Feature {
	return StrongestContributions(s.union(func(t Scorer) []Feature { return listOf(t, mix, x, n) }), n)
}

// union joins what the terms list, scaled to the mean.
func (s sumScorer) union(list func(Scorer) []Feature) (all []Feature) {
	for t, term := range s.terms {
		for _, f := range list(term) {
			f.Term = t
			f.Weight /= float64(len(s.terms))
			f.Contribution /= float64(len(s.terms))
			all = append(all, f)
		}
	}
	return all
}

// CanListFeatures reports whether the scorer inside lists.
func (s strandScorer) CanListFeatures() bool { return CanListFeatures(s.inner) }

// TopFeatures lists a feature and its reverse complement, which have one weight, as one: an occurrence counts on its strand and, as the
// other, on the opposite one.
func (s strandScorer) TopFeatures(mix []float64, n int) []Feature {
	twice := n
	if n <= All/2 {
		twice = 2 * n // each may come as both
	}
	return StrongestWeights(s.joined(listTop(s.inner, mix, twice)), n)
}

// FeaturesOf lists the features of both strands of x, a feature and its reverse complement as one.
func (s strandScorer) FeaturesOf(mix []float64, x []byte, n int) []Feature {
	features := listOf(s.inner, mix, x, All)
	features = append(features, listOf(s.inner, mix, s.alphabet.ReverseComplementTo(nil, x), All)...)
	features = s.joined(features)
	for i := range features {
		features[i].Count /= 2 // once on either strand
	}
	return StrongestContributions(features, n)
}

// joined makes one of a feature and its reverse complement, under the alphabetically first: the weight of both, the sum of counts and contributions.
func (s strandScorer) joined(features []Feature) (joined []Feature) {
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

// opposite returns the reverse complement of a feature. The mark of the beginning stands at the end then, and is that of the end.
func (s strandScorer) opposite(text string) string {
	other := s.alphabet.ReverseComplementTo(nil, []byte(text))
	for i, b := range other {
		switch b {
		case beginSign:
			other[i] = endSign
		case endSign:
			other[i] = beginSign
		}
	}
	return string(other)
}
