package gapped

import (
	"cmp"
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// K-mers that 64 bits do not hold, of 13 amino acids or 9 bytes and more, are compared where they lie: along each
// diagonal of two sequences the number of matches under a window of l letters takes a step per letter. Values are
// counted pair by pair, in O(|x|·|y|) whatever l and h are, and are all there is: products are of rows, and scores of
// values with the support vectors.

// mostWide is the length of the longest k-mers.
const mostWide = 32

// checkLength returns an error unless the alphabet is known and l is in range.
func checkLength(a stringkernel.Alphabet, l int) error {
	if err := a.Check(); err != nil {
		return err
	}
	if l < 1 || l > mostWide {
		return fmt.Errorf("l = %d, want 1…%d for alphabet %s", l, mostWide, cmp.Or(a, stringkernel.Bytes))
	}
	return nil
}

// wide reports whether k-mers are longer than codes.
func (e *engine) wide() bool { return e.coder.length > kmer.MaxK(e.alphabet) }

// evalWide counts pairs of k-mers by distance. Those of one that a letter breaks are counted apart, and forgotten.
func (e *engine) evalWide(ctx context.Context, x, y []byte) float64 {
	l := e.coder.length
	if min(len(x), len(y)) < l {
		return 0
	}
	places := [2]*[]float64{scratch.Borrow(&scratch.Pool, len(x)), scratch.Borrow(&scratch.Pool, len(y))}
	for i, z := range [2][]byte{x, y} {
		e.weighWide(*places[i], z)
		defer scratch.Pool.Put(places[i])
	}
	var counts [mostWide + 1]float64
	for s := l - len(y); s <= len(x)-l; s++ {
		cancel.Check(ctx)
		i, j := max(0, s), max(0, -s)
		n := min(len(x)-i, len(y)-j)
		countWide(&counts, l, e.reach, x[i:i+n], y[j:j+n], (*places[0])[i:i+n], (*places[1])[j:j+n])
	}
	return e.total(counts[:l+1])
}

// weighWide writes the weight of the k-mer that ends at each letter of x, 0 where none does. Through a function each
// place of a k-mer has an equal share of its weight.
func (e *engine) weighWide(dst []float64, x []byte) {
	l, run, counts := e.coder.length, 0, map[string]int{}
	for p, b := range x {
		dst[p] = 0
		if run++; e.coder.kmers.Letter[b] < 0 {
			run = 0
		}
		if run >= l {
			dst[p] = e.centre.weight(p-l+1, len(x)-l+1)
			if e.counted() {
				counts[string(x[p+1-l:p+1])]++
			}
		}
	}
	for p := range x {
		if dst[p] != 0 && e.counted() {
			n := counts[string(x[p+1-l:p+1])]
			dst[p] = e.weights.of(e.weightOf(0, n)) / float64(n)
		}
	}
}

// countWide adds the pairs of k-mers of a diagonal within reach to the counts of their distances, times their weights.
func countWide(counts *[mostWide + 1]float64, l, reach int, x, y []byte, u, v []float64) {
	y, u, v = y[:len(x)], u[:len(x)], v[:len(x)]
	distance := 0
	for p, a := range x[:l-1] {
		distance += differ(a, y[p])
	}
	for p := l - 1; p < len(x); p++ {
		distance += differ(x[p], y[p])
		if distance <= reach {
			counts[distance] += float64(u[p] * v[p])
		}
		distance -= differ(x[p-l+1], y[p-l+1])
	}
}

// differ returns 0 for equal letters, else 1.
func differ(a, b byte) int { return int((uint32(a^b) + 0xff) >> 8) }

// wideKernel has the values of an engine alone.
type wideKernel struct{ *engine }

// Eval returns k(x, y).
func (k wideKernel) Eval(x, y []byte) float64 { return k.eval(x, y) }
