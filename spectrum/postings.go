package spectrum

import (
	"context"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/parallel"
)

// postings is the inverted index of an incidence: for each feature the documents that have it, with counts.
type postings struct {
	starts []uint32 // starts[f] is where feature f's postings begin; one more entry than features
	packed []uint32 // document | count << docBits
}

const (
	docBits   = 24
	docMask   = 1<<docBits - 1
	mostCount = 1<<(32-docBits) - 1
)

// gatherGain is how many entries of a gather cost as much as one posting: a posting reads and writes dst.
const gatherGain = 2

// postable reports whether postings are possible: not for 2²⁴ documents or more, or 2³² entries.
func (c *incidence) postable() bool { return len(c.ends) <= docMask && int64(c.len()) < 1<<32-1 }

// newPostings inverts a postable incidence. Occurrences of a feature in a document are joined up to a count of 255; a
// larger count takes several postings. It returns nil for 2³² postings or more, and if onlyCheaper if rows by postings
// are no cheaper than by scatter and gather: the average row by postings takes Σ_f df²/n steps, df counting postings; a
// gather takes every entry of the corpus. O(entries + features).
func newPostings(ctx context.Context, inc *incidence, features int, onlyCheaper bool) *postings {
	next := make([]uint32, features+2)
	walkPostings(ctx, inc, features, func(feature, doc, count uint32) { next[feature+2]++ })
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
	p := &postings{starts: next[:features+1], packed: make([]uint32, total)}
	walkPostings(ctx, inc, features, func(feature, doc, count uint32) {
		p.packed[next[feature+1]] = doc | count<<docBits
		next[feature+1]++
	})
	return p
}

// walkPostings calls visit for every posting, documents in order.
func walkPostings(ctx context.Context, inc *incidence, features int, visit func(feature, doc, count uint32)) {
	counts := make([]uint32, features)
	for j := range inc.ends {
		cancel.Check(ctx)
		lo, hi := inc.bounds(j)
		for e := lo; e < hi; e++ {
			feature, count := inc.entry(e)
			counts[feature] += uint32(count)
		}
		for e := lo; e < hi; e++ {
			feature, _ := inc.entry(e)
			for counts[feature] > 0 {
				part := min(counts[feature], mostCount)
				visit(feature, uint32(j), part)
				counts[feature] -= part
			}
		}
	}
}

// row adds Σ_f weight_f · count_f(i) · count_f(j) to dst[j] for every j.
func (p *postings) row(dst []float64, inc *incidence, weight []float64, i int) {
	lo, hi := inc.bounds(i)
	for e := lo; e < hi; e++ {
		feature, count := inc.entry(e)
		a := float64(count)
		if weight != nil {
			a *= weight[feature]
		}
		for _, posting := range p.packed[p.starts[feature]:p.starts[feature+1]] {
			dst[posting&docMask] += float64(a * float64(posting>>docBits))
		}
	}
}

// productShares is the number of ranges of features that product sums separately. It is fixed, so that the
// order of summation does not depend on the number of processors.
const productShares = 4

// product adds Σ_f weight_f · count_f(j) · Σ_i count_f(i)·v_i to dst[j] for every j: a feature at a time, so that what
// is reached at random is v and dst, n entries each, not an entry per feature.
func (p *postings) product(dst, v, weight []float64) {
	features := len(p.starts) - 1
	sums := make([]float64, productShares*len(dst))
	parallel.Each(productShares, func(share int) {
		lo, hi := share*features/productShares, (share+1)*features/productShares
		p.productShare(sums[share*len(dst):(share+1)*len(dst)], v, weight, lo, hi)
	})
	for share := range productShares {
		for j, s := range sums[share*len(dst) : (share+1)*len(dst)] {
			dst[j] += s
		}
	}
}

// productShare is product for the features lo…hi−1.
func (p *postings) productShare(dst, v, weight []float64, lo, hi int) {
	for f := lo; f < hi; f++ {
		list := p.packed[p.starts[f]:p.starts[f+1]]
		sum := 0.0
		for _, posting := range list {
			sum += float64(v[posting&docMask] * float64(posting>>docBits))
		}
		if sum == 0 {
			continue
		}
		if weight != nil {
			sum *= weight[f]
		}
		for _, posting := range list {
			dst[posting&docMask] += float64(sum * float64(posting>>docBits))
		}
	}
}
