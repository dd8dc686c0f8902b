package spectrum

import (
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// JointSelfEval returns |φ(x) + φ(y)|².
func (k Kernel) JointSelfEval(x, y []byte) float64 { return stringkernel.JointByEval(k, x, y) }

// slideBits is the width up to which the k-mers of windows are counted in arrays indexed by the code, of at most 4 MB;
// wider ones are numbered by hashing.
const slideBits = 20

// TrackSelfTo writes k(w, w) of all windows w of x, exact integers below 2⁵³: see [compose.WindowNorms]. A k-mer that
// enters a window with n others like it raises Σ count² by 2n + 1, and one that leaves lowers it by as much: O(1) per
// window, for each length with Bounded.
func (k Kernel) TrackSelfTo(dst []float64, x []byte, window int) { k.slide(dst, window, x) }

// TrackJointSelfTo writes |φ(v) + φ(w)|² of the windows v of x and w of y in reverse order: see [compose.WindowNorms].
// The k-mers of both are counted together.
func (k Kernel) TrackJointSelfTo(dst []float64, x, y []byte, window int) { k.slide(dst, window, x, y) }

// StrandSymmetric reports true: the reverse complements of k-mers occur as often as the k-mers.
func (k Kernel) StrandSymmetric() bool { return true }

// slide writes Σ count² of all windows: of one sequence, or of one and of another read from its end.
func (k Kernel) slide(dst []float64, window int, seqs ...[]byte) {
	dst = dst[:len(seqs[0])-window+1]
	clear(dst)
	c := counters.Get().(*counter)
	defer counters.Put(c)
	for length := k.shortest(); length <= min(k.K, window); length++ {
		c.slideSquares(dst, newCoder(k.Alphabet, length), window-length+1, seqs)
	}
}

// slideSquares adds to dst Σ count² of the k-mers of one length in all windows of n places.
func (c *counter) slideSquares(dst []float64, coder coder, n int, seqs [][]byte) {
	places, width := len(dst)+n-1, coder.Bits*uint(coder.K)
	counts := c.identify(&coder, width, places, seqs)
	total := uint64(0)
	for p := range places {
		for s := range seqs {
			if id := c.ids[s*places+p]; id >= 0 {
				total += 2*uint64(counts[id]) + 1
				counts[id]++
			}
		}
		first := p - n + 1
		if first < 0 {
			continue
		}
		dst[first] += float64(total)
		for s := range seqs {
			if id := c.ids[s*places+first]; id >= 0 {
				counts[id]--
				total -= 2*uint64(counts[id]) + 1
			}
		}
	}
	for _, id := range c.ids { // of the last window
		if id >= 0 {
			counts[id] = 0
		}
	}
}

// identify sets c.ids[s·places + p] to a number of the k-mer at place p of sequence s, the second counted from its end,
// or −1 where there is none. It returns the counts to index with them, all 0.
func (c *counter) identify(coder *coder, width uint, places int, seqs [][]byte) []uint32 {
	total := places * len(seqs)
	c.ids = scratch.Resize(c.ids, total)
	direct := width <= slideBits
	if direct {
		c.reserveDirect(1 << width)
	} else {
		c.reserve(width, total)
	}
	for s, x := range seqs {
		ids := c.ids[s*places : (s+1)*places]
		for i := range ids {
			ids[i] = -1
		}
		for at, code := range coder.All(x) {
			id := int32(code)
			if !direct {
				id = int32(c.table.Number(code))
			}
			if s > 0 {
				at = places - 1 - at
			}
			ids[at] = id
		}
	}
	if !direct {
		c.reserveDirect(c.table.Len())
	}
	return c.direct
}
