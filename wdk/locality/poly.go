package locality

import (
	"context"
	"fmt"
	"math/bits"

	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/wdk/internal/windowed"
)

// Polynomial is the polynomial kernel on windows of one length,
//
//	k(x, y) = (m(x, y) + c)^d,   m(x, y) = |{i : x_i = y_i}|,
//
// where letters outside the alphabet match nothing. Its features are all combinations of up to d letters at any
// positions, near or far, whereas those of the weighted degree kernel are contiguous; with c = 0, combinations with
// repetition of exactly d. With d = 1 and c = 0 it is the weighted degree kernel of degree 1, which has products and
// scores in linear time and should be preferred. A window without a letter of the alphabet has φ(x) = 0, so that its
// value is 0 with every window, not c^d.
//
// There are (L·σ)^d features, so there is no index: a row costs n comparisons, a product one row per nonzero
// coefficient, and a score one comparison per support vector. A comparison is the exclusive or of bit planes and a
// count of bits: 3 words of each plane, and 9 ns, for windows of 141 bases (one core, stock Go).
// Windows take (b + 1)/8 bytes per letter of b bits: 72 bytes each for up to 192 bases.
//
// Gram and Merge return an error that names the first record of another length. Eval of sequences of different lengths
// is 0, and so is the score of a sequence that is not as long as the support vectors.
type Polynomial struct {
	D        int                   `json:"d" doc:"degree: how many positions a feature combines; 1…16"`
	C        float64               `json:"c" doc:"added to matches; above 0, fewer than d positions count too; 0…1000000"`
	Alphabet stringkernel.Alphabet `json:"alphabet"`
}

// The largest parameters of a polynomial kernel, which keep values below 2⁵⁰⁰ and their products finite.
const (
	mostDegree   = 16
	mostConstant = 1e6
)

// Check returns an error if the alphabet is unknown, d is not in 1…16 or c is not in 0…1000000.
func (k Polynomial) Check() error {
	if err := k.Alphabet.Check(); err != nil {
		return fmt.Errorf("poly: %w", err)
	}
	if k.D < 1 || k.D > mostDegree {
		return fmt.Errorf("poly: d = %d, want 1…%d", k.D, mostDegree)
	}
	if !(k.C >= 0 && k.C <= mostConstant) {
		return fmt.Errorf("poly: c = %v, want 0…1000000", k.C)
	}
	return nil
}

func (k Polynomial) name() string { return "poly" }

// Traits says that the shortest feature is a letter at a position.
func (k Polynomial) Traits() stringkernel.Traits {
	return stringkernel.Traits{MinLength: 1, Compare: k.compare}
}

// Eval returns k(x, y), 0 for sequences of different lengths. O(L).
func (k Polynomial) Eval(x, y []byte) float64 {
	if len(x) != len(y) {
		return 0
	}
	codes, matches := k.Alphabet.Codes(), 0
	for i := range x {
		if x[i] == y[i] && codes[x[i]] != stringkernel.Outside {
			matches++
		}
	}
	if matches == 0 && !(k.Alphabet.HasRun(x, 1) && k.Alphabet.HasRun(y, 1)) {
		return 0
	}
	return power(float64(matches)+k.C, k.D)
}

// SelfEval returns k(x, x).
func (k Polynomial) SelfEval(x []byte) float64 { return k.Eval(x, x) }

// Gram encodes a corpus of windows of one length.
func (k Polynomial) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	return newAlignedGram(ctx, k, c)
}

// compare encodes a corpus of windows of one length.
func (k Polynomial) compare(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Comparison, error) {
	return newAlignedComparison(ctx, k, c)
}

// Merge encodes the support vectors; a score compares the query with each.
func (k Polynomial) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	return newAlignedScorer(ctx, k, sv, c)
}

// matchCounter counts matches of bit planes. The last word of an encoded window is 0 if the window has no letter of the
// alphabet.
type matchCounter struct {
	windowed.Planes
	mask   []uint64
	values []float64 // by number of matches
}

func (k Polynomial) comparers() func(length int) comparer { return k.comparer }

func (k Polynomial) comparer(length int) comparer {
	c := &matchCounter{Planes: windowed.Layout(k.Alphabet, length), values: make([]float64, length+1)}
	c.mask = make([]uint64, c.Words)
	for m := range c.values {
		c.values[m] = power(float64(m)+k.C, k.D)
	}
	return c
}

func (c *matchCounter) size() int { return c.Planes.Size() + 1 }

func (c *matchCounter) encode(dst []uint64, x []byte) {
	size := c.Planes.Size()
	c.Planes.Encode(dst[:size], x)
	dst[size] = 0
	for _, outside := range dst[size-c.Words : size] {
		dst[size] |= ^outside
	}
}

func (c *matchCounter) value(x, y []uint64) float64 {
	if last := len(x) - 1; x[last] == 0 || y[last] == 0 {
		return 0
	}
	c.Match(c.mask, x, y)
	matches := 0
	for _, word := range c.mask {
		matches += bits.OnesCount64(word)
	}
	return c.values[matches]
}
