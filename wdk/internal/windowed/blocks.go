package windowed

import (
	"sync/atomic"

	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/simd"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Blocks holds the planes of windows of one length, eight windows a block, for [simd.AddDegrees]. The last plane is
// there only if a window has a letter outside the alphabet.
type Blocks struct {
	Planes
	n    int
	kept int // words of a window: b·W or (b+1)·W
	bits []uint64
}

// New encodes a corpus of windows of one length, 8·b·W bytes each, or 8·(b+1)·W if a letter is outside the alphabet: 48
// or 72 bytes of DNA for up to 192 bases.
func New(a stringkernel.Alphabet, c *stringkernel.Corpus, length int) *Blocks {
	b := &Blocks{Planes: Layout(a, length), n: c.Len()}
	b.kept = b.Depth * b.Words
	if b.anyOutside(c) {
		b.kept = b.Size()
	}
	blocks := (b.n + simd.WindowsAtOnce - 1) / simd.WindowsAtOnce
	b.bits = make([]uint64, blocks*simd.WindowsAtOnce*b.kept)
	parallel.For(blocks, func(lo, hi int) {
		one := make([]uint64, b.Size())
		for i := lo * simd.WindowsAtOnce; i < min(hi*simd.WindowsAtOnce, b.n); i++ {
			b.Encode(one, c.Seq(i))
			first := b.first(i)
			for at, bits := range one[:b.kept] {
				b.bits[first+simd.WindowsAtOnce*at] = bits
			}
		}
	})
	return b
}

// anyOutside reports whether a window has a letter outside the alphabet.
func (b *Blocks) anyOutside(c *stringkernel.Corpus) bool {
	var found atomic.Bool
	parallel.Each(c.Len(), func(i int) {
		for _, letter := range c.Seq(i) {
			if b.values[letter]>>b.Depth != 0 {
				found.Store(true)
				return
			}
		}
	})
	return found.Load()
}

// first returns where the first word of window i is.
func (b *Blocks) first(i int) int {
	lane := i % simd.WindowsAtOnce
	return (i-lane)*b.kept + lane
}

// AddDegrees adds by·Σ_{k ≤ d} (d − k + 1)·c_k to dst[j − lo] for windows j from lo on, a multiple of
// [simd.WindowsAtOnce]; c_k is the number of positions from which on k letters of window j and of x match. x is
// encoded, masks is space for (simd.WindowsAtOnce + 1)·W words.
func (b *Blocks) AddDegrees(dst []float64, lo int, x, masks []uint64, d int, by float64) {
	size := simd.WindowsAtOnce * b.kept
	blocks := (len(dst) + simd.WindowsAtOnce - 1) / simd.WindowsAtOnce
	simd.AddDegrees(dst, x, b.bits[lo*b.kept:][:blocks*size], masks, b.Words, d, by)
}

// Match writes into mask, W words, the positions at which x, encoded, and window j agree; y is space for Size words.
func (b *Blocks) Match(mask, x, y []uint64, j int) {
	clear(y[b.kept:])
	first := b.first(j)
	for at := range b.kept {
		y[at] = b.bits[first+simd.WindowsAtOnce*at]
	}
	b.Planes.Match(mask, x, y)
}
