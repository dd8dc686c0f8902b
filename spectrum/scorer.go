package spectrum

import (
	"context"
	"math/bits"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/hash"
	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// scorer is the weights of all k-mers of some support vectors: see [Kernel.Merge]. It is safe for concurrent use.
//
// Up to a length k-mers are in arrays indexed by their codes, beyond it in a lookup per length. With Bounded a row of an
// array is the sum over all prefixes of its k-mer, so that one look-up serves all of them. Arrays and lookups take more
// memory than the weights, and a scorer that is only stored needs none: they are made before the first score.
type scorer struct {
	kernel  Kernel
	coder   kmer.Coder
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

// newScorer returns a scorer of weights.
func newScorer(k Kernel, outputs int, weights []level) *scorer {
	s := &scorer{
		kernel: k, coder: kmer.New(k.Alphabet, k.K), outputs: outputs, weights: weights,
		dense: scorerDepth(k, outputs, weights),
	}
	s.arranged.Make = func(ctx context.Context) (done struct{}) {
		s.arrange(ctx)
		return done
	}
	return s
}

// Traits says that weights are to be arranged for scores.
func (s *scorer) Traits() stringkernel.Traits {
	return stringkernel.Traits{Around: stringkernel.Within(s.coder.K), Prepare: func(ctx context.Context) (err error) {
		defer cancel.Catch(&err)
		s.arranged.Get(ctx)
		return nil
	}}
}

// prepare arranges the weights if that has not been done.
func (s *scorer) prepare() { s.arranged.Get(context.Background()) }

// arrange fills tables and lookups. The filter of a lookup lets those k-mers pass too that longer ones begin with.
func (s *scorer) arrange(ctx context.Context) {
	s.tables, s.deep = make([][]float64, s.kernel.K+1), make([]*lookup, s.kernel.K+1)
	steps := newLadder(s.coder.Bits, s.dense)
	first := steps.base(min(s.kernel.shortest(), s.dense+1))
	all := make([]float64, (steps.size()-first)*s.outputs)
	for i, l := range s.weights {
		if l.length <= s.dense {
			s.tables[l.length] = all[(steps.base(l.length)-first)*s.outputs : (steps.base(l.length+1)-first)*s.outputs]
			s.fill(s.tables[l.length], l)
			continue
		}
		s.deep[l.length] = newLookup(ctx, l, s.outputs)
		for _, longer := range s.weights[i+1:] {
			for _, code := range cancel.All(ctx, longer.codes) {
				s.deep[l.length].pass(code >> (s.coder.Bits * uint(longer.length-l.length)))
			}
		}
	}
	if s.kernel.Bounded {
		steps.foldValues(all, s.outputs)
	}
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

// lookup finds the row of a code among many. A bitmap of the top bits of mixed codes, 8 to 16 bits per code and so mostly
// zeros, answers for most codes that are not there from the cache. 26 to 50 bytes per code.
type lookup struct {
	filter  []uint64
	shift   uint // of a mixed code to its bit
	numbers hash.Table
	values  []float64 // a row per code
	width   int
}

// newLookup indexes the codes of a level, fewer than 2³¹, each with a row of width values. O(n) on average.
func newLookup(ctx context.Context, of level, width int) *lookup {
	filterBits := uint(max(bits.Len(uint(len(of.codes))), 3) + 3)
	l := &lookup{filter: make([]uint64, 1<<(filterBits-6)), shift: 64 - filterBits, values: of.values, width: width}
	l.numbers.Reset(len(of.codes) + len(of.codes)/2)
	for _, code := range cancel.All(ctx, of.codes) {
		l.pass(code)
		l.numbers.Number(code)
	}
	return l
}

// pass lets a code pass the filter.
func (l *lookup) pass(code uint64) {
	bit := hash.Mix(code) >> l.shift
	l.filter[bit>>6] |= 1 << (bit & 63)
}

// row returns the values of a code, nil if it has none.
func (l *lookup) row(code uint64) []float64 {
	if bit := hash.Mix(code) >> (l.shift & 63); l.filter[bit>>6]>>(bit&63)&1 == 0 {
		return nil
	}
	if number := int(l.numbers.Find(code)); number > 0 {
		return l.values[(number-1)*l.width : number*l.width]
	}
	return nil
}

// passing keeps those of n k-mers whose prefixes (codes shifted right by shift) pass the filter of a lookup, and returns
// how many there are.
func (l *lookup) passing(likely *[blockSize]uint16, n int, codes []uint64, shift uint) (kept int) {
	for _, i := range likely[:n] {
		bit := hash.Mix(codes[i]>>(shift&63)) >> (l.shift & 63)
		likely[kept&(blockSize-1)] = i
		kept += int(l.filter[bit>>6] >> (bit & 63) & 1)
	}
	return kept
}
