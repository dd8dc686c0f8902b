package wdk

import (
	"github.com/seqsvm/seqsvm/stringkernel"
)

// folding builds what belongs to one position q: its table, and the tails below it.
type folding struct {
	scorer   *scorer
	sv       *stringkernel.Corpus
	position int
	words    []word
	sums     []float64 // per k-mer, outputs each: coefficients times the weight of the position

	trie trie
	ways []way // stack of the forks being built
}

// word is a k-mer of one or several support vectors, up to the end of the window.
type word struct {
	place  // of the first that has it
	length int32
	shared int32 // letters in common with the k-mer before
}

// collect lists the distinct k-mers at the position, in order, with the sums of their coefficients.
func (f *folding) collect(w sorted, offsets []int, coef [][]float64) {
	n, outputs := f.sv.Len(), f.scorer.outputs
	weights := make([]float64, len(offsets))
	for j, offset := range offsets {
		if start := f.position + offset; start >= 0 && start < f.scorer.length {
			weights[j] = f.scorer.kernel.unit() * f.scorer.kernel.pair(min(start, f.position), max(offset, -offset))
		}
	}
	shared := int32(0)
	for r, number := range w.ranks {
		shared = min(shared, w.lcp[r])
		i, j, length := int(number)%n, int(number)/n, min(w.lengths[number], int32(f.scorer.length-f.position))
		if length == 0 || weights[j] == 0 {
			continue
		}
		last := len(f.words) - 1
		if last < 0 || shared < length || f.words[last].length != length {
			f.words = append(f.words, word{place{int32(i), int32(f.position + offsets[j])}, length, shared})
			f.sums = append(f.sums, make([]float64, outputs)...)
			last++
		}
		for m, c := range coef {
			f.sums[last*outputs+m] += float64(weights[j] * c[i])
		}
		shared = length
	}
}

// letters returns the letters of k-mer i from some depth on.
func (f *folding) letters(i, depth int) []byte {
	w := f.words[i]
	return f.sv.Seq(int(w.sequence))[int(w.start)+depth : w.start+w.length]
}

// code returns the letters of k-mer i from some depth on, at most most of them, and their number.
func (f *folding) code(i, depth, most int) (code, n int) {
	n = min(most, int(f.words[i].length)-depth)
	p := &f.scorer.packing
	for _, b := range f.letters(i, depth)[:n] {
		code = code<<p.bits | int(p.digit[b])
	}
	return code, n
}

// table fills the position's table.
func (f *folding) table() {
	s, deepest := f.scorer, f.scorer.depthAt(f.position)
	bits, outputs := s.packing.bits, s.outputs
	at := func(n, code int) []float64 {
		entry := (s.base[f.position] + s.root.start[n] + code) * outputs
		return s.values[entry : entry+outputs]
	}
	for i := range f.words {
		if code, n := f.code(i, 0, deepest); n > 0 {
			addTo(at(n, code), f.sums[i*outputs:(i+1)*outputs], 1)
		}
	}
	// Sums per k-mer become sums over all k-mers with that prefix, longest first.
	for n := deepest; n > 1; n-- {
		for code := range 1 << (bits * n) {
			addTo(at(n-1, code>>bits), at(n, code), 1)
		}
	}
	// These, times the length weights, become sums over prefixes.
	for n := 1; n <= deepest; n++ {
		beta := s.upTo[n] - s.upTo[n-1]
		for code := range 1 << (bits * n) {
			value := at(n, code)
			for m := range value {
				value[m] *= beta
			}
			if n > 1 {
				addTo(value, at(n-1, code>>bits), 1)
			}
		}
	}
}
