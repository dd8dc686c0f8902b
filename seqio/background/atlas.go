package background

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/seqsvm/seqsvm/seqio/genome"
)

// Composition counts the letters of a piece of a genome.
type Composition struct {
	Letters int // all of them
	Unknown int // those that are not A, C, G or T, in either case
	GC      int // G and C, in either case
	Masked  int // a, c, g and t: soft-masked, which is how repeats are marked
}

// GCShare returns the share of G and C among the letters that are known, NaN if none is.
func (c Composition) GCShare() float64 { return float64(c.GC) / float64(c.Letters-c.Unknown) }

// RepeatShare returns the share of soft-masked letters among those that are known, NaN if none is.
func (c Composition) RepeatShare() float64 { return float64(c.Masked) / float64(c.Letters-c.Unknown) }

// Atlas knows the composition of every piece of a genome without its letters: three bits per base and their counts up
// to every 256th, 0.44 bytes per base in all. It is safe for concurrent use.
type Atlas struct {
	names  []string
	number map[string]int
	ends   []int // bases of all sequences before each, and of all
	blocks [][]block
}

// block is 256 bases of a sequence: for unknown letters, G and C, and soft-masked ones, a bit per base and the number
// of bases before the block.
type block struct {
	rank   [planes]uint32
	planes [planes][blockWords]uint64
}

const (
	planeUnknown = iota
	planeGC
	planeMasked
	planes

	blockWords = 4
	blockBases = 64 * blockWords
)

// planesOf holds the bits of each letter.
var planesOf = makePlanesOf()

func makePlanesOf() (table [256][planes]uint64) {
	for b := range table {
		table[b][planeUnknown] = 1
	}
	for _, b := range []byte("ACGTacgt") {
		table[b] = [planes]uint64{}
		if upper := b &^ ('a' - 'A'); upper == 'C' || upper == 'G' {
			table[b][planeGC] = 1
		}
		if b >= 'a' {
			table[b][planeMasked] = 1
		}
	}
	return table
}

// NewAtlas reads a genome once, from end to end. The genome must have been opened with softMask,
// otherwise it has no repeats. A sequence of 2³² letters or more is an error, and so is a genome without letters.
func NewAtlas(ctx context.Context, g *genome.Genome) (*Atlas, error) {
	a := &Atlas{names: g.Names(), number: map[string]int{}, ends: []int{0}}
	total := 0
	for i, name := range a.names {
		length, _ := g.Length(name)
		if length > math.MaxUint32 {
			return nil, fmt.Errorf("background: sequence %.80q has %d letters, want fewer than 2^32", name, length)
		}
		blocks, err := readBlocks(ctx, g, name, length)
		if err != nil {
			return nil, err
		}
		total += length
		a.number[name] = i
		a.blocks = append(a.blocks, blocks)
		a.ends = append(a.ends, total)
	}
	if total == 0 {
		return nil, fmt.Errorf("background: the genome has no letters")
	}
	return a, nil
}

// readBlocks reads one sequence.
func readBlocks(ctx context.Context, g *genome.Genome, name string, length int) ([]block, error) {
	blocks := make([]block, length/blockBases+1) // one more than needed, or room in the last, for counts up to the end
	var counts [planes]uint32
	var letters []byte
	const chunk = 1 << 20 // a multiple of blockBases
	for start := 0; start < length; start += chunk {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var err error
		if letters, err = g.AppendSlice(letters[:0], name, start, min(length, start+chunk)); err != nil {
			return nil, err
		}
		k := start / blockBases
		for piece := range slices.Chunk(letters, blockBases) {
			blocks[k].rank = counts
			blocks[k].fill(piece, &counts)
			k++
		}
	}
	if length%blockBases == 0 {
		blocks[len(blocks)-1].rank = counts
	}
	return blocks, nil
}

// fill sets the bits of at most 256 letters, and counts them.
func (b *block) fill(letters []byte, counts *[planes]uint32) {
	for i, letter := range letters {
		for p, bit := range &planesOf[letter] {
			b.planes[p][i/64] |= bit << (i % 64)
		}
	}
	for p := range counts {
		for _, word := range b.planes[p] {
			counts[p] += uint32(bits.OnesCount64(word))
		}
	}
}

// Length returns the number of letters of a sequence, and false if the genome has none of that name.
func (a *Atlas) Length(name string) (int, bool) {
	s, found := a.number[name]
	if !found {
		return 0, false
	}
	return a.length(s), true
}

// bases returns the number of letters of all sequences.
func (a *Atlas) bases() int { return a.ends[len(a.ends)-1] }

// length returns the number of letters of a sequence by its number.
func (a *Atlas) length(s int) int { return a.ends[s+1] - a.ends[s] }

// Composition counts the letters of a piece of a sequence, which must be in the genome, and the piece within it. O(1).
func (a *Atlas) Composition(name string, piece genome.Span) Composition {
	return a.composition(a.number[name], piece)
}

func (a *Atlas) composition(s int, piece genome.Span) Composition {
	before, to := a.before(s, piece.Start), a.before(s, piece.End)
	return Composition{
		Letters: piece.Len(),
		Unknown: int(to[planeUnknown] - before[planeUnknown]),
		GC:      int(to[planeGC] - before[planeGC]),
		Masked:  int(to[planeMasked] - before[planeMasked]),
	}
}

// before counts the bits of the first n letters of a sequence.
func (a *Atlas) before(s, n int) (counts [planes]uint32) {
	b := &a.blocks[s][n/blockBases]
	counts = b.rank
	word, mask := n%blockBases/64, uint64(1)<<(n%64)-1
	for p := range counts {
		for _, bitsOfWord := range b.planes[p][:word] {
			counts[p] += uint32(bits.OnesCount64(bitsOfWord))
		}
		counts[p] += uint32(bits.OnesCount64(b.planes[p][word] & mask))
	}
	return counts
}

// place returns the sequence and the letter of base number p of the genome, counted over all sequences.
func (a *Atlas) place(p int) (s, letter int) {
	after, _ := slices.BinarySearch(a.ends, p+1)
	return after - 1, p - a.ends[after-1]
}
