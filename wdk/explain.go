package wdk

import "math"

// ExplainTo spreads every match over its letters: a word of k letters that support vectors hold at position q gives each of positions q … q+k−1 a k-th of its
// weight. O(L d) time.
func (s *Scorer) ExplainTo(dst []float64, m int, x []byte) {
	dst = dst[:len(x)]
	clear(dst)
	if len(x) != s.length {
		return
	}
	w := s.borrow()
	defer s.space.Put(w)
	w.text.reset(&s.packing)
	w.text.append(x)
	e := explanation{Scorer: s, text: &w.text, output: m, parts: make([]float64, min(s.kernel.D, s.length)+1)}
	for q := range dst {
		e.explain(q)
		share := 0.0
		for n := e.reached; n > 0; n-- { // longest words first: a letter is in all words that are longer than its place
			share += e.parts[n] / float64(n)
			dst[q+n-1] += share
		}
	}
}

// explanation is the work on one window.
type explanation struct {
	*Scorer
	text    *text
	output  int
	parts   []float64 // by length: what the word of so many letters adds
	reached int       // the greatest length with a part
}

// explain finds the parts of the words at position q.
func (e *explanation) explain(q int) {
	clear(e.parts[:e.reached+1])
	run := e.text.run(q, e.length-q)
	e.reached = min(e.depthAt(q), run)
	at := e.levels(e.base[q], &e.root, q, 0, e.reached)
	if !e.branched || e.reached == 0 || e.entries.next[at] == 0 {
		return
	}
	b := e.entries.branches[at]
	for b.count() == 0 {
		n := min(e.below.deepest(), run-e.reached)
		if n <= 0 {
			return
		}
		at = e.levels(b.at(), &e.below, q, e.reached, n)
		e.reached += n
		if e.entries.next[at] == 0 {
			return
		}
		b = e.entries.branches[at]
	}
	if most := min(e.kernel.D, run) - e.reached; most > 0 {
		e.list(q, most, b)
	}
}

// levels adds the parts of a table whose first entry is given, for words of 1 … most letters behind the first depth ones, and returns where the longest
// word's entry is.
func (e *explanation) levels(table int, steps *ladder, q, depth, most int) (at int) {
	above := 0.0
	for n := 1; n <= most; n++ {
		at = table + steps.start[n] + e.packing.code(e.text.word(q+depth), n)
		if value := e.entries.values[at*e.outputs+e.output]; depth+n < len(e.parts) {
			e.parts[depth+n] += value - above
			above = value
		}
	}
	return at
}

// list adds the parts of a list's members.
func (e *explanation) list(q, most int, b branch) {
	depth := e.reached
	for place := b.at(); place < b.at()+b.count(); place++ {
		member := e.members[place*(e.outputs+1) : (place+1)*(e.outputs+1)]
		n := e.matched(e.text, e.text.word(q+depth), q, place, depth, most, member[0])
		coef := math.Float64frombits(member[e.output+1])
		for i := depth + 1; i <= depth+n; i++ {
			e.parts[i] += float64(coef * (e.upTo[i] - e.upTo[i-1]))
		}
		e.reached = max(e.reached, depth+n)
	}
}
