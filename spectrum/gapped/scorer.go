package gapped

import (
	"sync"

	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// scorer is a score for each k-mer: that of a sequence is the sum over its k-mers, times their weights. With both
// strands a k-mer has the sum of its score and its reverse complement's, the same to the bit for both.
type scorer struct {
	*engine
	codes  []uint64           // k-mers with coefficients, ascending; of a k-mer and its reverse complement the lesser one
	coef   [][]float64        // per output
	tables func() [][]float64 // the scores of all k-mers, per output; nil if there is no room
	kmers  kmerScores         // without tables

	explained []shares       // of tables, per output
	byLetter  []letterTables // of tables, letterKinds per output
	// of tables, per output
	byPair      []pairTables[float64]
	byShortPair []pairTables[float32]
}

// shares is the tables that spread the scores of one output over letters (explain.go). They are made when first asked
// for, since they take twice the memory of the scores.
type shares struct {
	once          sync.Once
	whole, varied []float64 // F and E
}

var blockPool = sync.Pool{New: func() any { return new(block) }}

// blockPlaces is the number of places scored at a time: in loops so short that the reads of many are in flight
// together.
const blockPlaces = 2048

// Outputs returns the number of scores per sequence.
func (s *scorer) Outputs() int { return len(s.coef) }

// fill writes the coefficients of an output to a table.
func (s *scorer) fill(table []float64, m int) {
	parallel.Each(len(s.codes), func(i int) {
		code := s.codes[i]
		table[s.coder.place(code)] = s.coef[m][i]
		if s.rc {
			table[s.coder.reverseComplement(code)] = s.coef[m][i]
		}
	})
}

// ScoreTo writes the sums over the k-mers of x. With both strands, k-mers are taken in pairs from both ends, so that
// the reverse complement gives the same sums to the bit.
func (s *scorer) ScoreTo(dst []float64, x []byte) {
	dst = dst[:s.Outputs()]
	clear(dst)
	w := blockPool.Get().(*block)
	defer blockPool.Put(w)
	n := len(x) - s.coder.length + 1
	switch {
	case s.counted():
		s.scoreDistinct(dst, w, x)
	case !s.rc:
		for lo := 0; lo < n; lo += blockPlaces {
			w.front = s.scores(w.front, w, x, lo, min(lo+blockPlaces, n), n)
			addFromEnds(dst, w.front, nil)
		}
	case n <= blockPlaces:
		w.front = s.scores(w.front, w, x, 0, n, n)
		half := (max(n, 0) + 1) / 2 * len(dst)
		addFromEnds(dst, w.front[:half], w.front[half:])
	default:
		for lo := 0; lo < (n+1)/2; lo += blockPlaces {
			hi := min(lo+blockPlaces, (n+1)/2)
			w.front = s.scores(w.front, w, x, lo, hi, n)
			w.back = s.scores(w.back, w, x, max(n-hi, hi), n-lo, n) // without the middle
			addFromEnds(dst, w.front, w.back)
		}
	}
}

// addFromEnds adds the first row of the front and the last one of the back to sums, and so on. The front may have more
// rows.
func addFromEnds(sums, front, back []float64) {
	for m := range sums {
		sum := sums[m]
		i, last := m, len(back)-len(sums)+m
		for ; last >= 0; last -= len(sums) {
			sum += front[i] + back[last]
			i += len(sums)
		}
		for ; i < len(front); i += len(sums) {
			sum += front[i]
		}
		sums[m] = sum
	}
}

// scoreDistinct adds the scores of the k-mers of x, each once.
func (s *scorer) scoreDistinct(dst []float64, w *block, x []byte) {
	list := kmerPool.Get().(*kmers)
	defer kmerPool.Put(list)
	list.list(s.engine, x)
	for lo := 0; lo < len(list.codes); lo += blockPlaces {
		hi := min(lo+blockPlaces, len(list.codes))
		w.codes = append(w.codes[:0], list.codes[lo:hi]...)
		w.front = s.rowsOf(w.front, w)
		for i, value := range list.weights[lo:hi] {
			for m := range dst {
				dst[m] += float64(value * w.front[i*len(dst)+m])
			}
		}
	}
}

// scores returns in dst a row of scores for each place lo ≤ i < hi of n: zeros where a letter breaks.
func (s *scorer) scores(dst []float64, w *block, x []byte, lo, hi, n int) []float64 {
	if lo >= hi {
		return dst[:0]
	}
	x = x[lo : hi+s.coder.length-1]
	w.codes = s.coder.kmers.Append(w.codes[:0], x)
	if len(w.codes) == hi-lo {
		dst = s.rowsOf(dst, w)
	} else {
		dst = scratch.Resize(dst, (hi-lo)*s.Outputs())
		clear(dst)
		w.rows = w.rows[:0]
		for i := range s.coder.kmers.All(x) {
			w.rows = append(w.rows, i*s.Outputs())
		}
		s.addTo(dst, w)
	}
	if s.centre.peak > 0 {
		for i := range dst {
			dst[i] *= s.centre.weight(lo+i/s.Outputs(), n)
		}
	}
	return dst
}

// rowsOf returns in dst a row of scores for each k-mer of a block.
func (s *scorer) rowsOf(dst []float64, w *block) []float64 {
	w.rows = w.rows[:0]
	for i := range w.codes {
		w.rows = append(w.rows, i*s.Outputs())
	}
	dst = scratch.Resize(dst, len(w.codes)*s.Outputs())
	clear(dst)
	s.addTo(dst, w)
	return dst
}

// addTo adds the scores of each k-mer of a block to its row of dst. Codes are lost.
func (s *scorer) addTo(dst []float64, w *block) {
	if s.tables == nil {
		w.opposite = w.opposite[:0]
		for _, code := range w.codes {
			if s.rc {
				w.opposite = append(w.opposite, s.coder.reverseComplement(code))
			}
		}
		s.kmers.addTo(dst, w, s.Outputs())
		return
	}
	if s.coder.sigma != 1<<s.coder.bits {
		for i, code := range w.codes {
			w.codes[i] = uint64(s.coder.place(code))
		}
	}
	for m, table := range s.tables() {
		if len(dst) == len(w.codes) { // a score for each place
			for i, place := range w.codes {
				dst[i] = table[place]
			}
			continue
		}
		for i, place := range w.codes {
			dst[w.rows[i]+m] = table[place]
		}
	}
}

// Tracker returns s if all k-mers weigh 1, else nil.
func (s *scorer) Tracker() stringkernel.Tracker {
	if !s.uniform() {
		return nil
	}
	return s
}

// TrackTo writes score m of all windows of x: see [stringkernel.Tracker]. Each k-mer is scored once: O(1) per window.
func (s *scorer) TrackTo(dst []float64, m int, x []byte, window int) {
	if s.tables != nil {
		one := *s // scores of one output alone are looked up
		table := s.tables()[m : m+1]
		one.coef, one.tables = s.coef[m:m+1], func() [][]float64 { return table }
		s, m = &one, 0
	}
	if window < s.coder.length {
		clear(dst[:len(x)-window+1])
		return
	}
	w, values := blockPool.Get().(*block), scratch.Borrow(&scratch.Pool, len(x)-s.coder.length+1)
	defer blockPool.Put(w)
	defer scratch.Pool.Put(values)
	for lo := 0; lo < len(*values); lo += blockPlaces {
		part := (*values)[lo:min(lo+blockPlaces, len(*values))]
		w.front = s.scores(w.front, w, x, lo, lo+len(part), len(*values))
		for i := range part {
			part[i] = w.front[i*s.Outputs()+m]
		}
	}
	stringkernel.SlidingSumsTo(dst, *values, window-s.coder.length+1)
}

// Traits says where features are if all k-mers weigh 1: else weights depend on the place or on other k-mers.
func (s *scorer) Traits() (t stringkernel.Traits) {
	if s.uniform() {
		t.Around = stringkernel.Within(s.coder.length)
	}
	if s.substitutes() && memory.Check(s.letterBytes()) == nil {
		t.SubstituteTo = s.substituteTo
	}
	return t
}
