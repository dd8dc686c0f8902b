package kmer

import (
	"context"
	"iter"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
)

// pieceLetters is how many k-mers of a long sequence are listed at a time: a list of all takes 8 bytes per letter.
const pieceLetters = 1 << 16

// EachPiece calls visit with the codes of the k-mers of x, in order, in pieces of up to 2¹⁶. A sequence of one piece
// has its codes listed in *list, and only if again is not set: they are there from the call before.
func (c *Coder) EachPiece(list *[]uint64, x []byte, again bool, visit func(codes []uint64)) {
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

// sorting is the codes of a sequence, and space to sort them.
type sorting struct{ codes, space []uint64 }

var sortings = sync.Pool{New: func() any { return new(sorting) }}

// EachCount calls visit with the codes of the distinct k-mers of x, ascending, and how often each occurs.
func (c *Coder) EachCount(x []byte, visit func(code uint64, count int)) {
	s := sortings.Get().(*sorting)
	defer sortings.Put(s)
	s.codes = c.Append(s.codes[:0], x)
	Sort(s.codes, 0, c.Bits*uint(c.K), &s.space)
	for lo, hi := 0, 0; lo < len(s.codes); lo = hi {
		code := s.codes[lo]
		for hi = lo + 1; hi < len(s.codes) && s.codes[hi] == code; hi++ {
		}
		visit(code, hi-lo)
	}
}

// Tail is a k-mer that ends where a run of letters ends and is shorter than K.
type Tail struct {
	Code   uint64 // in the low Bits·Length bits
	Length int
}

// Tails yields, for every run of letters of x, its k-mers of K−1, …, 1 letters that end with the run, each with its
// position: the starts at which no k-mer fits. With the k-mers they are one longest k-mer per position. O(len(x)).
func (c *Coder) Tails(ctx context.Context, x []byte) iter.Seq2[int, Tail] {
	return func(yield func(int, Tail) bool) {
		for lo, hi := range c.Runs(ctx, x) {
			code, longest := uint64(0), min(hi-lo, c.K-1)
			for _, b := range x[hi-longest : hi] {
				code = code<<(c.Bits&63) | uint64(c.Letter[b])
			}
			for l := longest; l >= 1; l-- {
				if !yield(hi-l, Tail{code & LowBits(c.Bits*uint(l)), l}) {
					return
				}
			}
		}
	}
}

// Runs yields the bounds of the longest pieces of x that are letters alone.
func (c *Coder) Runs(ctx context.Context, x []byte) iter.Seq2[int, int] {
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
