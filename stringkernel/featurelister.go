package stringkernel

import (
	"math"

	"github.com/seqsvm/seqsvm/internal/strongest"
)

// Feature is one feature of a kernel, or several that always occur together and count as one, with what it does to a score.
type Feature struct {
	// Text is the feature as it stands in a sequence, or its terms with spaces between. Of substrings that always occur together it is the longest.
	Text string
	// Term is the number of the kernel in a [compose.Mean], 0-based.
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

// AllFeatures asks a [FeatureLister] for every feature there is.
const AllFeatures = math.MaxInt

// Marks that stand for the begin and the end of a record in the text of a [Feature].
const (
	BeginSign = '^'
	EndSign   = '$'
)

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
