package spectrum

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// scorer is the weights of all k-mers of some support vectors: see [Kernel.Merge]. It is safe for concurrent use.
//
// Up to a length k-mers are in arrays indexed by their codes, beyond it in a lookup per length. With Bounded a
// row is the sum over all prefixes of its k-mer, so that the longest k-mer that has one is all a position needs.
// The limit does not change a bit of any score. Arrays and lookups take more memory than the weights, and a scorer that
// is only stored needs none: they are made before the first score.
type scorer struct {
	kernel  Kernel
	coder   coder
	outputs int
	weights []level // as merged, for Arrays

	dense    int                   // k-mers of up to dense letters are in arrays; for the plain kernel K or 0
	arranged cancel.Once[struct{}] // fills what follows
	tables   [][]float64           // tables[l]: rows of outputs values, indexed by the code; nil where there is none
	deep     []*lookup             // deep[l]: k-mers of l letters
}

// Limits of the array regime of a scorer, in values. An array of 2²⁰ (8 MB) shares a third-level cache and beats any
// search. A larger one costs a miss per position, and pays if many of its k-mers have a weight: a search that often
// finds something is mispredicted, and waits for several misses. The bounded kernel would search length after length,
// so it pays earlier.
const (
	scorerAlways        = 1 << 20
	scorerMost          = 1 << 24 // 128 MB
	scorerPerKmer       = 16      // rows per k-mer with a weight, above scorerAlways
	scorerPerKmerNested = 64      // the same with Bounded
)

// scorerDepth returns the longest length whose k-mers should be in arrays: for the plain kernel K or 0.
func scorerDepth(k Kernel, outputs int, weights []level) int {
	depth, perKmer := 0, scorerPerKmer
	if k.Bounded {
		perKmer = scorerPerKmerNested
	}
	for _, l := range weights {
		width := k.Alphabet.Bits() * l.length
		if width > 24 {
			break
		}
		rows := 1 << width
		values := rows * outputs
		if values > scorerMost || values > scorerAlways && rows > perKmer*len(l.codes) {
			break
		}
		depth = l.length
	}
	return depth
}

// newScorer returns a scorer of weights, with k-mers of up to dense letters in arrays. It returns an error if these
// would take much more memory than the weights.
func newScorer(k Kernel, outputs int, weights []level, dense int) (*scorer, error) {
	s := &scorer{kernel: k, coder: newCoder(k.Alphabet, k.K), outputs: outputs, weights: weights, dense: dense}
	s.arranged.Make = func(ctx context.Context) (done struct{}) {
		s.tables, s.deep = make([][]float64, k.K+1), make([]*lookup, k.K+1)
		if k.Bounded {
			s.arrangeBounded(ctx)
		} else {
			s.arrangePlain(ctx)
		}
		return done
	}
	if k.Bounded {
		return s, checkPrefixes(weights[dense:], s.coder.Bits, outputs)
	}
	return s, nil
}

// Traits says that weights are to be arranged for scores.
func (s *scorer) Traits() stringkernel.Traits {
	return stringkernel.Traits{Prepare: func(ctx context.Context) (err error) {
		defer cancel.Catch(&err)
		s.arranged.Get(ctx)
		return nil
	}}
}

// prepare arranges the weights if that has not been done.
func (s *scorer) prepare() { s.arranged.Get(context.Background()) }

func (s *scorer) arrangePlain(ctx context.Context) {
	only := s.weights[0]
	if s.dense == 0 {
		s.deep[s.kernel.K] = newLookup(ctx, only.codes, only.values, s.outputs)
		return
	}
	s.tables[s.dense] = make([]float64, s.outputs<<(s.coder.Bits*uint(s.dense)))
	s.fill(s.tables[s.dense], only)
}

// fill copies the rows of a level into an array indexed by the code.
func (s *scorer) fill(table []float64, l level) {
	if s.outputs == 1 {
		for i, code := range l.codes {
			table[code] = l.values[i]
		}
		return
	}
	for i, code := range l.codes {
		copy(table[int(code)*s.outputs:], l.values[i*s.outputs:(i+1)*s.outputs])
	}
}

func (s *scorer) arrangeBounded(ctx context.Context) {
	steps := newLadder(s.coder.Bits, s.dense)
	all := make([]float64, steps.size()*s.outputs)
	for length := 1; length <= s.dense; length++ {
		s.tables[length] = all[steps.base(length)*s.outputs : steps.base(length+1)*s.outputs]
		s.fill(s.tables[length], s.weights[length-1])
	}
	steps.foldValues(all, s.outputs)
	closed, _ := closePrefixes(s.weights[s.dense:], s.coder.Bits, s.outputs, math.MaxInt)
	var previous level
	for _, l := range closed {
		l.values = slices.Clone(l.values)
		s.addPrefixValues(l, previous)
		s.deep[l.length] = newLookup(ctx, l.codes, l.values, s.outputs)
		previous = l
	}
}

// addPrefixValues adds to each row of a level the row of its k-mer's prefix, which is in an array or in the previous
// level.
func (s *scorer) addPrefixValues(l, previous level) {
	if l.length == 1 {
		return
	}
	at := 0
	for i, code := range l.codes {
		prefix := code >> s.coder.Bits
		from := previous.values
		if l.length-1 == s.dense {
			from, at = s.tables[s.dense], int(prefix)
		} else {
			for previous.codes[at] < prefix {
				at++
			}
		}
		row := l.values[i*s.outputs : (i+1)*s.outputs]
		for m := range row {
			row[m] = from[at*s.outputs+m] + row[m]
		}
	}
}

// closePrefixes returns levels with rows of zeros added wherever a k-mer has a weight and its prefix has none (its
// occurrences cancelled), so that a search may stop at the first length that is not found, and how many were added; it
// stops where they are more than most. The levels given stay as they are.
func closePrefixes(levels []level, bits uint, m, most int) (closed []level, added int) {
	closed = slices.Clone(levels)
	for i := len(closed) - 1; i > 0 && added <= most; i-- {
		codes, missing := closed[i-1].codes, newLevel(closed[i-1].length, 0, m)
		at := 0
		for _, code := range closed[i].codes {
			for at < len(codes) && codes[at] < code>>bits {
				at++
			}
			if at == len(codes) || codes[at] != code>>bits {
				missing.at(code>>bits, m)
			}
		}
		closed[i-1] = addRows(closed[i-1], missing, m)
		added += len(missing.codes)
	}
	return closed, added
}

// checkPrefixes returns an error if what closePrefixes adds takes too much memory: few k-mers cancel out, but a stored
// scorer may hold long k-mers alone.
func checkPrefixes(levels []level, bits uint, m int) error {
	row := float64(24 + 24*m) // a code, its place in a lookup and three rows
	longer, most := 0, 0
	for i := len(levels) - 1; i > 0; i-- {
		longer += len(levels[i].codes)
		most += longer
	}
	if memory.Check(float64(most)*row) == nil {
		return nil
	}
	_, added := closePrefixes(levels, bits, m, int(float64(memory.Limit())/row))
	if err := memory.Check(float64(added) * row); err != nil {
		return fmt.Errorf("spectrum: %d k-mers without weights are prefixes of others with weights, which needs %w",
			added, err)
	}
	return nil
}
