package wdk

import "math"

// ExplainTo spreads every match over its letters: a k-mer that support vectors have at position q adds 1/k of its
// weight to each of positions q … q+k−1. O(L d) time.
func (s *scorer) ExplainTo(dst []float64, m int, x []byte) {
	dst = dst[:len(x)]
	clear(dst)
	if len(x) != s.length {
		return
	}
	w := s.borrow()
	defer s.space.Put(w)
	w.text.reset(&s.packing)
	w.text.append(x)
	e := explanation{scorer: s, text: &w.text, output: m, parts: make([]float64, min(s.kernel.D, s.length)+1)}
	for q := range dst {
		e.explain(q)
		share := 0.0
		for n := e.reached; n > 0; n-- { // a letter is in all k-mers longer than its offset
			share += e.parts[n] / float64(n)
			dst[q+n-1] += share
		}
	}
}

// explanation is the state of explaining one window.
type explanation struct {
	*scorer
	text    *text
	output  int
	parts   []float64 // by length: contribution of the k-mer of that length
	reached int       // the greatest length with a part
}

// explain finds the parts of the k-mers at position q.
func (e *explanation) explain(q int) {
	clear(e.parts[:e.reached+1])
	run := e.text.run(q, e.length-q)
	e.reached = min(e.depthAt(q), run)
	code := e.levels(q)
	if !e.branched || e.reached < e.depth {
		return
	}
	nodes, width := e.tries[q].nodes, e.outputs+1
	e.climb(e.text, q, q, code, func(node, depth, n int) {
		sum := math.Float64frombits(nodes[node*width+1+e.output])
		for i := depth + 1; i <= depth+n; i++ {
			e.parts[i] = float64(sum * (e.upTo[i] - e.upTo[i-1]))
		}
		e.reached = depth + n
	})
}

// levels sets the parts from the position's table, for k-mers of up to reached letters, and returns the longest k-mer's
// code.
func (e *explanation) levels(q int) (code int) {
	above := 0.0
	for n := 1; n <= e.reached; n++ {
		code = e.packing.code(e.text.word(q), n)
		value := e.values[(e.base[q]+e.root.start[n]+code)*e.outputs+e.output]
		e.parts[n] = value - above
		above = value
	}
	return code
}
