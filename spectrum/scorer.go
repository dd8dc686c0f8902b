package spectrum

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/hash"
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

// lookup finds the row of a code among many. Codes are mixed one to one, so that those of related k-mers are spread
// evenly, grouped by the top bits of the mixture, and sorted within a group. A bitmap of the mixtures' top bits, 8 to
// 16 bits per code and so mostly zeros, answers for most codes that are not there from the cache. About 14 bytes per
// code and 8 per value.
type lookup struct {
	filter      []uint64
	filterShift uint
	mixed       []uint64
	starts      []uint32 // starts[b] is where group b begins
	shift       uint
	values      []float64 // a row per code, in the order of mixed
	width       int
}

// longGroup is the size of a group from which it is searched by halving.
const longGroup = 8

// newLookup indexes distinct codes, fewer than 2³², each with a row of width values. O(n) on average.
func newLookup(ctx context.Context, codes []uint64, values []float64, width int) *lookup {
	groupBits := uint(max(bits.Len(uint(len(codes))), 3))
	filterBits := groupBits + 3
	l := &lookup{
		filter:      make([]uint64, 1<<(filterBits-6)),
		filterShift: 64 - filterBits,
		mixed:       make([]uint64, len(codes)),
		starts:      make([]uint32, 1<<groupBits+2),
		shift:       64 - groupBits,
		values:      make([]float64, len(values)),
		width:       width,
	}
	for _, code := range cancel.All(ctx, codes) {
		m := hash.Mix(code)
		l.starts[m>>l.shift+2]++
		bit := m >> l.filterShift
		l.filter[bit>>6] |= 1 << (bit & 63)
	}
	for b := range 1 << groupBits {
		l.starts[b+1] += l.starts[b]
	}
	for i, code := range cancel.All(ctx, codes) {
		m := hash.Mix(code)
		next := &l.starts[m>>l.shift+1] // where group b+1 begins in the end is where the next code of b goes until then
		to := *next
		*next++
		for ; to > 0 && l.mixed[to-1] > m; to-- { // a lower group, or one with room, is below m
			l.mixed[to] = l.mixed[to-1]
			copy(l.at(to), l.at(to-1))
		}
		l.mixed[to] = m
		if width == 1 {
			l.values[to] = values[i]
		} else {
			copy(l.at(to), values[i*width:(i+1)*width])
		}
	}
	return l
}

// at returns the values of row i.
func (l *lookup) at(i uint32) []float64 { return l.values[int(i)*l.width : (int(i)+1)*l.width] }

// find returns the number of the row of a code, or −1.
func (l *lookup) find(code uint64) int {
	m := hash.Mix(code)
	if bit := m >> (l.filterShift & 63); l.filter[bit>>6]>>(bit&63)&1 == 0 {
		return -1
	}
	return l.search(m)
}

// search finds a mixed code in its group.
func (l *lookup) search(m uint64) int {
	b := m >> (l.shift & 63)
	lo, hi := l.starts[b], l.starts[b+1]
	for hi-lo > longGroup {
		if mid := lo + (hi-lo)/2; l.mixed[mid] > m {
			hi = mid
		} else {
			lo = mid
		}
	}
	for ; lo < hi; lo++ {
		if l.mixed[lo] == m {
			return int(lo)
		}
	}
	return -1
}

// row returns the values of a code, nil if it has none.
func (l *lookup) row(code uint64) []float64 {
	i := l.find(code)
	if i < 0 {
		return nil
	}
	return l.values[i*l.width : (i+1)*l.width]
}

// passing lists the k-mers whose prefixes (codes shifted right by shift) pass the filter of a lookup and returns how
// many do.
func (l *lookup) passing(likely *[blockSize]uint16, codes []uint64, shift uint) int {
	n := 0
	for i, code := range codes {
		bit := hash.Mix(code>>(shift&63)) >> (l.filterShift & 63)
		likely[n&(blockSize-1)] = uint16(i)
		n += int(l.filter[bit>>6] >> (bit & 63) & 1)
	}
	return n
}
