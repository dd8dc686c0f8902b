package oligo

import "bytes"

// SubstituteTo looks up the K k-mers that hold each position: O(σ K) of the look-ups of a score for each.
func (s *scorer) SubstituteTo(scores, contributions []float64, m int, x, letters []byte) {
	outputs := make([]float64, s.outputs)
	s.ScoreTo(outputs, x)
	y := bytes.Clone(x)
	for i, own := range x {
		before := s.held(m, y, i)
		for b, letter := range letters {
			y[i] = letter
			sum := s.held(m, y, i)
			scores[i*len(letters)+b] = outputs[m] + (sum - before)
			if contributions != nil {
				contributions[i*len(letters)+b] = sum / float64(s.kernel.K)
			}
		}
		y[i] = own
	}
}

// held returns the sum of the values of the k-mers that hold position i.
func (s *scorer) held(m int, x []byte, i int) float64 {
	lo := max(0, i-s.kernel.K+1)
	q := s.query(x[lo:min(len(x), i+s.kernel.K)])
	defer s.pool.Put(q)
	clear(q.value)
	for _, w := range q.kmers {
		if number, known := s.cells.kmers.find(w.code); known {
			s.add(q.value, number, lo+int(w.at))
		}
	}
	return q.value[m]
}
