package wdk

import "bytes"

// SubstituteTo looks up the words that hold each position, of up to d letters: O(σ L (d² + L)), where packing the
// letters, several at once, is what takes the L.
func (s *scorer) SubstituteTo(scores, contributions []float64, m int, x, letters []byte) {
	if len(x) != s.length {
		clear(scores)
		clear(contributions)
		return
	}
	outputs := make([]float64, s.outputs)
	s.ScoreTo(outputs, x)
	w := s.borrow()
	defer s.space.Put(w)
	e := explanation{scorer: s, text: &w.text, output: m, parts: make([]float64, min(s.kernel.D, s.length)+1)}
	y := bytes.Clone(x)
	held := func(i int, letter byte) (sum, share float64) {
		y[i] = letter
		w.text.reset(&s.packing)
		w.text.append(y)
		return e.held(i)
	}
	for i, own := range x {
		before, _ := held(i, own)
		for b, letter := range letters {
			sum, share := held(i, letter)
			scores[i*len(letters)+b] = outputs[m] + (sum - before)
			if contributions != nil {
				contributions[i*len(letters)+b] = share
			}
		}
		y[i] = own
	}
}

// held returns the sum of the parts of the words that hold position i, and the share of the position in it.
func (e *explanation) held(i int) (sum, share float64) {
	for q := max(0, i-len(e.parts)+2); q <= i; q++ {
		e.explain(q)
		for n := i - q + 1; n <= e.reached; n++ {
			sum += e.parts[n]
			share += e.parts[n] / float64(n)
		}
	}
	return sum, share
}
