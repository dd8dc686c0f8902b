package oligo

import (
	"context"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/ends"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// cells are the distinct pairs of a k-mer and a position in a corpus, ordered by k-mer and position. K-mers are
// numbered by first occurrence.
type cells struct {
	kmers  numbers
	starts []uint32 // the cells of k-mer w are starts[w] … starts[w+1]−1
	kmer   []uint32 // of a cell
	at     []uint32 // of a cell
	places []uint32 // the cell of every occurrence, sequence after sequence
	ends   []int    // ends[i] is one past the occurrences of sequence i in places
	length int      // 1 + the last position of a k-mer, 0 without k-mers
}

// newCells lists the cells of a corpus of fewer than 2³¹ letters, in linear time: occurrences are sorted by position
// and then by k-mer, each in one stable pass of counting.
func newCells(ctx context.Context, k Kernel, c *stringkernel.Corpus) cells {
	t := cells{kmers: newNumbers(k), ends: make([]int, c.Len())}
	var number, at, order []uint32 // of every occurrence
	coder := k.coder()
	for i := range c.Len() {
		cancel.Check(ctx)
		for p, code := range coder.All(c.Seq(i)) {
			order = append(order, uint32(len(order)))
			number, at = append(number, t.kmers.add(code)), append(at, uint32(p))
			t.length = max(t.length, p+1)
		}
		t.ends[i] = len(number)
	}
	order = sortedByKey(ctx, sortedByKey(ctx, order, at, t.length), number, len(t.kmers.codes))
	t.places = make([]uint32, len(number))
	for _, o := range cancel.All(ctx, order) {
		if last := len(t.at) - 1; last < 0 || t.kmer[last] != number[o] || t.at[last] != at[o] {
			if last < 0 || t.kmer[last] != number[o] {
				t.starts = append(t.starts, uint32(len(t.at)))
			}
			t.kmer, t.at = append(t.kmer, number[o]), append(t.at, at[o])
		}
		t.places[o] = uint32(len(t.at) - 1)
	}
	t.starts = append(t.starts, uint32(len(t.at)))
	return t
}

// of returns the cells of the occurrences in sequence i.
func (t *cells) of(i int) []uint32 {
	lo, hi := ends.Bounds(t.ends, i)
	return t.places[lo:hi]
}

// spread adds a·exp(−d²/4σ²) to the entry in sums of each cell of the same k-mer at a distance d within reach.
func (t *cells) spread(sums, bells []float64, cell uint32, a float64) {
	first, end := t.starts[t.kmer[cell]], t.starts[t.kmer[cell]+1]
	centre := t.at[cell]
	sums[cell] += a
	for c := cell + 1; c < end; c++ {
		d := t.at[c] - centre
		if int(d) >= len(bells) {
			break
		}
		sums[c] += float64(a * bells[d])
	}
	for c := cell; c > first; c-- {
		d := centre - t.at[c-1]
		if int(d) >= len(bells) {
			break
		}
		sums[c-1] += float64(a * bells[d])
	}
}

// sortedByKey returns items in ascending order of key[item] < bound, keeping the order of equal ones.
func sortedByKey(ctx context.Context, items, key []uint32, bound int) []uint32 {
	next := make([]uint32, bound+1) // next[k+1] counts the items of key k; next[k] is then the place of the next one
	for _, item := range items {
		next[key[item]+1]++
	}
	for k := range bound {
		next[k+1] += next[k]
	}
	sorted := make([]uint32, len(items))
	for _, item := range cancel.All(ctx, items) {
		k := key[item]
		sorted[next[k]] = item
		next[k]++
	}
	return sorted
}

// numbers numbers k-mers 0, 1, … as they are added: by an array if the alphabet has few k-mers of that length, else by
// hashing.
type numbers struct {
	direct []uint32 // 1 + the number
	sparse map[uint64]uint32
	codes  []uint64 // by number
}

// directBits is the largest width of a code that indexes an array: 4 MB.
const directBits = 20

func newNumbers(k Kernel) numbers {
	if width := k.K * k.Alphabet.Bits(); width <= directBits {
		return numbers{direct: make([]uint32, 1<<width)}
	}
	return numbers{sparse: map[uint64]uint32{}}
}

// add returns the number of a k-mer, a new one if it has none.
func (n *numbers) add(code uint64) uint32 {
	number, known := n.find(code)
	if known {
		return number
	}
	n.codes = append(n.codes, code)
	number = uint32(len(n.codes))
	if n.direct != nil {
		n.direct[code] = number
	} else {
		n.sparse[code] = number
	}
	return number - 1
}

// find returns the number of a k-mer, if it has one.
func (n *numbers) find(code uint64) (number uint32, known bool) {
	if n.direct != nil {
		number = n.direct[code]
	} else {
		number = n.sparse[code]
	}
	return number - 1, number > 0
}
