package locality

import (
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// Shape is the weighting of the letters of a local window.
type Shape string

// The shapes of a window of l letters on each side.
const (
	Triangle Shape = "triangle" // l + 1 − |j| for the letter j from the centre
	Uniform  Shape = "uniform"  // 1 for each letter
)

// Locality is the locality-improved kernel of Zien et al. (2000) on windows of one length: matches near a position are
// combined first, and these local scores are then combined over the whole window,
//
//	k(x, y) = (Σ_p win_p^{d₁})^{d₂},   win_p = Σ_{j = −l … l} v_j·[x_{p+j} = y_{p+j}].
//
// Positions outside the sequences, and letters outside the alphabet, match nothing. Inner (d₁) is the order of local
// correlations, Outer (d₂) that of correlations between distant positions; v_j is given by Weights. All terms are
// integers, and values below 2⁵³ are exact.
//
// Correlations of distant positions cannot be listed, so there is no index: a row costs n comparisons, a product one
// row per nonzero coefficient, and a score one comparison per support vector. A comparison computes the mask of matches
// from bit planes, and reads Σ win_p^{d₁} from a table of patterns: 12 − 2l positions at a time up to l = 5, one up to
// l = 8; beyond that it uses running sums. For windows of 141 bases that is 50 ns at l = 4, 170 at l = 8 and 640 at l =
// 12 (one core, stock Go).
//
// Gram and Merge return an error that names the first record of another length. Eval of sequences of different lengths
// is 0, and so is the score of a sequence that is not as long as the support vectors.
//
// A. Zien, G. Rätsch, S. Mika, B. Schölkopf, T. Lengauer, K.-R. Müller: Engineering support vector machine kernels that
// recognize translation initiation sites. Bioinformatics 16(9):799–807, 2000. doi:10.1093/bioinformatics/16.9.799.
type Locality struct {
	Window   int                   `json:"window" doc:"l: letters on each side of a position that count with it; 0…31"`
	Inner    int                   `json:"inner" doc:"d₁: the order of local correlations, a power; 1…8"`
	Outer    int                   `json:"outer" doc:"d₂: the order of distant correlations, a power; 1…4"`
	Weights  Shape                 `json:"weights" doc:"triangle (l + 1 − the distance from the position) or uniform"`
	Alphabet stringkernel.Alphabet `json:"alphabet"`
}

// The largest parameters, which keep values below 2⁴⁵⁰.
const (
	mostWindow = 31
	mostInner  = 8
	mostOuter  = 4
)

// Check returns an error if the alphabet or the weights are unknown, l is not in 0…31, d₁ not in 1…8 or d₂ not in 1…4.
func (k Locality) Check() error {
	if err := k.Alphabet.Check(); err != nil {
		return fmt.Errorf("locality: %w", err)
	}
	switch {
	case k.Window < 0 || k.Window > mostWindow:
		return fmt.Errorf("locality: window = %d, want 0…%d", k.Window, mostWindow)
	case k.Inner < 1 || k.Inner > mostInner:
		return fmt.Errorf("locality: inner = %d, want 1…%d", k.Inner, mostInner)
	case k.Outer < 1 || k.Outer > mostOuter:
		return fmt.Errorf("locality: outer = %d, want 1…%d", k.Outer, mostOuter)
	case k.Weights != Triangle && k.Weights != Uniform:
		return fmt.Errorf("locality: weights = %q, want triangle or uniform", string(k.Weights))
	}
	return nil
}

func (k Locality) name() string { return "locality" }

// Traits says that the shortest feature is a letter at a position.
func (k Locality) Traits() stringkernel.Traits {
	return stringkernel.Traits{MinLength: 1, Compare: k.compare}
}

// Eval returns k(x, y) by running sums, 0 for sequences of different lengths. O(L).
func (k Locality) Eval(x, y []byte) float64 {
	if len(x) != len(y) {
		return 0
	}
	codes, matches := k.Alphabet.Codes(), k.newMatches(len(x))
	for i := range x {
		if x[i] == y[i] && codes[x[i]] != stringkernel.Outside {
			matches[k.margin()+i] = 1
		}
	}
	return power(k.localSum(matches), k.Outer)
}

// margin is the number of zeros before and after the matches of localSum.
func (k Locality) margin() int { return k.Window + 2 }

// newMatches returns n positions without a match, with margins.
func (k Locality) newMatches(n int) []uint8 { return make([]uint8, n+2*k.margin()) }

// localSum returns Σ_p win_p^{d₁} of matches with margins, one byte of 0 or 1 per position.
func (k Locality) localSum(matches []uint8) float64 {
	l := k.Window
	total := 0.0
	// Σ m[p−l…p], Σ m[p+1…p+l+1] and Σ (l + 1 − |j|)·m[p+j], as p moves from l + 1 places before the first position
	left, right, triangle := 0, 0, 0
	for p := 0; p+l+2 < len(matches); p++ {
		triangle += right - left
		left += int(matches[p])
		right += int(matches[p+l+1]) - int(matches[p])
		if p > l {
			left -= int(matches[p-l-1])
		}
		window := triangle
		if k.Weights == Uniform {
			window = left + right - int(matches[p+l+1])
		}
		if p >= k.margin() && window > 0 {
			total += power(float64(window), k.Inner)
		}
	}
	return total
}

// SelfEval returns k(x, x).
func (k Locality) SelfEval(x []byte) float64 { return k.Eval(x, x) }

// Gram encodes a corpus of windows of one length.
func (k Locality) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	return newAlignedGram(ctx, k, c)
}

// compare encodes a corpus of windows of one length.
func (k Locality) compare(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Comparison, error) {
	return newAlignedComparison(ctx, k, c)
}

// Merge encodes the support vectors; a score compares the query with each.
func (k Locality) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	return newAlignedScorer(ctx, k, sv, c)
}
