package substring

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// Weighting names the family of substring weights w_s of the [Kernel].
type Weighting string

// The weightings (Vishwanathan & Smola 2002; Leslie, Eskin & Noble 2002 for Fixed).
const (
	Fixed    Weighting = "fixed"    // w_s = 1 if |s| = k: the k-spectrum
	Bounded  Weighting = "bounded"  // w_s = 1 if |s| ≤ k
	Constant Weighting = "constant" // w_s = 1: every common substring
	Decay    Weighting = "decay"    // w_s = λ^|s|
	Length   Weighting = "length"   // w_s = weights[|s|−1], 0 beyond the list
	// w_s = φ(|s|)·idf(s)², idf(s) = 1 + ln((1 + n)/(1 + df(s))) in the reference corpus; φ = λ^|s| (1 if λ is not
	// given)
	TFIDF Weighting = "tfidf"
)

// maxBound limits k where weights are tabulated by length: far beyond any useful match, small in memory.
const maxBound = 1 << 20

// Limits of the sum of all length weights. Within them no k(x, y), which counts of letters multiply at most 2⁶²-fold,
// overflows, and normalisation is exact.
const (
	leastTotal = 1e-100
	mostTotal  = 1e100
)

// lengthWeights is the cumulative weight by length, Ω_j = Σ_{i ≤ j} w_i, of a weighting (its φ part for tfidf). The
// weight collected from string depth a down to b is Ω_b − Ω_a.
type lengthWeights struct {
	kind  Weighting
	bound int32     // longest length with a weight; 0 = unbounded
	table []float64 // Ω_0 …, constant after its end; nil for fixed, bounded and constant, which have closed forms
}

// lengthWeights tabulates Ω up to the given length, that of the longest sequence at hand: no table is longer than that,
// whatever the bound.
func (k Kernel) lengthWeights(longest int) lengthWeights {
	w := lengthWeights{kind: k.Weight, bound: int32(k.K)}
	switch {
	case k.Weight == Length:
		w.bound = int32(len(k.Weights))
		weights := k.Weights[:min(len(k.Weights), longest)]
		w.table = make([]float64, len(weights)+1)
		for i, weight := range weights {
			w.table[i+1] = w.table[i] + weight
		}
	case k.Weight == Decay, k.Weight == TFIDF && k.Lambda != 0 && k.Lambda != 1:
		if k.K > 0 {
			longest = min(longest, k.K)
		}
		w.table = geometric(k.Lambda, longest)
	}
	return w
}

// geometric tabulates Σ_{i ≤ j} λ^i for j up to the given length or until the sum has stopped changing.
func geometric(lambda float64, longest int) []float64 {
	table := []float64{0}
	for power, j := lambda, 1; j <= longest; j++ {
		next := table[j-1] + power
		if next == table[j-1] {
			break
		}
		table = append(table, next)
		power *= lambda
	}
	return table
}

// upTo returns Ω_j, for j up to the length the weights were made for.
func (w *lengthWeights) upTo(j int32) float64 {
	switch {
	case w.table != nil:
		return w.table[min(int(j), len(w.table)-1)]
	case w.kind == Fixed:
		if j < w.bound {
			return 0
		}
		return 1
	case w.bound > 0:
		return float64(min(j, w.bound))
	default:
		return float64(j)
	}
}

// longest returns the greatest length with a weight, or one that no sequence has.
func (w *lengthWeights) longest() int32 {
	switch {
	case w.table != nil:
		return int32(len(w.table) - 1)
	case w.bound > 0:
		return w.bound
	default:
		return math.MaxInt32
	}
}

// greatest returns a function that gives the greatest weight of the lengths a < l ≤ b: in O(1) or, of a list of
// weights, in O(log) of their number. Weights of all kinds but a list fall or stay from the first length that has one,
// or are bounded and rise: the greatest is at an end.
func (w *lengthWeights) greatest() func(a, b int32) float64 {
	one := func(l int32) float64 { return w.upTo(l) - w.upTo(l-1) }
	if w.kind != Length {
		return func(a, b int32) float64 {
			end := b
			if w.bound > 0 {
				end = min(b, w.bound)
			}
			return max(one(a+1), one(max(a+1, end)))
		}
	}
	n := len(w.table) - 1
	// tree[n + l − 1] is the weight of length l, and tree[i] the greater of tree[2i] and tree[2i + 1]
	tree := make([]float64, 2*n)
	for i := 2*n - 1; i > 0; i-- {
		if i >= n {
			tree[i] = one(int32(i - n + 1))
		} else {
			tree[i] = max(tree[2*i], tree[2*i+1])
		}
	}
	return func(a, b int32) (best float64) {
		for lo, hi := n+min(int(a), n), n+min(int(b), n); lo < hi; lo, hi = (lo+1)/2, hi/2 {
			best = max(best, tree[lo], tree[hi-1])
		}
		return best
	}
}

// spread returns H_j = Σ_{i ≤ j} w_i/i for j = 0 … n: what one letter gets of all prefixes up to length j of an
// occurrence that starts with it, when each spreads its weight evenly over its letters.
func (w *lengthWeights) spread(n int) []float64 {
	table := make([]float64, n+1)
	for j := 1; j <= n; j++ {
		table[j] = table[j-1] + (w.upTo(int32(j))-w.upTo(int32(j-1)))/float64(j)
	}
	return table
}

// Check returns an error unless the weighting's parameters are in range and none is given that it does not use.
func (k Kernel) Check() error {
	if err := cmp.Or(k.checkWeighting(), k.checkUnit()); err != nil {
		return fmt.Errorf("substring: %w", err)
	}
	return nil
}

// checkUnit checks what symbols are.
func (k Kernel) checkUnit() error {
	switch {
	case k.units == nil && k.Unit != "" && k.Unit != ByteUnit && k.Unit != RuneUnit:
		return fmt.Errorf("unit = %q, want byte or rune", string(k.Unit))
	case k.ReadsText() && k.Alphabet != "" && k.Alphabet != stringkernel.Bytes:
		return fmt.Errorf("alphabet = %s with unit=%s, want none: only bytes are letters of an alphabet",
			k.Alphabet, k.Unit)
	}
	return k.Alphabet.Check()
}

func (k Kernel) checkWeighting() error {
	usesLambda, usesWeights, needsK := false, false, false
	switch k.Weight {
	case Fixed, Bounded:
		needsK = true
	case Constant:
	case Decay, TFIDF:
		usesLambda = true
	case Length:
		usesWeights = true
	default:
		return fmt.Errorf("weight = %q, want fixed, bounded, constant, decay, length or tfidf", string(k.Weight))
	}
	if err := k.Count.CheckSeparable(); err != nil {
		return err
	}
	switch {
	case !k.Count.Linear() && k.Weight == TFIDF:
		return fmt.Errorf("count = %s cannot be used with weight=tfidf", k.Count)
	case k.rc && k.Ends:
		return fmt.Errorf("count = %s of both strands cannot be used with ends", k.Count)
	case needsK && k.K == 0:
		return fmt.Errorf("k is missing or 0, want ≥ 1 with weight=%s, such as k=6", k.Weight)
	case needsK && k.K < 1:
		return fmt.Errorf("k = %d, want ≥ 1 with weight=%s", k.K, k.Weight)
	case k.K < 0 || k.K > maxBound:
		return fmt.Errorf("k = %d, want 0 (unbounded) to %d", k.K, maxBound)
	case k.K > 0 && usesWeights:
		return errors.New("k is not used with weight=length: the list of weights bounds the length")
	case k.Lambda != 0 && !usesLambda:
		return fmt.Errorf("lambda is not used with weight=%s", k.Weight)
	case len(k.Weights) > 0 && !usesWeights:
		return fmt.Errorf("weights are not used with weight=%s", k.Weight)
	}
	if usesWeights {
		return checkWeights(k.Weights)
	}
	if k.Weight == Decay || k.Lambda != 0 {
		return checkLambda(k.Lambda, k.K)
	}
	return nil
}

func checkLambda(lambda float64, bound int) error {
	switch {
	case lambda == 0:
		return fmt.Errorf("lambda is missing or 0, want > 0 with weight=%s, such as lambda=0.5", Decay)
	case !(lambda > 0) || math.IsInf(lambda, 0):
		return fmt.Errorf("lambda = %v, want > 0", lambda)
	case lambda >= 1 && bound == 0:
		return fmt.Errorf("lambda = %v, want < 1 unless k bounds the length", lambda)
	case lambda < leastTotal:
		return fmt.Errorf("lambda = %v, want ≥ %v", lambda, leastTotal)
	case math.Pow(lambda, float64(bound))*float64(bound) > mostTotal:
		return fmt.Errorf("lambda = %v with k = %d overflows: the weights sum to more than %v", lambda,
			bound, mostTotal)
	case lambda > 1-1e-5 && lambda < 1 && bound == 0:
		return fmt.Errorf("lambda = %v is 1 for all lengths that occur: use weight=constant, or bound the length with k",
			lambda)
	}
	return nil
}

func checkWeights(weights []float64) error {
	if len(weights) == 0 || len(weights) > maxBound {
		return fmt.Errorf("%d weights, want 1 to %d with weight=length", len(weights), maxBound)
	}
	sum := 0.0
	for i, w := range weights {
		if !(w >= 0) || math.IsInf(w, 0) {
			return fmt.Errorf("weight %v of length %d, want finite and ≥ 0", w, i+1)
		}
		sum += w
	}
	if sum < leastTotal || sum > mostTotal {
		return fmt.Errorf("weights sum to %v, want %v to %v", sum, leastTotal, mostTotal)
	}
	return nil
}
