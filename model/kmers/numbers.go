package kmers

import (
	"iter"
	"math/bits"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// numbering numbers k-mers of a length in alphabetical order: base σ, the first letter highest. Numbers fit 64 bits
// for every length that the kernels allow.
type numbering struct {
	codes   *[256]int16
	letters string // by code
	length  int
	top     uint64 // σ^(length−1)
	both    bool
}

func newNumbering(s *Scorer) numbering {
	n := numbering{codes: s.alphabet.Codes(), letters: s.alphabet.Letters(), length: s.length, top: 1, both: s.both}
	for range s.length - 1 {
		n.top *= uint64(len(n.letters))
	}
	return n
}

// count returns the number of k-mers, and false if that does not fit 64 bits.
func (n *numbering) count() (uint64, bool) {
	over, total := bits.Mul64(n.top, uint64(len(n.letters)))
	return total, over == 0
}

// appendKmer appends the letters of a k-mer.
func (n *numbering) appendKmer(dst []byte, number uint64) []byte {
	start := len(dst)
	dst = append(dst, make([]byte, n.length)...)
	for i := start + n.length - 1; i >= start; i-- {
		dst[i] = n.letters[number%uint64(len(n.letters))]
		number /= uint64(len(n.letters))
	}
	return dst
}

// canonical returns the k-mer that represents a k-mer: with both strands, the alphabetically first of it and its
// reverse complement.
func (n *numbering) canonical(number uint64) uint64 {
	if !n.both {
		return number
	}
	reverse, rest := uint64(0), number
	for range n.length {
		reverse = reverse<<2 | 3 - rest&3 // two bits a nucleotide
		rest >>= 2
	}
	return min(number, reverse)
}

// each calls visit for every k-mer of x, in order.
func (n *numbering) each(x []byte, visit func(number uint64)) {
	number, run := uint64(0), 0
	for _, b := range x {
		code := n.codes[b]
		if code == stringkernel.Outside {
			number, run = 0, 0
			continue
		}
		number = number%n.top*uint64(len(n.letters)) + uint64(code)
		if run++; run >= n.length {
			visit(number)
		}
	}
}

// blocks yields the k-mers among the first total that are their own canonical ones, in order, in lists for size each.
func (n *numbering) blocks(total, size uint64) iter.Seq[[]uint64] {
	return func(yield func([]uint64) bool) {
		for from := uint64(0); from < total; from += size {
			numbers := make([]uint64, 0, size)
			for number := from; number < min(from+size, total); number++ {
				if n.canonical(number) == number {
					numbers = append(numbers, number)
				}
			}
			if !yield(numbers) {
				return
			}
		}
	}
}
