package spectrum

import (
	"context"
	"iter"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// coder lists the k-mers of sequences, and with Bounded the shorter ones at the ends of runs.
type coder struct{ kmer.Coder }

func newCoder(a stringkernel.Alphabet, k int) coder { return coder{kmer.New(a, k)} }

// pieceLetters is how many k-mers of a long sequence are listed at a time: a list of all takes 8 bytes per letter.
const pieceLetters = 1 << 16

// eachPiece calls visit with the codes of the k-mers of x, in order, in pieces of up to pieceLetters. A sequence of one
// piece has its codes listed in *list, and only if again is not set: they are there from the call before.
func (c *coder) eachPiece(list *[]uint64, x []byte, again bool, visit func(codes []uint64)) {
	if len(x) < pieceLetters+c.K {
		if !again {
			*list = c.Append((*list)[:0], x)
		}
		visit(*list)
		return
	}
	for lo := 0; lo < len(x); lo += pieceLetters {
		*list = c.Append((*list)[:0], x[lo:min(lo+pieceLetters+c.K-1, len(x))])
		visit(*list)
	}
}

// tail is a k-mer that ends where a run of letters ends and is shorter than K.
type tail struct {
	code   uint64 // in the low Bits·length bits
	length int
}

// tails yields, for every run of letters of x, its k-mers of K−1, …, 1 letters that end with the run, each with its
// position: the starts at which no k-mer fits. With the k-mers they are one longest k-mer per position. O(len(x)).
func (c *coder) tails(ctx context.Context, x []byte) iter.Seq2[int, tail] {
	return func(yield func(int, tail) bool) {
		for lo, hi := range c.runs(ctx, x) {
			code, longest := uint64(0), min(hi-lo, c.K-1)
			for _, b := range x[hi-longest : hi] {
				code = code<<(c.Bits&63) | uint64(c.Letter[b])
			}
			for l := longest; l >= 1; l-- {
				if !yield(hi-l, tail{code & kmer.LowBits(c.Bits*uint(l)), l}) {
					return
				}
			}
		}
	}
}

// runs yields the bounds of the longest pieces of x that are letters alone.
func (c *coder) runs(ctx context.Context, x []byte) iter.Seq2[int, int] {
	return func(yield func(lo, hi int) bool) {
		for lo := 0; lo < len(x); lo++ {
			hi := lo
			for hi < len(x) {
				cancel.Check(ctx)
				piece := x[hi:min(hi+pieceLetters, len(x))]
				letters := c.Letters(piece)
				if hi += letters; letters < len(piece) {
					break
				}
			}
			if hi > lo && !yield(lo, hi) {
				return
			}
			lo = hi
		}
	}
}
