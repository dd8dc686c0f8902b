package wdk

import (
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/vectors"
)

// folding builds what belongs to one position q: its table, and the tails below it.
type folding struct {
	scorer   *scorer
	position int
	heads    []uint64 // per k-mer of a support vector: its first letters, packed
	words    []word
	sums     []float64 // per k-mer, outputs each: coefficients times the weight of the position

	trie trie
	ways []way // stack of the forks being built
}

// begin empties what was built for another position, but for the memory.
func (f *folding) begin(position int) {
	f.position, f.words, f.sums, f.ways = position, f.words[:0], f.sums[:0], f.ways[:0]
	t := &f.trie
	t.begun, t.nodes, t.forks, t.longs = t.begun[:0], t.nodes[:0], t.forks[:0], t.longs[:0]
}

// word is a k-mer of one or several support vectors, up to the end of the window.
type word struct {
	place  // of the first that has it
	length int32
	shared int32  // letters in common with the k-mer before
	head   uint64 // its first letters, packed: longBits
}

// collect lists the distinct k-mers at the position, in order, with the sums of their coefficients.
func (f *folding) collect(w sorted, offsets []int, coef [][]float64) {
	outputs := f.scorer.outputs
	f.readHeads(offsets)
	weights := make([]float64, len(offsets))
	for j, offset := range offsets {
		if start := f.position + offset; start >= 0 && start < f.scorer.length {
			weights[j] = f.scorer.kernel.unit() * f.scorer.kernel.pair(min(start, f.position), max(offset, -offset))
		}
	}
	shared := int32(0)
	for r, number := range w.ranks {
		shared = min(shared, w.lcp[r])
		i, j := int(number)%f.scorer.sv.n, int(number)/f.scorer.sv.n
		length := min(w.lengths[number], int32(f.scorer.length-f.position))
		if length == 0 || weights[j] == 0 {
			continue
		}
		last := len(f.words) - 1
		if last < 0 || shared < length || f.words[last].length != length {
			p := place{int32(i), int32(f.position + offsets[j])}
			f.words = append(f.words, word{p, length, shared, f.heads[number]})
			f.sums = append(f.sums, make([]float64, outputs)...)
			last++
		}
		for m, c := range coef {
			f.sums[last*outputs+m] += float64(weights[j] * c[i])
		}
		shared = length
	}
}

// readHeads reads the first letters of the k-mers of one support vector after another: in the order of k-mers each
// would be in another line of the cache.
func (f *folding) readHeads(offsets []int) {
	sv := f.scorer.sv
	f.heads = scratch.Resize(f.heads, len(offsets)*sv.n)
	for j, offset := range offsets {
		start := f.position + offset
		if start < 0 || start >= f.scorer.length {
			continue
		}
		for i := range sv.n {
			f.heads[j*sv.n+i] = sv.head(place{int32(i), int32(start)})
		}
	}
}

// letters returns as many letters of k-mer i from some depth on as fit, packed; those past its end are arbitrary.
func (f *folding) letters(i, depth int) uint32 {
	w := &f.words[i]
	if bit := f.scorer.packing.bits * depth; bit <= longBits-32 {
		return uint32(w.head << (bit & 63) >> 32)
	}
	return f.scorer.sv.word(f.scorer.sv.at(w.place) + depth)
}

// code returns the letters of k-mer i from some depth on, at most most of them, and their number.
func (f *folding) code(i, depth, most int) (code, n int) {
	n = min(most, int(f.words[i].length)-depth)
	return f.scorer.packing.code(f.letters(i, depth), n), n
}

// table fills the position's table.
func (f *folding) table() {
	s, deepest := f.scorer, f.scorer.depthAt(f.position)
	bits, outputs := s.packing.bits, s.outputs
	level := func(n int) []float64 {
		from := s.base[f.position] + s.root.start[n]
		return s.values[from*outputs : (from+1<<(bits*n))*outputs]
	}
	for i := range f.words {
		if code, n := f.code(i, 0, deepest); n > 0 {
			vectors.Add(level(n)[code*outputs:(code+1)*outputs], f.sums[i*outputs:(i+1)*outputs])
		}
	}
	// Sums per k-mer become sums over all k-mers with that prefix, longest first.
	for n := deepest; n > 1; n-- {
		shorter, longer := level(n-1), level(n)
		for code := range 1 << (bits * n) {
			vectors.Add(shorter[code>>bits*outputs:], longer[code*outputs:(code+1)*outputs])
		}
	}
	// These, times the length weights, become sums over prefixes.
	for n := 1; n <= deepest; n++ {
		values := level(n)
		vectors.Scale(values, s.upTo[n]-s.upTo[n-1])
		if n == 1 {
			continue
		}
		shorter := level(n - 1)
		for code := range 1 << (bits * n) {
			vectors.Add(values[code*outputs:], shorter[code>>bits*outputs:(code>>bits+1)*outputs])
		}
	}
}
