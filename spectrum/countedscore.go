package spectrum

import "context"

// scoreByRepeats writes the scores of a record, of one or both strands, and returns k(x, x): the scores by raw counts,
// and the surplus of its repeats.
func (s *countedScorer) scoreByRepeats(dst []float64, record []byte) float64 {
	s.linear.ScoreTo(dst, record)
	c := counters.Get().(*counter)
	defer counters.Put(c)
	c.findRepeats(context.Background(), &s.linear.coder, s.linear.kernel.shortest(), record)
	s.addSurplus(dst, c.repeats)
	if one := s.values.At(1); one != 1 {
		for m := range dst {
			dst[m] *= one
		}
	}
	return c.selfRepeats(&s.values)
}

// addSurplus adds the weights of repeats times their surplus in units of g(1).
func (s *countedScorer) addSurplus(dst []float64, list []repeat) {
	if s.outputs > 1 || s.linear.dense < s.kernel.K {
		for _, r := range list {
			s.linear.addOwn(dst, r.code, int(r.length), s.values.Surplus(r.count))
		}
		return
	}
	sum, tables, bits := 0.0, s.linear.tables, s.linear.coder.Bits
	for _, r := range list {
		weight := tables[r.length][r.code]
		if s.kernel.Bounded && r.length > 1 {
			weight -= tables[r.length-1][r.code>>(bits&63)]
		}
		sum += float64(s.values.Surplus(r.count) * weight)
	}
	dst[0] += sum
}

// addOwn adds a times the weights of a k-mer: with Bounded, what its row has beyond that of its prefix.
func (s *scorer) addOwn(dst []float64, code uint64, length int, a float64) {
	row := s.row(code, length)
	if !s.kernel.Bounded || length == 1 {
		for m, value := range row {
			dst[m] += float64(a * value)
		}
		return
	}
	prefix := s.row(code>>s.coder.Bits, length-1)
	for m, value := range row {
		dst[m] += float64(a * (value - prefix[m]))
	}
}
