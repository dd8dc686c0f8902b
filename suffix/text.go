package suffix

import (
	"context"
	"fmt"
	"math"
)

// Symbol is the type of one letter of a text: bytes for alphabets of at most 255
// letters, int32 for larger ones (all 256 byte values, words, tags).
type Symbol interface{ ~uint8 | ~int32 }

// Text is a collection of documents laid end to end, each followed by the
// separator 0. The letters of the user's alphabet are 1 … Sigma-1; a 0 inside a
// document is a break, across which nothing matches.
//
// A Text made by hand must satisfy Check; a Builder makes valid ones.
type Text[S Symbol] struct {
	Symbols []S     // documents and separators; empty, or ending in 0
	Ends    []int32 // Ends[d] is the 0-based position of the separator that closes document d
	Sigma   int     // number of symbols, the separator included: all are in [0, Sigma)
}

// NumDocs is the number of documents.
func (t *Text[S]) NumDocs() int { return len(t.Ends) }

// Check reports the first violation of what Text promises. O(letters).
func (t *Text[S]) Check() error {
	if t.Sigma < 1 || t.Sigma > math.MaxInt32 {
		return fmt.Errorf("suffix: sigma = %d, want 1 … %d", t.Sigma, math.MaxInt32)
	}
	if len(t.Symbols) > MaxLen {
		return fmt.Errorf("suffix: text of %d symbols, want ≤ %d", len(t.Symbols), MaxLen)
	}
	previous := int32(-1)
	for d, end := range t.Ends {
		if end <= previous || int(end) >= len(t.Symbols) {
			return fmt.Errorf("suffix: document %d ends at %d, want %d … %d", d, end, previous+1, len(t.Symbols)-1)
		}
		if t.Symbols[end] != 0 {
			return fmt.Errorf("suffix: document %d ends with symbol %d, want the separator 0", d, t.Symbols[end])
		}
		previous = end
	}
	if int(previous) != len(t.Symbols)-1 {
		return fmt.Errorf("suffix: last document ends at %d, want %d, the last symbol", previous, len(t.Symbols)-1)
	}
	return checkSymbols(t.Symbols, t.Sigma)
}

// RestTo stores in dst[r] the number of symbols from position sa[r] to the next
// 0, which is the string depth of that suffix as a leaf; 0 if sa[r] is a 0 itself.
// With a Tree's SA the result is indexed by rank. dst and sa have the same length
// and may be the same, and the positions lie in the text, else it panics. O(len(sa)) time for documents of bounded
// length, and never more than a binary search among 64 candidates each.
func (t *Text[S]) RestTo(dst, sa []int32) {
	if len(dst) != len(sa) {
		panic("suffix: RestTo: dst and sa differ in length")
	}
	var breaks []int32
	for i, c := range t.Symbols {
		if c == 0 {
			breaks = append(breaks, int32(i))
		}
	}
	loc := newLocator(breaks, len(t.Symbols))
	forSteps(context.Background(), len(sa), func(lo, hi int) {
		for r := lo; r < hi; r++ {
			dst[r] = breaks[loc.find(sa[r])] - sa[r]
		}
	})
}

// Builder collects the documents of a Text one by one.
type Builder[S Symbol] struct {
	text Text[S]
}

// NewBuilder returns an empty builder for symbols in [0, sigma).
func NewBuilder[S Symbol](sigma int) *Builder[S] {
	return &Builder[S]{Text[S]{Sigma: sigma}}
}

// Grow makes room for that many more documents and letters; a hint only.
func (b *Builder[S]) Grow(docs, letters int) {
	t := &b.text
	if need := len(t.Symbols) + letters + docs; need > cap(t.Symbols) && need <= MaxLen {
		t.Symbols = append(make([]S, 0, need), t.Symbols...)
	}
	if need := len(t.Ends) + docs; need > cap(t.Ends) {
		t.Ends = append(make([]int32, 0, need), t.Ends...)
	}
}

// Append adds a copy of doc as the next document. On an error (a symbol outside
// [0, sigma), more than MaxLen symbols in all) the builder is unchanged.
func (b *Builder[S]) Append(doc []S) error {
	t := &b.text
	if len(t.Symbols)+len(doc)+1 > MaxLen {
		return fmt.Errorf("suffix: text of %d symbols, want ≤ %d", len(t.Symbols)+len(doc)+1, MaxLen)
	}
	if err := checkSymbols(doc, t.Sigma); err != nil {
		return err
	}
	t.Symbols = append(append(t.Symbols, doc...), 0)
	t.Ends = append(t.Ends, int32(len(t.Symbols)-1))
	return nil
}

// Text returns the documents collected so far. The builder must not be used
// afterwards, for the result shares its memory.
func (b *Builder[S]) Text() (*Text[S], error) {
	if b.text.Sigma < 1 || b.text.Sigma > math.MaxInt32 {
		return nil, fmt.Errorf("suffix: sigma = %d, want 1 … %d", b.text.Sigma, math.MaxInt32)
	}
	t := b.text
	return &t, nil
}
