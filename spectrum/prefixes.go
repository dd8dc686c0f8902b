package spectrum

import (
	"cmp"
	"context"
	"math/bits"
	"slices"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// prefixPart is the Gram matrix of all k-mers of above+1…K letters, on the sorted list of the longest k-mers at all
// positions. Two of them have as many common k-mers as they share letters beyond above: a sum over all pairs is a pass
// over the list, with a stack of the prefixes that the k-mer has in common with those before it, and one back. So each
// position takes 4 bytes for its document and one for the letters that it shares with the one before, however many
// lengths there are.
//
// K-mers that share at least above+1 letters are a group. Groups of one document are not listed: they add to its own.
type prefixPart struct {
	above     int
	countBits uint
	stretches []stretch
	own       []float64    // of each document: groups that no other has, and each k-mer with itself
	sums      scratch.Kept // *[]float64, of each stretch and document
	units     sync.Pool    // *[]float64, zero at rest
}

// stretch is whole groups, one after another: what one processor sums up.
type stretch struct {
	postings []uint32 // document << countBits | count
	shared   []uint8  // letters shared with the k-mer before, 0 at the beginning of a group; one more entry, which is 0
}

// A stretch has at least so many postings, and at least postingsPerSum for each document, so that adding its sums takes
// little time. A large corpus has about mostShares of them.
const leastStretch = 1 << 14

// newPrefixPart indexes the k-mers of more than above letters, of the records as they are.
func newPrefixPart(ctx context.Context, k Kernel, c *stringkernel.Corpus, above int) *prefixPart {
	coder := newCoder(k.Alphabet, k.K)
	b := prefixLister{
		prefixPart: &prefixPart{above: above, countBits: countBitsOf(c.Len()), own: make([]float64, c.Len())},
		k:          k.K, bits: coder.Bits, ones: slices.Repeat([]float64{1}, c.Len()),
		room: max(leastStretch, c.Letters()/mostShares, postingsPerSum*c.Len()),
	}
	for i := range b.shares {
		b.shares[i] = prefixShare{prefixLister: &b, own: make([]float64, c.Len())}
	}
	for list := range sortedOccurrences(ctx, c, coder, above+1) {
		b.add(ctx, list)
	}
	b.end()
	for _, share := range b.shares {
		for doc, own := range share.own {
			b.own[doc] += own
		}
	}
	collectAfter(c)
	return b.prefixPart
}

// prefixLister lists sorted k-mers.
type prefixLister struct {
	*prefixPart
	k      int
	bits   uint
	room   int       // postings of a stretch
	next   stretch   // but for the last 0
	ones   []float64 // of each document
	shares [listShares]prefixShare
}

// A list is listed in listShares shares side by side, about listTogether k-mers at a time, so that what waits to be
// joined takes little memory.
const (
	listShares   = 4
	listTogether = 1 << 17
)

// prefixShare lists whole groups of a list.
type prefixShare struct {
	*prefixLister
	next   stretch // but for the last 0
	own    []float64
	walker walker
}

// add appends a list of k-mers in order of their codes.
func (b *prefixLister) add(ctx context.Context, list []occurrence) {
	shift := b.bits * uint(b.k-b.above-1)
	for len(list) > 0 {
		some := list[:groupEnd(list, min(listTogether, len(list)), shift)]
		list = list[len(some):]
		var ends [listShares + 1]int
		for i := range listShares {
			ends[i+1] = groupEnd(some, max(ends[i], (i+1)*len(some)/listShares), shift)
		}
		parallel.EachContext(ctx, listShares, func(i int) { b.shares[i].add(ctx, some[ends[i]:ends[i+1]], shift) })
		for i := range b.shares {
			b.join(b.shares[i].next)
		}
	}
}

// groupEnd returns the first place from at on where no group goes on.
func groupEnd(list []occurrence, at int, shift uint) int {
	for at > 0 && at < len(list) && list[at].key>>shift == list[at-1].key>>shift {
		at++
	}
	return at
}

// join appends the groups of a share.
func (b *prefixLister) join(s stretch) {
	for at := 0; at < len(s.postings); {
		end := at + max(1, b.room-len(b.next.postings))
		for end < len(s.postings) && s.shared[end] > 0 {
			end++
		}
		end = min(end, len(s.postings))
		b.next.postings = append(b.next.postings, s.postings[at:end]...)
		b.next.shared = append(b.next.shared, s.shared[at:end]...)
		at = end
		if len(b.next.postings) >= b.room {
			b.end()
		}
	}
}

// add lists k-mers in order of their codes; those of a group have equal ones but for the last bits.
func (b *prefixShare) add(ctx context.Context, list []occurrence, shift uint) {
	b.next = stretch{b.next.postings[:0], b.next.shared[:0]}
	for lo := 0; lo < len(list); {
		hi := lo + 1
		for hi < len(list) && list[hi].key>>shift == list[lo].key>>shift {
			hi++
		}
		if lo/leastStretch != hi/leastStretch {
			cancel.Check(ctx)
		}
		if hi-lo == 1 { // as most are of a small corpus
			b.alone(list[lo].doc, float64(list[lo].count), int(list[lo].length))
		} else {
			b.group(list[lo:hi])
		}
		lo = hi
	}
}

// alone adds a k-mer with itself.
func (b *prefixShare) alone(doc uint32, count float64, length int) {
	b.own[doc] += float64(float64(length-b.above) * float64(count*count))
}

// group appends k-mers that begin alike.
func (b *prefixShare) group(list []occurrence) {
	start := len(b.next.postings)
	var last *occurrence
	for lo := 0; lo < len(list); {
		hi := lo + 1
		for hi < len(list) && list[hi].key == list[lo].key {
			hi++
		}
		last = b.equal(list[lo:hi], last)
		lo = hi
	}
	first := list[0].doc
	if slices.IndexFunc(list, func(o occurrence) bool { return o.doc != first }) < 0 {
		b.next.shared = append(b.next.shared, 0)
		b.walk(&b.walker, b.own, b.ones, b.next.postings[start:], b.next.shared[start:])
		b.next.postings, b.next.shared = b.next.postings[:start], b.next.shared[:start]
	}
}

// equal appends k-mers of the same code, behind another one if there is one in the group, and returns the last one.
// Those that are shorter than K come first, as a prefix does. Those that are equal in a document are one posting.
func (b *prefixShare) equal(list []occurrence, last *occurrence) *occurrence {
	byLength := func(x, y occurrence) int { return cmp.Compare(x.length, y.length) }
	if !slices.IsSortedFunc(list, byLength) {
		slices.SortStableFunc(list, byLength)
	}
	for i := 0; i < len(list); {
		o, count, shared := &list[i], 0, 0
		for ; i < len(list) && list[i].doc == o.doc && list[i].length == o.length; i++ {
			count += int(list[i].count)
		}
		if last != nil {
			shared = b.common(last, o) - b.above
		}
		b.put(o, count, shared)
		last = o
	}
	return last
}

// common returns the number of letters that two k-mers share.
func (b *prefixLister) common(x, y *occurrence) int {
	same := bits.LeadingZeros64((x.key^y.key)<<(64-b.bits*uint(b.k))) / int(b.bits)
	return min(same, int(x.length), int(y.length))
}

// put appends a k-mer of a document.
func (b *prefixShare) put(o *occurrence, count, shared int) {
	for most := int(mostCount(b.countBits)); count > 0; {
		part := min(count, most)
		b.alone(o.doc, float64(part), int(o.length))
		b.next.postings = append(b.next.postings, o.doc<<b.countBits|uint32(part))
		b.next.shared = append(b.next.shared, uint8(shared))
		shared = int(o.length) - b.above
		count -= part
	}
}

// end ends a stretch.
func (b *prefixLister) end() {
	if len(b.next.postings) == 0 {
		return
	}
	s := &b.next
	b.stretches = append(b.stretches, stretch{
		slices.Clone(s.postings), append(append(make([]uint8, 0, len(s.shared)+1), s.shared...), 0),
	})
	b.next = stretch{b.next.postings[:0], b.next.shared[:0]}
}

// walker passes over stretches. It is scratch.
type walker struct {
	up, down prefixSums
}

// walk adds to dst, for each k-mer of whole groups, the sum of v over the others of its group, each times the number of
// letters beyond above that the two share and their counts: over those before it on the way up, and over those behind
// it on the way down, which goes on at the same time.
func (p *prefixPart) walk(w *walker, dst, v []float64, postings []uint32, shared []uint8) {
	countBits, mask := p.countBits&31, mostCount(p.countBits)
	n := len(postings)
	above, below := shared[:n], shared[1:][:n]
	var up, upBefore, down, downBefore float64 // sums, and what they were before the last k-mer
	var upNext, downNext uint8                 // greatest number of letters for which a base is there
	upRenewal, downRenewal := sumSpan, sumSpan
	for i, posting := range postings {
		shared := above[i]
		if shared > upNext {
			w.up.climb(upNext, shared, upBefore)
		}
		if i >= upRenewal && shared == 0 {
			up, upRenewal = 0, i+sumSpan
		}
		doc, count := posting>>countBits, float64(posting&mask)
		dst[doc] += float64(w.up.over(shared, up) * count)
		upBefore, upNext, up = up, shared+ready, up+float64(v[doc]*count)

		shared, posting = below[n-1-i], postings[n-1-i]
		if shared > downNext {
			w.down.climb(downNext, shared, downBefore)
		}
		if i >= downRenewal && shared == 0 {
			down, downRenewal = 0, i+sumSpan
		}
		doc, count = posting>>countBits, float64(posting&mask)
		dst[doc] += float64(w.down.over(shared, down) * count)
		downBefore, downNext, down = down, shared+ready, down+float64(v[doc]*count)
	}
}

// sumSpan is how many k-mers a sum goes over before it begins anew with the next group, so that it stays small. To
// begin anew with each would be a branch that is seldom foreseen.
const sumSpan = 256

// prefixSums are of sums of v over k-mers one after another. Let S be the sum over all, and S_l what it was at the
// first k-mer that has the same first l letters beyond above as the last one, so that the sum over those k-mers is S −
// S_l. Then Σ_{l ≤ h} (S − S_l) is h·S − base[h], without a branch: entry h is base[h] = Σ_{l ≤ h} S_l.
type prefixSums [256]float64

// ready is how many bases behind the shared letters of a k-mer are computed before it is known which are needed.
const ready = 3

// over returns the sum over the k-mers before one that shares some letters with the last one.
func (s *prefixSums) over(shared uint8, sum float64) float64 {
	base := s[shared]
	s[shared+1] = base + sum
	s[shared+2] = base + (sum + sum)
	s[shared+3] = base + (sum + sum + sum)
	return float64(float64(shared)*sum) - base
}

// climb computes the bases that are needed for so many letters.
func (s *prefixSums) climb(from, to uint8, sum float64) {
	for l := from + 1; l <= to; l++ {
		s[l] = s[l-1] + sum
	}
}

func (p *prefixPart) prepare(context.Context) {}

// product sums stretch by stretch, and then over them in order.
func (p *prefixPart) product(dst, v []float64) {
	n := len(dst)
	sums := scratch.Borrow(&p.sums, len(p.stretches)*n)
	defer p.sums.Put(sums)
	parallel.Each(len(p.stretches), func(i int) {
		sum := (*sums)[i*n : (i+1)*n]
		clear(sum)
		s := &p.stretches[i]
		p.walk(new(walker), sum, v, s.postings, s.shared)
	})
	parallel.For(n, func(lo, hi int) {
		for of := 0; of < len(*sums); of += n {
			for j, s := range (*sums)[of+lo : of+hi] {
				dst[lo+j] += s
			}
		}
		for j := lo; j < hi; j++ {
			dst[j] += float64(p.own[j] * v[j])
		}
	})
}

// row is the product with a unit vector.
func (p *prefixPart) row(dst []float64, i int) {
	unit := scratch.Borrow(&p.units, len(dst))
	(*unit)[i] = 1
	p.product(dst, *unit)
	(*unit)[i] = 0
	p.units.Put(unit)
}
