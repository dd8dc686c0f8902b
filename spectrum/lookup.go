package spectrum

import (
	"context"
	"math/bits"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/hash"
)

// lookup finds the row of a code among many. A filter answers for most codes that are not there: a bitmap of the top
// bits of mixed codes, 8 to 16 bits per code, mostly zeros, which the cache has. 26 to 50 bytes per code.
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

// blockSize is the number of k-mers whose values are found together. Each step is a loop over the block whose
// iterations do not wait for one another, so that the misses of many k-mers overlap; searching one k-mer at a time
// would wait for every miss after a branch that is hard to predict.
const blockSize = 256

// passing keeps those of n k-mers whose prefixes (codes shifted right by shift) pass the filter of a lookup, and
// returns how many there are.
func (l *lookup) passing(likely *[blockSize]uint16, n int, codes []uint64, shift uint) (kept int) {
	for _, i := range likely[:n] {
		bit := hash.Mix(codes[i]>>(shift&63)) >> (l.shift & 63)
		likely[kept&(blockSize-1)] = i
		kept += int(l.filter[bit>>6] >> (bit & 63) & 1)
	}
	return kept
}
