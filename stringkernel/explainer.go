package stringkernel

import (
	"math"

	"github.com/seqsvm/seqsvm/internal/strongest"
)

// Explainer is an option of a [Scorer] that can say which positions made a score. Correct without it; with it,
// predictions can be explained by position. Ask [ExplainerOf].
type Explainer interface {
	// ExplainTo writes into dst, which has len(x) entries, the contribution of every position of x (0-based) to score
	// m. Contributions sum to f_m(x) up to rounding. A feature's weight is spread evenly over the positions of
	// each of its occurrences; those of a gapped k-mer are the k positions that it has letters at.
	ExplainTo(dst []float64, m int, x []byte)
}

// ExplainerOf returns the [Explainer] of s, nil if it has none.
func ExplainerOf(s Scorer) Explainer {
	return Lookup(s, func(w interface{ Explainer() Explainer }) Explainer { return w.Explainer() })
}

// Feature is one feature of a kernel, or several that always occur together and count as one, with its effect on a
// score.
type Feature struct {
	// Text is the feature as it occurs in a sequence, or its terms separated by spaces. Of substrings that always occur
	// together it is the longest.
	Text string
	// Term is the number of the kernel in a mean of kernels, 0-based.
	Term int
	// Weight is what one occurrence adds to the raw score, before division by the norm of the sequence. Of substrings
	// that occur together in the support vectors it is the weight of the one that adds most alone; in a list of the
	// features of a sequence, the sum of their weights.
	Weight float64
	// Support is the number of support vectors that have the feature, 0 if it is not known. Each strand counts as one
	// where both are counted.
	Support int
	// Count is the number of occurrences in a sequence, 0 in a list of the features of a model.
	Count int
	// Contribution is what all its occurrences in a sequence add to the score, divided by the norm.
	Contribution float64
}

// AllFeatures asks a [FeatureLister] for all features.
const AllFeatures = math.MaxInt

// Marks of the beginning and the end of a record in the text of a [Feature].
const (
	BeginSign = '^'
	EndSign   = '$'
)

// FeatureLister is an option of a [Scorer] that knows its features one by one. Correct without it; with it, predictions
// and models can be explained by their strongest features: an [Explainer] says where a score comes from, this says from
// what. Ask [FeatureListerOf].
//
// mix has one number per output: the score asked about is Σ_m mix[m]·f_m, since the decision for a class combines
// several binary machines.
type FeatureLister interface {
	// TopFeatures returns the n features of the greatest positive weights, the greatest first, then the n of the lowest
	// negative ones, the lowest first. Fewer if there are fewer; n = [AllFeatures] for all.
	TopFeatures(mix []float64, n int) []Feature
	// FeaturesOf returns the n features of x with the greatest absolute contributions, the greatest first;
	// n = [AllFeatures] for all. The contributions of all of them sum to the score of x, up to rounding.
	FeaturesOf(mix []float64, x []byte, n int) []Feature
}

// FeatureListerOf returns the [FeatureLister] of s, nil if it has none.
func FeatureListerOf(s Scorer) FeatureLister {
	return Lookup(s, func(w interface{ FeatureLister() FeatureLister }) FeatureLister { return w.FeatureLister() })
}

// StrongestContributions returns the n features with the greatest absolute contributions, of equal ones the first.
// Features that contribute nothing are left out.
func StrongestContributions(features []Feature, n int) []Feature {
	list := strongest.NewList(min(n, len(features)))
	for i, f := range features {
		if f.Contribution != 0 {
			list.Offer(i, math.Abs(f.Contribution))
		}
	}
	return pick(features, list.Items())
}

// StrongestOf returns what TopFeatures does of features numbered from 0, by their weights: at most n positive and n
// negative ones. It calls text, which may be expensive, for those alone.
func StrongestOf(features, n int, weight func(i int) float64, text func(i int) string) []Feature {
	both := strongest.NewBoth(min(n, features))
	for i := range features {
		both.Offer(i, weight(i))
	}
	var list []Feature
	for _, item := range both.Items() {
		list = append(list, Feature{Text: text(item.Number), Weight: item.Value})
	}
	return list
}

// StrongestWeights returns the n features of the greatest positive weights and the n of the lowest negative ones, as
// TopFeatures does.
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

// Mix returns Σ_m mix[m]·row[m]: the weight of a feature in a mixture of outputs, from its weight per output.
func Mix(mix, row []float64) (sum float64) {
	for m, a := range mix {
		sum += float64(a * row[m])
	}
	return sum
}
