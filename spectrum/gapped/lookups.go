package gapped

import "sync"

// placesAtOnce is how many k-mers are looked up in a loop so short that the reads of many are in flight together.
const placesAtOnce = 2048

// lookUps is space for the k-mers that are looked up together, of one sequence or several.
type lookUps struct {
	places [placesAtOnce]uint32
	values [placesAtOnce]float64
	whole  []bool // per sequence: no letter breaks
}

// spareLookUps keeps space, which is too large to be cleared for every sequence.
var spareLookUps = sync.Pool{New: func() any { return new(lookUps) }}

// ScoreTo writes the sums over the k-mers of x. With both strands, k-mers are taken in pairs from both ends, so that
// the reverse complement gives the same sums to the bit.
func (s *scorer) ScoreTo(dst []float64, x []byte) { s.ScoreBatchTo(dst[:len(s.tables)], [][]byte{x}) }

// ScoreBatchTo is ScoreTo of several sequences. The k-mers of short ones are looked up together.
func (s *scorer) ScoreBatchTo(dst []float64, x [][]byte) {
	w, outputs := spareLookUps.Get().(*lookUps), len(s.tables)
	defer spareLookUps.Put(w)
	for len(x) > 0 {
		n := s.together(x)
		switch {
		case s.counted():
			n = 1
			s.scoreDistinct(dst[:outputs], x[0])
		case n == 0:
			n = 1
			s.scoreLong(dst[:outputs], w, x[0])
		default:
			s.scoreShort(dst[:n*outputs], w, x[:n])
		}
		dst, x = dst[n*outputs:], x[n:]
	}
}

// kmersOf returns the number of k-mers of a sequence.
func (s *scorer) kmersOf(x []byte) int { return max(0, len(x)-s.coder.length+1) }

// together returns how many of the first sequences have at most placesAtOnce k-mers.
func (s *scorer) together(x [][]byte) int {
	for i, all := 0, 0; i < len(x); i++ {
		if all += s.kmersOf(x[i]); all > placesAtOnce {
			return i
		}
	}
	return len(x)
}

// scoreShort scores sequences of at most placesAtOnce k-mers.
func (s *scorer) scoreShort(dst []float64, w *lookUps, x [][]byte) {
	w.whole = w.whole[:0]
	places := w.places[:0]
	for _, x := range x {
		from, n := len(places), s.kmersOf(x)
		places = places[:from+n]
		w.whole = append(w.whole, n == 0 || s.coder.list(places[from:], x))
	}
	for m, table := range s.tables {
		read(w.values[:len(places)], table, places)
		values := w.values[:len(places)]
		for i, x := range x {
			n := s.kmersOf(x)
			own := values[:n]
			if values = values[n:]; !w.whole[i] {
				s.coder.clearBroken(own, x)
			}
			s.weigh(own, 0, n)
			if half := (n + 1) / 2; s.rc {
				dst[i*len(s.tables)+m] = addFromEnds(0, own[:half], own[half:])
			} else {
				dst[i*len(s.tables)+m] = add(0, own)
			}
		}
	}
}

// scoreLong scores a sequence block by block.
func (s *scorer) scoreLong(dst []float64, w *lookUps, x []byte) {
	for m, table := range s.tables {
		if s.rc {
			dst[m] = s.sumFromEnds(w, table, x)
		} else {
			dst[m] = s.sumInOrder(w, table, x)
		}
	}
}

func (s *scorer) sumInOrder(w *lookUps, table []float64, x []byte) (sum float64) {
	for lo, n := 0, s.kmersOf(x); lo < n; lo += placesAtOnce {
		sum = add(sum, s.scores(w.values[:min(placesAtOnce, n-lo)], table, x, lo, n))
	}
	return sum
}

func (s *scorer) sumFromEnds(w *lookUps, table []float64, x []byte) (sum float64) {
	const block = placesAtOnce / 2
	for lo, n := 0, s.kmersOf(x); lo < (n+1)/2; lo += block {
		hi := min(lo+block, (n+1)/2)
		front := s.scores(w.values[:hi-lo], table, x, lo, n)
		back := s.scores(w.values[block:][:min(hi, n/2)-lo], table, x, max(n-hi, (n+1)/2), n)
		sum = addFromEnds(sum, front, back)
	}
	return sum
}

// scores writes the scores of the k-mers at len(dst) places from lo on, of n in all, and returns them; 0 where a letter
// breaks.
func (s *scorer) scores(dst, table []float64, x []byte, lo, n int) []float64 {
	s.coder.lookUp(dst, table, x[lo:lo+len(dst)+s.coder.length-1])
	s.weigh(dst, lo, n)
	return dst
}

// weigh multiplies the scores of k-mers from lo on, of n in all, with the weights of their places.
func (s *scorer) weigh(scores []float64, lo, n int) {
	if s.centre.peak > 0 {
		for i := range scores {
			scores[i] *= s.centre.weight(lo+i, n)
		}
	}
}

// add adds values to a sum in order.
func add(sum float64, values []float64) float64 {
	for _, v := range values {
		sum += v
	}
	return sum
}

// addFromEnds adds the first value of the front and the last one of the back to a sum, and so on. The front may have
// one more, the middle.
func addFromEnds(sum float64, front, back []float64) float64 {
	for i, a := range front[:len(back)] {
		sum += a + back[len(back)-1-i]
	}
	return add(sum, front[len(back):])
}

// read writes the entries of a table at places.
func read(dst, table []float64, places []uint32) {
	dst = dst[:len(places)]
	for i, place := range places {
		dst[i] = table[place]
	}
}
