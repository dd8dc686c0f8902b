package spectrum

import "context"

// scoreBySingles writes the scores of a record, of one or both strands, and returns k(x, x): what its counted k-mers
// add, and for each single, by a look-up of its longest k-mer, what all lengths from a certain one on add together.
func (s *countedScorer) scoreBySingles(dst []float64, record []byte) float64 {
	s.linear.prepare()
	clear(dst)
	c, k := counters.Get().(*counter), s.kernel.K
	defer counters.Put(c)
	c.countAll(context.Background(), &s.linear.coder, s.linear.kernel.shortest(), record)
	for i := range c.singles {
		s.linear.addSingles(dst, &c.singles[i])
	}
	if one := s.values.At(1); one != 1 {
		for m := range dst {
			dst[m] *= one
		}
	}
	s.addCounted(dst, c.counted)
	return c.selfCounted(k, &s.values)
}

// addCounted adds the weights of k-mers times what the function makes of their counts.
func (s *countedScorer) addCounted(dst []float64, list []kmerCount) {
	if s.outputs > 1 || s.linear.dense < s.kernel.K {
		for _, of := range list {
			s.linear.addLengths(dst, of.code, int(of.length), int(of.length), s.values.At(of.count))
		}
		return
	}
	sum, tables, bits := 0.0, s.linear.tables, s.linear.coder.Bits
	for _, of := range list {
		weight := tables[of.length][of.code]
		if s.kernel.Bounded && of.length > 1 {
			weight -= tables[of.length-1][of.code>>(bits&63)]
		}
		sum += float64(s.values.At(of.count) * weight)
	}
	dst[0] += sum
}

// addSingles adds the weights of k-mers of all lengths of singles.
func (s *scorer) addSingles(dst []float64, list *singles) {
	switch {
	case s.outputs > 1:
		for _, code := range list.codes {
			s.addLengths(dst, code, list.from, s.coder.K, 1)
		}
	case s.dense == s.kernel.K:
		dst[0] += s.tableSingles(list.codes, list.from)
	default:
		dst[0] += s.blockSingles(list.codes, list.from)
	}
	for _, t := range list.tails {
		s.addLengths(dst, t.code, list.from, t.length, 1)
	}
}

// addLengths adds a times the weights of the prefixes of from…length letters of a k-mer: with Bounded, what its row has
// beyond that of a shorter prefix.
func (s *scorer) addLengths(dst []float64, code uint64, from, length int, a float64) {
	row := s.row(code, length)
	if !s.kernel.Bounded || from == 1 {
		for m, value := range row {
			dst[m] += float64(a * value)
		}
		return
	}
	prefix := s.row(code>>(s.coder.Bits*uint(length-from+1)), from-1)
	for m, value := range row {
		dst[m] += float64(a * (value - prefix[m]))
	}
}

// tableSingles returns what k-mers of K letters add to one output from a length on, where all are in arrays.
func (s *scorer) tableSingles(codes []uint64, from int) (sum float64) {
	top := s.tables[s.coder.K]
	if !s.kernel.Bounded || from == 1 {
		for _, code := range codes {
			sum += top[code]
		}
		return sum
	}
	below, shift := s.tables[from-1], s.coder.Bits*uint(s.coder.K-from+1)
	for _, code := range codes {
		sum += top[code] - below[code>>(shift&63)]
	}
	return sum
}

// blockSingles is tableSingles where some k-mers are found by lookup.
func (s *scorer) blockSingles(codes []uint64, from int) (sum float64) {
	var b block
	for len(codes) > 0 {
		b.n = copy(b.codes[:], codes)
		codes = codes[b.n:]
		s.evaluate(&b)
		for i, value := range b.values[:b.n] {
			if s.kernel.Bounded && from > 1 {
				value -= s.value(b.codes[i]>>(s.coder.Bits*uint(s.coder.K-from+1)), from-1, 0)
			}
			sum += value
		}
	}
	return sum
}
