package spectrum

import (
	"context"
	"math/bits"
	"slices"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/parallel"
)

// postings is an inverted index: for each feature the documents that have it, with counts.
type postings struct {
	countBits uint     // a posting is document << countBits | count
	starts    []uint32 // starts[f] is where feature f begins; one more entry than features
	list      []uint32
}

// features returns the number of features.
func (p *postings) features() int { return len(p.starts) - 1 }

// of returns the postings of a feature.
func (p *postings) of(feature int) []uint32 { return p.list[p.starts[feature]:p.starts[feature+1]] }

// A posting has mostCountBits for its count, or fewer, at least 2, if there are more than 2²⁴ documents. A larger count
// takes several postings.
const (
	mostCountBits = 8
	mostDocuments = 1 << 30
)

func countBitsOf(documents int) uint { return min(mostCountBits, 32-uint(bits.Len(uint(documents)))) }

func mostCount(countBits uint) uint32 { return 1<<countBits - 1 }

// gatherGain is how many entries of a gather cost as much as one posting: a posting reads and writes dst.
const gatherGain = 2

// newPostings inverts an incidence. Occurrences of a feature in a document are joined. It returns nil for 2³² postings
// or more, and if onlyCheaper if rows by postings are no cheaper than by scatter and gather: the average row by
// postings takes Σ_f df²/n steps, df counting postings; a gather takes every entry of the corpus. O(entries +
// features).
func newPostings(ctx context.Context, inc *incidence, features int, onlyCheaper bool) *postings {
	countBits := countBitsOf(len(inc.ends))
	next := make([]uint32, features+2)
	walkPostings(ctx, inc, features, countBits, func(feature, posting uint32) { next[feature+2]++ })
	total, steps := 0, 0.0
	for _, df := range next {
		total += int(df)
		steps += float64(float64(df) * float64(df))
	}
	if total >= 1<<32-1 || onlyCheaper && steps/float64(len(inc.ends))*gatherGain >= float64(inc.len()) {
		return nil
	}
	for f := range features {
		next[f+1] += next[f]
	}
	// next[f+1] is where the next posting of feature f goes: in the end where those of f+1 begin.
	packed := make([]uint32, total)
	walkPostings(ctx, inc, features, countBits, func(feature, posting uint32) {
		packed[next[feature+1]] = posting
		next[feature+1]++
	})
	return &postings{countBits, next[:features+1], packed}
}

// walkPostings calls visit for every posting, documents in order.
func walkPostings(
	ctx context.Context, inc *incidence, features int, countBits uint, visit func(feature, posting uint32),
) {
	counts, most := make([]uint32, features), mostCount(countBits)
	for j := range inc.ends {
		cancel.Check(ctx)
		lo, hi := inc.bounds(j)
		for e := range cancel.Steps(ctx, lo, hi) {
			feature, count := inc.entry(e)
			counts[feature] += uint32(count)
		}
		for e := range cancel.Steps(ctx, lo, hi) {
			feature, _ := inc.entry(e)
			for counts[feature] > 0 {
				part := min(counts[feature], most)
				visit(feature, uint32(j)<<countBits|part)
				counts[feature] -= part
			}
		}
	}
}

// documents lists the features of documents of the given sizes, in entries, in order of the features' numbers.
func (p *postings) documents(ctx context.Context, sizes []int, counted bool) *incidence {
	inc, next := newReserved(p.features(), sizes, counted)
	p.each(ctx, func(feature, doc uint32, count int) { next[doc] = inc.put(next[doc], feature, count) })
	return inc
}

// each calls visit with every document of every feature, features and documents in order.
func (p *postings) each(ctx context.Context, visit func(feature, doc uint32, count int)) {
	countBits, mask := p.countBits, mostCount(p.countBits)
	for f := range cancel.Steps(ctx, 0, p.features()) {
		list := p.of(f)
		for at := 0; at < len(list); {
			doc, count := list[at]>>countBits, 0
			for ; at < len(list) && list[at]>>countBits == doc; at++ {
				count += int(list[at] & mask)
			}
			visit(uint32(f), doc, count)
		}
	}
}

// addTo adds a times the count of a feature in document j to dst[j], for every j.
func (p *postings) addTo(dst []float64, feature uint32, a float64) {
	countBits, mask := p.countBits&31, mostCount(p.countBits)
	for _, posting := range p.of(int(feature)) {
		dst[posting>>countBits] += float64(a * float64(posting&mask))
	}
}

// A product sums ranges of features separately and then over the ranges, in order, so that the bits do not depend on
// the number of processors. Each takes postingsPerSum postings for each document at least, so that adding its sums
// takes little of its time.
const (
	leastShares    = 4
	mostShares     = 32
	postingsPerSum = 12
)

// shares cuts the features into ranges with about as many postings each, for sums of n documents: range s is
// shares[s]…shares[s+1]−1.
func (p *postings) shares(n int) []int {
	total := len(p.list)
	count := max(leastShares, min(mostShares, total/(postingsPerSum*max(n, 1))))
	shares := make([]int, count+1)
	for s := 1; s < count; s++ {
		shares[s], _ = slices.BinarySearch(p.starts, uint32(s*total/count))
	}
	shares[count] = p.features()
	return shares
}

// product adds Σ_f value_f(j) · Σ_i value_f(i)·v_i to dst[j] for every j: a feature at a time, so that what
// is reached at random is v and dst, n entries each, not an entry per feature.
func (p *postings) product(dst, v []float64) {
	n, shares := len(dst), p.shares(len(dst))
	sums := make([]float64, (len(shares)-1)*n)
	parallel.Each(len(shares)-1, func(s int) {
		p.productShare(sums[s*n:(s+1)*n], v, shares[s], shares[s+1])
	})
	parallel.For(n, func(lo, hi int) {
		for of := 0; of < len(sums); of += n {
			for j, s := range sums[of+lo : of+hi] {
				dst[lo+j] += s
			}
		}
	})
}

// productShare is product for the features lo…hi−1.
func (p *postings) productShare(dst, v []float64, lo, hi int) {
	countBits, mask := p.countBits&31, mostCount(p.countBits)
	for f := lo; f < hi; f++ {
		list, sum := p.of(f), 0.0
		for _, posting := range list {
			sum += float64(v[posting>>countBits] * float64(posting&mask))
		}
		if sum == 0 {
			continue
		}
		for _, posting := range list {
			dst[posting>>countBits] += float64(sum * float64(posting&mask))
		}
	}
}
