package wdk

import (
	"github.com/seqsvm/seqsvm/stringkernel"
)

// folding is the work on one position q: its table, and the tails that hang from it.
type folding struct {
	scorer   *Scorer
	sv       *stringkernel.Corpus
	position int
	words    []member
	sums     []float64 // per member, outputs each: coefficients times the weight of the position
	tails    tails     // starts holds the ends of lists
}

// member is a word of support vectors, of one or of several that have the same.
type member struct {
	sequence, start int32 // of the first that has it
	length          int32
	shared          int32 // letters in common with the member before
}

// list collects the words at the position, in order, with the sums of their coefficients.
func (f *folding) list(w sorted, offsets []int, coef [][]float64) {
	n, outputs := f.sv.Len(), f.scorer.outputs
	unit := f.scorer.kernel.unit()
	shared := int32(0)
	for r, word := range w.ranks {
		shared = min(shared, w.lcp[r])
		offset := offsets[int(word)/n]
		start, length := f.position+offset, w.lengths[word]
		if length == 0 {
			continue // its common prefix is 0
		}
		weight := unit * f.scorer.kernel.pair(min(start, f.position), max(offset, -offset))
		if weight == 0 {
			continue
		}
		last := len(f.words) - 1
		if last < 0 || shared < length || f.words[last].length != length {
			f.words = append(f.words, member{sequence: word % int32(n), start: int32(start), length: length, shared: shared})
			f.sums = append(f.sums, make([]float64, outputs)...)
			last++
		}
		for m, c := range coef {
			f.sums[last*outputs+m] += float64(weight * c[int(word)%n])
		}
		shared = length
	}
}

// letters returns the letters of a member from some depth on, up to most.
func (f *folding) letters(i, depth, most int) []byte {
	w := f.words[i]
	x := f.sv.Seq(int(w.sequence))[w.start : w.start+w.length]
	return x[depth:min(len(x), depth+most)]
}

// table fills the position's table.
func (f *folding) table() {
	s, depth := f.scorer, f.scorer.depth(f.position)
	values := s.values[s.base[f.position]*s.outputs : s.base[f.position+1]*s.outputs]
	f.scatter(values, &s.steps, 0, depth, 0, len(f.words))
}

// scatter fills a table of the words of up to deepest letters that follow the first depth letters of members lo ≤ i < hi.
func (f *folding) scatter(values []float64, steps *ladder, depth, deepest, lo, hi int) {
	outputs := f.scorer.outputs
	for i := lo; i < hi; i++ {
		code, n := f.scorer.word(f.letters(i, depth, deepest), deepest)
		if n == 0 {
			continue
		}
		addTo(values[(steps.start[n]+code)*outputs:], f.sums[i*outputs:(i+1)*outputs], 1)
	}
	// Sums over words become sums over all words that begin like them, longest first.
	for n := deepest; n > 1; n-- {
		above := values[steps.start[n-1]*outputs : steps.start[n]*outputs]
		level := values[steps.start[n]*outputs : steps.start[n+1]*outputs]
		for code := range steps.power[n] {
			addTo(above[code/steps.letters*outputs:], level[code*outputs:(code+1)*outputs], 1)
		}
	}
	// And these, times the weights of lengths, sums over prefixes.
	for n := 1; n <= deepest; n++ {
		beta := 0.0
		if depth+n <= f.scorer.kernel.D {
			beta = f.scorer.upTo[depth+n] - f.scorer.upTo[depth+n-1]
		}
		level := values[steps.start[n]*outputs : steps.start[n+1]*outputs]
		for i := range level {
			level[i] *= beta
		}
		if n == 1 {
			continue
		}
		above := values[steps.start[n-1]*outputs : steps.start[n]*outputs]
		for code := range steps.power[n] {
			parent := code / steps.letters
			addTo(level[code*outputs:], above[parent*outputs:(parent+1)*outputs], 1)
		}
	}
}

// addTo adds a·v to dst.
func addTo(dst, v []float64, a float64) {
	dst = dst[:len(v)]
	for m, x := range v {
		dst[m] += float64(a * x)
	}
}

// branches makes the tails of the table.
func (f *folding) branches() {
	s := f.scorer
	if s.roots == nil || f.position >= s.length-s.deepest {
		return
	}
	words := s.steps.power[s.deepest]
	f.branch(s.roots[f.position*words:(f.position+1)*words], 0, s.deepest, 0, len(f.words))
}

// branch sorts members lo ≤ i < hi, which have their first depth letters in common, by the next ones, into a table's branches.
func (f *folding) branch(next []branch, depth, letters, lo, hi int) {
	below := depth + letters
	for i := lo; i < hi; {
		if int(f.words[i].length) <= below {
			i++
			continue
		}
		code, _ := f.scorer.word(f.letters(i, depth, letters), letters)
		end := i + 1
		for end < hi && int(f.words[end].shared) >= below {
			end++
		}
		next[code] = f.tail(below, i, end)
		i = end
	}
}

// tail makes the table or the list of members lo ≤ i < hi, which go on from depth letters that they have in common.
func (f *folding) tail(depth, lo, hi int) branch {
	t, steps := &f.tails, &f.scorer.tails.steps
	var b branch
	if deepest := len(steps.power) - 1; hi-lo > max(shortList, steps.power[deepest]) {
		size, words := steps.size(deepest), steps.power[deepest]
		number := len(t.next) / words
		b.to = int32(number)
		t.values = append(t.values, make([]float64, size*f.scorer.outputs)...)
		t.next = append(t.next, make([]branch, words)...)
		f.scatter(t.values[number*size*f.scorer.outputs:], steps, depth, deepest, lo, hi)
		next := make([]branch, words)
		f.branch(next, depth, deepest, lo, hi)
		copy(t.next[number*words:], next)
	} else {
		for i := lo; i < hi; i++ {
			t.words = append(t.words, f.textAt(i, depth))
		}
		t.coef = append(t.coef, f.sums[lo*f.scorer.outputs:hi*f.scorer.outputs]...)
		t.starts = append(t.starts, int32(len(t.words)))
		b.to = -int32(len(t.starts))
	}
	for i := lo; i < hi; i++ {
		b.letters |= 1 << (f.scorer.tails.text[f.textAt(i, depth)] & 31)
	}
	return b
}

// textAt returns where a member goes on from some depth, in the text of the support vectors.
func (f *folding) textAt(i, depth int) int32 {
	return f.words[i].sequence*int32(f.scorer.length) + f.words[i].start + int32(depth)
}
