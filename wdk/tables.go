package wdk

import (
	"context"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// tables are the products of a kernel with shifts and short words, of many windows. With c_p(u) the sum of v over the
// windows that have the k-mer u at position p,
//
//	(K·v)_j = unit · Σ_q Σ_{k ≤ d} w_k C_q(k-mer of window j at q),   C_q(u) = Σ_{|p−q| ≤ S} T_pq c_p(u).
//
// A table has an entry for every k-mer of 1 … d letters, or of as many as a word has where none is shorter. Only the
// tables of a few positions and the S on either side are there at a time, and of the windows the number of the word at
// each position, 2 bytes: shifts take no more.
type tables struct {
	kernel    Kernel
	n, length int
	most      int           // the largest shift possible for this length
	ladder    ladder        // of k-mers
	codes     []uint16      // codes[p·n + i] is that of the word of window i at position p, unless that is short
	short     [][]shortWord // by position: words that end before a letter outside the alphabet
	counting  int           // the most entries of c_p
	pool      sync.Pool     // *[]float64: memory of a product
}

// together is the number of positions q whose C_q are added at a time: each c_p is then read once for all of them.
const together = 4

// shortWord is a word of fewer letters than there are up to the end of a window or d.
type shortWord struct {
	window int32
	entry  int32 // of a table; −1 of no letters
}

// codeBits is the greatest number of bits of a word in a table.
const codeBits = 16

// tabulated reports whether products of n windows with shifts are by tables: where a tree for each shift takes more
// time and memory.
func (k Kernel) tabulated(n int) bool {
	const windowsOf = 4 // entries for each window, at most
	bits := k.Alphabet.Bits() * k.D
	return k.Shift > 0 && bits <= codeBits && 1<<bits <= windowsOf*n
}

// tableBytes returns the memory of the tables of a product.
func (k Kernel) tableBytes(length int) float64 {
	l := newLadder(k.Alphabet.Bits(), k.D)
	return 8 * float64(l.size(k.D)*2*(min(k.Shift, length)+together))
}

// newTables reads the words of all windows. O(nL).
func newTables(ctx context.Context, k Kernel, c *stringkernel.Corpus, length int) *tables {
	t := &tables{
		kernel: k, n: c.Len(), length: length, most: min(k.Shift, max(0, length-1)),
		ladder: newLadder(k.Alphabet.Bits(), k.D),
		codes:  make([]uint16, length*c.Len()), short: make([][]shortWord, length),
	}
	const windows = 32 // whose codes at a position are a line of the cache
	for lo := 0; lo < t.n; lo += windows {
		cancel.Check(ctx)
		t.read(c, lo, min(lo+windows, t.n))
	}
	t.counting = t.ladder.size(k.D) - t.ladder.start[k.D]
	for _, short := range t.short {
		if len(short) > 0 {
			t.counting = t.ladder.size(k.D)
		}
	}
	return t
}

// read reads the words of windows lo … hi−1, from right to left.
func (t *tables) read(c *stringkernel.Corpus, lo, hi int) {
	letters, bits, d := t.kernel.Alphabet.Codes(), t.ladder.bits, t.kernel.D
	words, lengths := make([]uint, hi-lo), make([]int, hi-lo) // the next d letters, the first one highest
	for p := t.length - 1; p >= 0; p-- {
		whole := t.depth(p)
		for i := lo; i < hi; i++ {
			word, length := &words[i-lo], &lengths[i-lo]
			letter := letters[c.Seq(i)[p]]
			if letter == stringkernel.Outside {
				*word, *length = 0, 0
			} else {
				*word, *length = uint(letter)<<(bits*(d-1))|*word>>bits, min(*length+1, d)
			}
			t.codes[p*t.n+i] = uint16(*word >> (bits * (d - whole)))
			if *length < whole {
				entry := -1
				if *length > 0 {
					entry = t.ladder.start[*length] + int(*word>>(bits*(d-*length)))
				}
				t.short[p] = append(t.short[p], shortWord{int32(i), int32(entry)})
			}
		}
	}
}

// depth returns the length of the words at a position that no letter outside the alphabet ends.
func (t *tables) depth(p int) int { return min(t.kernel.D, t.length-p) }

// eachRun calls whole with the runs of windows lo … hi−1 whose words at a position are not short, and short with the
// others that have a word.
func (t *tables) eachRun(p, lo, hi int, whole func(lo, hi int), short func(i, entry int)) {
	for _, w := range t.short[p] {
		i := int(w.window)
		if i < lo {
			continue
		}
		if i >= hi {
			break
		}
		whole(lo, i)
		if w.entry >= 0 {
			short(i, int(w.entry))
		}
		lo = i + 1
	}
	whole(lo, hi)
}

// MulVecTo writes K·v.
func (t *tables) MulVecTo(dst, v []float64) {
	clear(dst)
	memory := scratch.Borrow(&t.pool, t.workSize())
	defer t.pool.Put(memory)
	s := t.cut(*memory)
	counted := 0
	for first := 0; first < t.length; first += together {
		end := min(first+together, t.length)
		upTo := min(end+t.most, t.length)
		parallel.Each(upTo-counted, func(i int) { t.count(s.countsAt(counted+i), v, counted+i) })
		counted = upTo
		t.spread(s, first, end)
		parallel.Each(end-first, func(i int) { t.fold(s.values[i], first+i) })
		parallel.For(t.n, func(lo, hi int) {
			for q := first; q < end; q++ {
				t.gather(dst, s.values[q-first], q, lo, hi)
			}
		})
	}
	for i, unit := 0, t.kernel.unit(); i < len(dst); i++ {
		dst[i] *= unit
	}
}

// count adds v to the words at a position.
func (t *tables) count(counts, v []float64, p int) {
	clear(t.counted(counts, p))
	level, codes := t.countsOf(counts, p, t.depth(p)), t.codes[p*t.n:][:t.n]
	t.eachRun(p, 0, t.n, func(lo, hi int) {
		v := v[lo:hi]
		for i, code := range codes[lo:hi] {
			level[code] += v[i]
		}
	}, func(i, entry int) { counts[entry] += v[i] })
}

// gather adds the values of the words at a position to windows lo … hi−1.
func (t *tables) gather(dst, table []float64, p, lo, hi int) {
	level, codes := t.ladder.level(table, t.depth(p)), t.codes[p*t.n:][:t.n]
	t.eachRun(p, lo, hi, func(lo, hi int) {
		dst := dst[lo:hi]
		for i, code := range codes[lo:hi] {
			dst[i] += level[code]
		}
	}, func(i, entry int) { dst[i] += table[entry] })
}
