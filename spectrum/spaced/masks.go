package spaced

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/bits"
	"strings"

	"github.com/seqsvm/seqsvm/internal/rows"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Limits of masks: each costs a step per letter of a record.
const (
	mostMasks = 1 << 12
	mostSpan  = 64
)

// Kernel counts the letters under masks; the package comment has the definition. Give Masks, or Pair for gappy pairs:
// Pair letters, 0 to Gap others, and Pair letters, a mask for each number of others.
type Kernel struct {
	Masks    []string              `json:"masks,omitempty" doc:"words of 1 (counts) and 0 (any letter) with colons between, or @FILE"`
	Pair     int                   `json:"pair" doc:"in place of masks: letters on either side of a gap"`
	Gap      int                   `json:"gap" doc:"with pair: the longest gap; each length counts for itself"`
	Alphabet stringkernel.Alphabet `json:"alphabet" doc:"dna, rna, protein, bytes or groups of amino acids, as murphy10; letters outside it count under no 1"`
}

// words returns the masks as words of 0 and 1.
func (k Kernel) words() []string {
	if k.Pair == 0 {
		return k.Masks
	}
	ones := strings.Repeat("1", k.Pair)
	var words []string
	for gap := range k.Gap + 1 {
		words = append(words, ones+strings.Repeat("0", gap)+ones)
	}
	return words
}

// Check returns an error unless there is at least one mask, and all begin and end with 1, differ, and fit 64 bits with
// their numbers.
func (k Kernel) Check() error {
	if err := k.Alphabet.Check(); err != nil {
		return fmt.Errorf("spaced: %w", err)
	}
	switch {
	case k.Pair != 0 && len(k.Masks) > 0:
		return errors.New("spaced: masks and pair, want one of them")
	case k.Pair < 0 || k.Pair > mostSpan/2:
		return fmt.Errorf("spaced: pair = %d, want 1…%d", k.Pair, mostSpan/2)
	case k.Gap < 0 || k.Gap > mostSpan-2*k.Pair:
		return fmt.Errorf("spaced: gap = %d, want 0…%d, for %d letters in all", k.Gap, mostSpan-2*k.Pair, mostSpan)
	case k.Pair == 0 && k.Gap != 0:
		return errors.New("spaced: gap needs pair, the number of letters on either side")
	}
	words := k.words()
	if len(words) == 0 || len(words) > mostMasks {
		return fmt.Errorf("spaced: %d masks, want 1…%d, such as masks=1101:10011, or pair=1,gap=10", len(words),
			mostMasks)
	}
	seen, letters := map[string]bool{}, k.letterBits(len(words))/k.Alphabet.Bits()
	for _, word := range words {
		switch ones := strings.Count(word, "1"); {
		case len(word) > mostSpan:
			return fmt.Errorf("spaced: mask %.20s… spans %d letters, want at most %d", word, len(word), mostSpan)
		case strings.Trim(word, "01") != "" || !strings.HasPrefix(word, "1") || !strings.HasSuffix(word, "1"):
			return fmt.Errorf("spaced: mask %q, want a word of 1 and 0 that begins and ends with 1", word)
		case seen[word]:
			return fmt.Errorf("spaced: mask %s is given twice", word)
		case ones > letters:
			return fmt.Errorf("spaced: mask %s chooses %d letters of %s, want at most %d where masks are %d", word,
				ones, cmp.Or(k.Alphabet, stringkernel.Bytes), letters, len(words))
		}
		seen[word] = true
	}
	return nil
}

// letterBits returns the bits that are left for letters below the number of one of so many masks.
func (k Kernel) letterBits(masks int) int { return 64 - bits.Len(uint(masks-1)) }

// features returns the feature map.
func (k Kernel) features() *features {
	words := k.words()
	f := &features{alphabet: k.Alphabet, above: uint(k.letterBits(len(words)))}
	for _, word := range words {
		m := mask{weight: 1}
		for o := range word {
			if word[o] == '1' {
				m.offsets = append(m.offsets, o)
			}
		}
		f.masks = append(f.masks, m)
	}
	return f
}

// Traits says that the shortest feature is the shortest mask.
func (k Kernel) Traits() stringkernel.Traits {
	least := 0
	for _, word := range k.words() {
		if least == 0 || len(word) < least {
			least = len(word)
		}
	}
	return stringkernel.Traits{MinLength: least, Compare: k.kernel().Compare}
}

// kernel returns the kernel of the letters under masks.
func (k Kernel) kernel() rows.Kernel { return kernel("spaced", k, k.features) }

// Eval returns k(x, y).
func (k Kernel) Eval(x, y []byte) float64 { return k.kernel().Eval(x, y) }

// SelfEval returns k(x, x) in the time to list the features of x.
func (k Kernel) SelfEval(x []byte) float64 { return k.kernel().SelfEval(x) }

// Enumerator lists features with dots for the letters that do not count.
func (k Kernel) Enumerator() stringkernel.Enumerator { return k.kernel() }

// Gram lists the features of a corpus; see the package comment for time and memory.
func (k Kernel) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	return k.kernel().Gram(ctx, c)
}

// Merge folds support vectors into a weight per feature and output.
func (k Kernel) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	return k.kernel().Merge(ctx, sv, c)
}

// Restorer stores "features" ([]uint64, ascending: the packed letters with the number of the mask in the highest bits)
// and a weight of each per output.
func (k Kernel) Restorer() stringkernel.Restorer { return k.kernel() }
