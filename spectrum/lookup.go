package spectrum

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

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
		starts:      make([]uint32, 1<<groupBits+1),
		shift:       64 - groupBits,
		values:      make([]float64, len(values)),
		width:       width,
	}
	for _, code := range codes {
		m := hash.Mix(code)
		l.starts[m>>l.shift+1]++
		bit := m >> l.filterShift
		l.filter[bit>>6] |= 1 << (bit & 63)
	}
	for b := range 1 << groupBits {
		l.starts[b+1] += l.starts[b]
	}
	order := make([]uint32, len(codes))
	next := slices.Clone(l.starts)
	for i, code := range codes {
		cancel.Every(ctx, i)
		b := hash.Mix(code) >> l.shift
		order[next[b]] = uint32(i)
		next[b]++
	}
	for b := range 1 << groupBits {
		if group := order[l.starts[b]:l.starts[b+1]]; len(group) > 1 {
			sortGroup(group, codes)
		}
	}
	for to, from := range order {
		cancel.Every(ctx, to)
		l.mixed[to] = hash.Mix(codes[from])
		copy(l.values[to*width:(to+1)*width], values[int(from)*width:(int(from)+1)*width])
	}
	return l
}

// sortGroup sorts the numbers of some codes by mixed code: by insertion, since most groups are short.
func sortGroup(group []uint32, codes []uint64) {
	if len(group) > longGroup {
		slices.SortFunc(group, func(i, j uint32) int { return cmp.Compare(hash.Mix(codes[i]), hash.Mix(codes[j])) })
		return
	}
	for i := 1; i < len(group); i++ {
		for j := i; j > 0 && hash.Mix(codes[group[j]]) < hash.Mix(codes[group[j-1]]); j-- {
			group[j], group[j-1] = group[j-1], group[j]
		}
	}
}

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
