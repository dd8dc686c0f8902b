package spectrum

import (
	"context"
	"math/bits"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/hash"
)

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
