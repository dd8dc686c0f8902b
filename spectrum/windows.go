package spectrum

import (
	"context"

	"github.com/seqsvm/seqsvm/internal/countof"
	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// TrackTo writes score m of all windows of x: see [stringkernel.Tracker]. Each k-mer is looked up once, and a window is
// a sliding sum of the k-mers that lie within it: O(1) per window. With Bounded the k-mers that a window's end cuts
// short are looked up too: one look-up for k-mers in arrays, else O(K).
func (s *scorer) TrackTo(dst []float64, m int, x []byte, window int) {
	s.prepare()
	if window < s.kernel.K {
		stringkernel.TrackEach(dst, s, m, x, window)
		return
	}
	values := scratch.Borrow(&scratch.Pool, len(x))
	defer scratch.Pool.Put(values)
	v := *values
	s.valuesTo(v, m, x)
	stringkernel.SlidingSumsTo(dst, v[:len(x)-s.kernel.K+1], window-s.kernel.K+1)
	if s.kernel.Bounded {
		s.addCutWords(dst, m, x, v, window)
	}
}

// valuesTo writes for each position of x the value for output m of the k-mer that begins there, of K letters or, with
// Bounded, of as many as its run has left; 0 where there is none.
func (s *scorer) valuesTo(v []float64, m int, x []byte) {
	clear(v)
	switch {
	case s.dense == s.kernel.K:
		s.valuesByTable(v, m, x)
	case s.outputs == 1:
		s.valuesByBlocks(v, x)
	default:
		s.valuesByRows(v, m, x)
	}
	if s.kernel.Bounded {
		for at, t := range s.coder.tails(context.Background(), x) {
			v[at] = s.value(t.code, t.length, m)
		}
	}
}

func (s *scorer) valuesByTable(v []float64, m int, x []byte) {
	top, outputs := s.tables[s.dense][m:], uint64(s.outputs)
	for at, code := range s.coder.All(x) {
		v[at] = top[code*outputs]
	}
}

// valuesByBlocks is for one output where some k-mers are found by lookup.
func (s *scorer) valuesByBlocks(v []float64, x []byte) {
	var (
		b  block
		at [blockSize]int // the position of each k-mer
	)
	flush := func() {
		s.evaluate(&b)
		for i, value := range b.values[:b.n] {
			v[at[i]] = value
		}
		b.n = 0
	}
	for p, code := range s.coder.All(x) {
		b.codes[b.n], at[b.n] = code, p
		if b.n++; b.n == blockSize {
			flush()
		}
	}
	flush()
}

func (s *scorer) valuesByRows(v []float64, m int, x []byte) {
	for at, code := range s.coder.All(x) {
		v[at] = s.value(code, s.kernel.K, m)
	}
}

// value returns the value of a k-mer for an output.
func (s *scorer) value(code uint64, length, m int) float64 {
	if table := s.tables[length]; table != nil {
		return table[int(code)*s.outputs+m]
	}
	if row := s.row(code, length); row != nil {
		return row[m]
	}
	return 0
}

// addCutWords adds to the score of each window its last K − 1 k-mers: those that its end cuts short, and those of runs
// that end before.
func (s *scorer) addCutWords(dst []float64, m int, x []byte, v []float64, window int) {
	most := s.coder.K - 1
	table := s.cutTable(m)
	code, run := uint64(0), 0
	for p, b := range x {
		d := s.coder.Letter[b]
		code = code<<(s.coder.Bits&63) | uint64(d)
		if run++; d < 0 {
			run = 0
		}
		end := p + 1
		switch {
		case end < window:
			continue
		case table != nil && run >= most:
			dst[end-window] += table[code&kmer.LowBits(s.coder.Bits*uint(most))]
			continue
		}
		sum, cut := 0.0, min(run, most)
		for length := 1; length <= cut; length++ {
			sum += s.value(code&kmer.LowBits(s.coder.Bits*uint(length)), length, m)
		}
		for _, value := range v[end-most : end-cut] {
			sum += value
		}
		dst[end-window] += sum
	}
}

// cutBits bounds the width of the k-mers of a cutTable, which takes 8 MB then.
const cutBits = 20

// cutTable returns for each k-mer of K − 1 letters the sum of its own value and those of its shorter ends, for an
// output: what a window that ends just after it adds. It is made when first asked for, and nil if the k-mers
// are not all in arrays.
func (s *scorer) cutTable(m int) []float64 {
	longest := s.coder.K - 1
	if s.dense < longest || longest < 1 || s.coder.Bits*uint(longest) > cutBits {
		return nil
	}
	if made, ok := s.cuts.Load(m); ok {
		return made.([]float64)
	}
	var ends []float64
	for length := 1; length <= longest; length++ {
		longer := make([]float64, 1<<(s.coder.Bits*uint(length)))
		for code := range longer {
			longer[code] = s.tables[length][code*s.outputs+m]
			if length > 1 {
				longer[code] += ends[code&(len(ends)-1)]
			}
		}
		ends = longer
	}
	made, _ := s.cuts.LoadOrStore(m, ends)
	return made.([]float64)
}

// slideBits is the width up to which the k-mers of windows are counted in arrays indexed by the code, of at most 4 MB;
// wider ones are numbered by hashing.
const slideBits = 20

// WindowNorms returns k, or nil with TFIDF: where a model was read its scorer knows the document frequencies, the
// kernel does not.
func (k Kernel) WindowNorms() compose.WindowNorms {
	if k.TFIDF {
		return nil
	}
	return k
}

// TrackSelfTo writes k(w, w) of all windows w of x, exact integers below 2⁵³: see [compose.WindowNorms]. A k-mer that
// enters a window with n others like it raises Σ count² by 2n + 1, and one that leaves lowers it by as much: O(1) per
// window, for each length with Bounded.
func (k Kernel) TrackSelfTo(dst []float64, x []byte, window int) {
	if k.TFIDF {
		for p := range dst[:len(x)-window+1] {
			dst[p] = k.SelfEval(x[p : p+window])
		}
		return
	}
	if !k.Count.Linear() {
		values := countof.New(k.Count)
		k.track(dst, x, window, values.Square, func(uint64, int) float64 { return 1 })
		return
	}
	k.slide(dst, window, x)
}

// TrackJointSelfTo writes |φ(v) + φ(w)|² of the windows v of x and w of y in reverse order: see [compose.WindowNorms].
// The k-mers of both are counted together.
func (k Kernel) TrackJointSelfTo(dst []float64, x, y []byte, window int) {
	if k.weighs() {
		stringkernel.TrackJointByEval(k, dst, x, y, window)
		return
	}
	k.slide(dst, window, x, y)
}

// StrandSymmetric reports whether k(x, x) is a whole number: the reverse complements of k-mers occur as often as the
// k-mers.
func (k Kernel) StrandSymmetric() bool {
	return !k.TFIDF && (k.Count.Linear() || k.Count == stringkernel.CountPresence)
}

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
		c.table.Reset(2 * total)
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

// track writes a sum over the k-mers of each window: the value of the count times the weight of the k-mer, given by its
// code and length. A k-mer that enters or leaves a window changes its count: O(1) per window for each length.
func (k Kernel) track(
	dst []float64, x []byte, window int, value func(n uint32) float64, weight func(code uint64, length int) float64,
) {
	dst = dst[:len(x)-window+1]
	clear(dst)
	seqs := [][]byte{x}
	if k.rc {
		seqs = append(seqs, k.Alphabet.ReverseComplementTo(nil, x))
	}
	c := counters.Get().(*counter)
	defer counters.Put(c)
	sums, raises := make([]float64, len(dst)), []float64(nil)
	for length := k.shortest(); length <= min(k.K, window); length++ {
		coder, places := newCoder(k.Alphabet, length), len(x)-length+1
		counts := c.identify(&coder, coder.Bits*uint(length), places, seqs)
		weights := make([]float64, len(counts))
		for s, y := range seqs {
			for at, code := range coder.All(y) {
				if s > 0 {
					at = 2*places - 1 - at
				}
				weights[c.ids[at]] = weight(code, length)
			}
		}
		slideTo(sums, window-length+1, places, c.ids, counts, func(id int32, n uint32) float64 {
			for len(raises) <= int(n) {
				m := uint32(len(raises))
				raises = append(raises, value(m+1)-value(m))
			}
			return float64(raises[n] * weights[id])
		})
		for i, sum := range sums {
			dst[i] += sum
		}
	}
}

// slideTo writes a sum over the features in each window of n places. ids are those of the features at each place of one
// sequence after another, −1 where there is none; counts, by id, are zero before and after; raise returns what an
// occurrence of a feature adds where n are there. What comes and goes is added to twice the digits, so that no window
// sees the rounding of those before.
func slideTo(dst []float64, n, places int, ids []int32, counts []uint32, raise func(id int32, n uint32) float64) {
	sum, rest := 0.0, 0.0
	add := func(value float64) {
		s := sum + value
		part := s - sum
		rest += (sum - (s - part)) + (value - part)
		sum = s
	}
	for p := range places {
		for at := p; at < len(ids); at += places {
			if id := ids[at]; id >= 0 {
				add(raise(id, counts[id]))
				counts[id]++
			}
		}
		first := p - n + 1
		if first < 0 {
			continue
		}
		dst[first] = sum + rest
		for at := first; at < len(ids); at += places {
			if id := ids[at]; id >= 0 {
				counts[id]--
				add(-raise(id, counts[id]))
			}
		}
	}
	for _, id := range ids { // of the last window
		if id >= 0 {
			counts[id] = 0
		}
	}
}
