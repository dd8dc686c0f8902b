package hadamard

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/simd"
	"github.com/seqsvm/seqsvm/internal/vectors"
)

// Strands convolves tables of words of nucleotides in which a word and its reverse complement count as one: half the
// work of a table of both, and for an odd length half the memory.
//
// Of a word, let a be the first half of the letters and c the reverse complement of the second, with the letter m
// between them if the length is odd. The reverse complement of the word has a and c exchanged, and the letter 3 − m. A
// function of Hamming distance does not mind that c stands for its reverse complement, so both strands together are a
// table added to its transpose. Of an odd length only the words with m < 2 have places, and stand for both.
type Strands struct {
	length int
	middle int // number of middle letters with places: 2 for an odd length, else 1
	tops   int // 4 to the number of all letters of a but the last three
}

// Blocks hold the last three letters of a and of c, 64 × 64 words, and 8 entries without meaning, so that blocks do not
// lie a power of two apart, where caches have room for a few.
const (
	side   = 64
	padded = block + 8
)

// LeastStrands is the least length of words that [NewStrands] has a layout for.
const LeastStrands = 6

// NewStrands returns the layout for words of a length of LeastStrands or more.
func NewStrands(length int) Strands {
	if length < LeastStrands {
		panic(fmt.Sprintf("hadamard: NewStrands(%d), want a length of %d or more", length, LeastStrands))
	}
	return Strands{length, 1 + length%2, 1 << (2 * (length/2 - LeastStrands/2))}
}

// Size returns the number of entries of a table: 4^length, or half of that if length is odd, and what separates blocks.
func (s Strands) Size() int { return s.middle * s.tops * s.tops * padded }

// Place returns the place in a table of a word, given its code and that of its reverse complement, two bits a letter.
// For an odd length it is that of the reverse complement too.
func (s Strands) Place(word, opposite uint64) uint32 {
	m, shift := 0, s.length&^1
	if s.middle == 2 {
		if word>>shift&2 != 0 {
			word, opposite = opposite, word
		}
		m = int(word >> shift & 1)
		shift += 2
	}
	a, c := word>>shift, opposite>>shift
	return uint32(s.at(m, int(a/side), int(c/side)) + int(a%side*side+c%side))
}

// at returns the place of the block of words with a middle letter and the first letters of a and of c.
func (s Strands) at(m, a, c int) int { return ((m*s.tops+a)*s.tops + c) * padded }

// Convolve replaces x by y, y_u = Σ_v h(d_H(u, v)) x_v, where u runs through the words of one strand and v through
// those of both, x_v being the same for a word and its reverse complement (for an even length, and a word that is its
// own reverse complement, twice the entry). eigen is Eigenvalues(4, length, h).
//
// O(length·4^length) additions, half of those of the function [Convolve], in place but for 128 KB per processor; it is
// like that function in all else.
func (s Strands) Convolve(ctx context.Context, x []float64, eigen []float64) (err error) {
	defer cancel.Catch(&err)
	if len(x) != s.Size() || len(eigen) != s.length+1 {
		panic(fmt.Sprintf("hadamard: Strands.Convolve with %d entries and %d eigenvalues, want %d and %d",
			len(x), len(eigen), s.Size(), s.length+1))
	}
	f := four{newScaling(s.length, eigen)}
	convolvePair := s.convolvePair
	if s.middle == 2 {
		convolvePair = s.convolvePairs
	}
	s.eachDigit(ctx, x, false, simd.Forward)
	parallel.EachContext(ctx, s.tops*(s.tops+1)/2, func(i int) {
		k := int(math.Sqrt(float64(2*i)+0.25) - 0.5) // pairs come by k, then j
		convolvePair(x, f, i-k*(k+1)/2, k)
	})
	s.eachDigit(ctx, x, true, simd.Backward)
	return nil
}

// eachDigit transforms the digits of the number of a block, from the highest on or from the lowest: for
// a few columns of all blocks with one middle letter, which fit into a cache, after the other.
func (s Strands) eachDigit(
	ctx context.Context, x []float64, up bool, transform func(x []float64, stride, columns, parts int),
) {
	const strip, strips = side, block / side // a row of each block
	blocks := s.tops * s.tops
	if blocks == 1 {
		return
	}
	parallel.EachContext(ctx, s.middle*strips, func(i int) {
		columns := x[i/strips*blocks*padded:][:blocks*padded][i%strips*strip:]
		for n := 1; n < blocks; n *= 4 {
			stride := n
			if !up {
				stride = blocks / (4 * n)
			}
			for j := range stride {
				transform(columns[j*padded:], stride*padded, strip, blocks/(4*stride))
			}
		}
	})
}

// quads lends the memory of four blocks.
var quads sync.Pool

// convolvePair convolves the two blocks, of which j and k are the first letters of a and c: their sum, one of them
// transposed.
func (s Strands) convolvePair(x []float64, f four, j, k int) {
	space := scratch.Borrow(&quads, 4*block)
	defer quads.Put(space)
	sum := (*space)[:block]
	one, other := x[s.at(0, j, k):][:block], x[s.at(0, k, j):][:block]
	simd.Transpose64(sum, other)
	vectors.Add(sum, one)
	f.convolveBlock(sum, uint(j*s.tops+k))
	copy(one, sum)
	if j < k {
		simd.Transpose64(other, sum)
	}
}

// convolvePairs is convolvePair for both middle letters with places: with their transposes, which are what the other
// middle letters have, they are four rows.
func (s Strands) convolvePairs(x []float64, f four, j, k int) {
	space := scratch.Borrow(&quads, 4*block)
	defer quads.Put(space)
	rows := *space
	one, other := x[s.at(0, j, k):][:block], x[s.at(0, k, j):][:block]
	one1, other1 := x[s.at(1, j, k):][:block], x[s.at(1, k, j):][:block]
	copy(rows, one)
	copy(rows[block:], one1)
	simd.Transpose64(rows[2*block:], other1)
	simd.Transpose64(rows[3*block:], other)
	f.convolve(rows, j*s.tops+k, 0)
	copy(one, rows)
	copy(one1, rows[block:])
	if j < k {
		simd.Transpose64(other1, rows[2*block:])
		simd.Transpose64(other, rows[3*block:])
	}
}
