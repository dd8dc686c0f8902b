package wdk

import (
	"math"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// folding is the work on one position q: its table, and the tails that hang from it.
type folding struct {
	scorer   *Scorer
	sv       *stringkernel.Corpus
	position int
	words    []word
	sums     []float64 // per word, outputs each: coefficients times the weight of the position

	below   entries // tables that hang from the position's
	members []uint64
	places  []place
}

// word is a word of support vectors, of one or of several that have the same.
type word struct {
	place  // of the first that has it
	length int32
	shared int32 // letters in common with the word before
}

// collect lists the words at the position, in order, with the sums of their coefficients.
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
		i, j, length := int(number)%n, int(number)/n, w.lengths[number]
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

// letters returns the letters of word i from some depth on.
func (f *folding) letters(i, depth int) []byte {
	w := f.words[i]
	return f.sv.Seq(int(w.sequence))[int(w.start)+depth : w.start+w.length]
}

// code returns the next letters of word i from some depth on, at most most of them, and how many they are.
func (f *folding) code(i, depth, most int) (code, n int) {
	n = min(most, int(f.words[i].length)-depth)
	p := &f.scorer.packing
	for _, b := range f.letters(i, depth)[:n] {
		code = code<<p.bits | int(p.digit[b])
	}
	return code, n
}

// table fills the position's table and makes its branches.
func (f *folding) table() {
	s, depth := f.scorer, f.scorer.depthAt(f.position)
	table := s.base[f.position]
	f.scatter(s.entries.values[table*s.outputs:], &s.root, 0, depth, 0, len(f.words))
	if depth < min(s.kernel.D, s.length-f.position) {
		f.branches(&s.entries, table+s.root.start[depth], 0, depth, 0, len(f.words))
	}
}

// scatter fills a table of the words of up to deepest letters that follow the first depth letters of words lo ≤ i < hi.
func (f *folding) scatter(values []float64, steps *ladder, depth, deepest, lo, hi int) {
	outputs := f.scorer.outputs
	at := func(n, code int) []float64 {
		entry := (steps.start[n] + code) * outputs
		return values[entry : entry+outputs]
	}
	for i := lo; i < hi; i++ {
		if code, n := f.code(i, depth, deepest); n > 0 {
			addTo(at(n, code), f.sums[i*outputs:(i+1)*outputs], 1)
		}
	}
	// Sums over words become sums over all words that begin like them, longest first.
	for n := deepest; n > 1; n-- {
		for code := range 1 << (steps.bits * n) {
			addTo(at(n-1, code>>steps.bits), at(n, code), 1)
		}
	}
	// And these, times the weights of lengths, sums over prefixes.
	for n := 1; n <= deepest; n++ {
		beta := 0.0
		if depth+n <= f.scorer.kernel.D {
			beta = f.scorer.upTo[depth+n] - f.scorer.upTo[depth+n-1]
		}
		for code := range 1 << (steps.bits * n) {
			value := at(n, code)
			for m := range value {
				value[m] *= beta
			}
			if n > 1 {
				addTo(value, at(n-1, code>>steps.bits), 1)
			}
		}
	}
}

// branches sorts words lo ≤ i < hi, which have their first depth letters in common, by the next ones, and sets the branches of those that go on, in a table whose
// words of so many letters begin at entry first.
func (f *folding) branches(t *entries, first, depth, letters, lo, hi int) {
	below := depth + letters
	for i := lo; i < hi; {
		if int(f.words[i].length) <= below {
			i++
			continue
		}
		end := i + 1
		for end < hi && int(f.words[end].shared) >= below {
			end++
		}
		code, _ := f.code(i, depth, letters)
		next, b := f.tail(below, i, end) // which may move t's entries
		t.next[first+code], t.branches[first+code] = next, b
		i = end
	}
}

// tail makes the table or the list of words lo ≤ i < hi, which have depth letters in common; some of them go on, and next says how.
func (f *folding) tail(depth, lo, hi int) (next uint16, b branch) {
	s := f.scorer
	for i := lo; i < hi; i++ {
		if code, n := f.code(i, depth, 1); n > 0 {
			next |= 1 << (code & 15)
		}
	}
	if hi-lo <= longestList {
		first := len(f.places)
		for i := lo; i < hi; i++ {
			f.members = append(f.members, s.newMember(f.letters(i, depth)))
			for _, a := range f.sums[i*s.outputs : (i+1)*s.outputs] {
				f.members = append(f.members, math.Float64bits(a))
			}
			f.places = append(f.places, f.words[i].place)
		}
		return next, newBranch(hi-lo, first)
	}
	deepest := s.below.deepest()
	table := f.below.grow(s.below.size(deepest), s.outputs, true)
	f.scatter(f.below.values[table*s.outputs:], &s.below, depth, deepest, lo, hi)
	f.branches(&f.below, table+s.below.start[deepest], depth, deepest, lo, hi)
	return next, newBranch(0, table)
}
