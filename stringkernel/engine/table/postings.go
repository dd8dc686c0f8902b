package table

import (
	"context"
	"math/bits"
	"slices"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/simd"
	"github.com/seqsvm/seqsvm/internal/vectors"
)

// Postings is an inverted index: for each feature the records that have it, with counts.
type Postings struct {
	countBits uint     // a posting is record << countBits | count
	starts    []uint32 // starts[f] is where feature f begins; one more entry than features
	list      []uint32
	sums      sync.Pool // *[]float64, of products
}

// Features returns the number of features.
func (p *Postings) Features() int { return len(p.starts) - 1 }

// of returns the postings of a feature.
func (p *Postings) of(feature int) []uint32 { return p.list[p.starts[feature]:p.starts[feature+1]] }

// MostRecords is the least number of records that is too many: the number of one leaves no 2 bits for its count.
const MostRecords = 1 << 30

// mostCountBits is how many bits of a posting its count has: fewer if there are 2²⁴ records or more. A larger count
// takes several postings.
const mostCountBits = 8

func countBitsOf(records int) uint { return min(mostCountBits, 32-uint(bits.Len(uint(records)))) }

func mostCount(countBits uint) uint32 { return 1<<countBits - 1 }

// gatherGain is how many entries of a gather cost as much as one posting: a posting reads and writes dst.
const gatherGain = 2

// NewPostings inverts a list of whole values. Those of a feature in a record are joined. It returns nil for 2³²
// postings or more. With onlyCheaper it also does where rows by postings are no cheaper than by scatter and gather: the
// average row by postings takes Σ_f df²/n steps, df counting postings; a gather takes every entry of the corpus.
// O(entries + features).
func NewPostings(ctx context.Context, l *List, onlyCheaper bool) *Postings {
	countBits := countBitsOf(l.Len())
	features := l.features
	next := make([]uint32, features+2)
	walkPostings(ctx, l, countBits, func(feature, posting uint32) { next[feature+2]++ })
	total, steps := 0, 0.0
	for _, df := range next {
		total += int(df)
		steps += float64(float64(df) * float64(df))
	}
	if total >= 1<<32-1 || onlyCheaper && steps/float64(l.Len())*gatherGain >= float64(l.Entries()) {
		return nil
	}
	for f := range features {
		next[f+1] += next[f]
	}
	// next[f+1] is where the next posting of feature f goes: in the end where those of f+1 begin.
	packed := make([]uint32, total)
	walkPostings(ctx, l, countBits, func(feature, posting uint32) {
		packed[next[feature+1]] = posting
		next[feature+1]++
	})
	return &Postings{countBits: countBits, starts: next[:features+1], list: packed}
}

// walkPostings calls visit for every posting, records in order.
func walkPostings(ctx context.Context, l *List, countBits uint, visit func(feature, posting uint32)) {
	counts, most := make([]uint32, l.features), mostCount(countBits)
	for j := range l.Len() {
		cancel.Check(ctx)
		lo, hi := l.Bounds(j)
		for e := range cancel.Steps(ctx, lo, hi) {
			feature, value := l.Entry(e)
			counts[feature] += uint32(value)
		}
		for e := range cancel.Steps(ctx, lo, hi) {
			feature, _ := l.Entry(e)
			for counts[feature] > 0 {
				part := min(counts[feature], most)
				visit(feature, uint32(j)<<countBits|part)
				counts[feature] -= part
			}
		}
	}
}

// Each calls visit with each record of each feature, features and records in order.
func (p *Postings) Each(ctx context.Context, visit func(feature, record, count uint32)) {
	countBits, mask := p.countBits&31, mostCount(p.countBits)
	for f := range cancel.Steps(ctx, 0, p.Features()) {
		for list := p.of(f); len(list) > 0; {
			record, count := list[0]>>countBits, uint32(0)
			for ; len(list) > 0 && list[0]>>countBits == record; list = list[1:] {
				count += list[0] & mask
			}
			visit(uint32(f), record, count)
		}
	}
}

// AddTo adds a times the count of a feature in record j to dst[j], for every j. Meanwhile the postings of a feature
// that comes soon are fetched.
func (p *Postings) AddTo(dst []float64, feature uint32, a float64, soon uint32) {
	if at := p.starts[soon]; at < uint32(len(p.list)) {
		simd.Prefetch(&p.list[at])
	}
	countBits, mask := p.countBits&31, mostCount(p.countBits)
	for _, posting := range p.of(int(feature)) {
		dst[posting>>countBits] += float64(a * float64(posting&mask))
	}
}

// A product sums ranges of features separately and then over the ranges, in order, so that the bits do not depend on
// the number of processors. Each takes postingsPerSum postings for each record at least, so that adding its sums
// takes little of its time.
const (
	leastShares    = 4
	mostShares     = 32
	postingsPerSum = 12
)

// shares cuts the features into ranges with about as many postings each, for sums of n records: range s is
// shares[s]…shares[s+1]−1.
func (p *Postings) shares(n int) []int {
	total := len(p.list)
	count := max(leastShares, min(mostShares, total/(postingsPerSum*max(n, 1))))
	shares := make([]int, count+1)
	for s := 1; s < count; s++ {
		shares[s], _ = slices.BinarySearch(p.starts, uint32(s*total/count))
	}
	shares[count] = p.Features()
	return shares
}

// Product adds Σ_f value_f(j) · Σ_i value_f(i)·v_i to dst[j] for every j: a feature at a time, so that what
// is reached at random is v and dst, n entries each, not an entry per feature.
func (p *Postings) Product(dst, v []float64) {
	shares := p.shares(len(dst))
	_ = parallel.Pipeline(context.Background(), len(shares)-1, func(s int) int { return s }, // of which no step fails
		func(s int) (*[]float64, error) {
			sums := scratch.Borrow(&p.sums, len(dst))
			clear(*sums)
			p.productShare(*sums, v, shares[s], shares[s+1])
			return sums, nil
		}, func(_ int, sums *[]float64) error {
			vectors.AddScaled(dst, 1, *sums)
			p.sums.Put(sums)
			return nil
		})
}

// productShare is Product for the features lo…hi−1.
func (p *Postings) productShare(dst, v []float64, lo, hi int) {
	countBits, mask := p.countBits&31, mostCount(p.countBits)
	for f := lo; f < hi; f++ {
		sum := 0.0
		for _, posting := range p.of(f) {
			sum += float64(v[posting>>countBits] * float64(posting&mask))
		}
		if sum != 0 {
			p.AddTo(dst, uint32(f), sum, uint32(f))
		}
	}
}
