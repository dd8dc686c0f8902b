package gapped

import (
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// trackKmers writes the sliding sums of the scores of k-mers, which fill writes for each place of x, 0 where a letter
// breaks.
func (e *engine) trackKmers(dst []float64, x []byte, window int, fill func(values []float64)) {
	if window < e.coder.length {
		clear(dst[:len(x)-window+1])
		return
	}
	values := scratch.Borrow(&scratch.Pool, len(x)-e.coder.length+1)
	defer scratch.Pool.Put(values)
	fill(*values)
	stringkernel.SlidingSumsTo(dst, *values, window-e.coder.length+1)
}

// uniform reports whether all k-mers weigh the same: with centre weights a k-mer's score depends on its place in the
// window.
func (e *engine) uniform() bool { return e.centre.peak == 0 }

// Tracker returns s if all k-mers weigh the same, else nil.
func (s *scorer) Tracker() stringkernel.Tracker {
	if !s.uniform() {
		return nil
	}
	return s
}

// Tracker returns s if all k-mers weigh the same, else nil.
func (s *longScorer) Tracker() stringkernel.Tracker {
	if !s.uniform() {
		return nil
	}
	return s
}

// TrackTo writes score m of all windows of x: see [stringkernel.Tracker]. Each k-mer is looked up once: O(1) per
// window.
func (s *scorer) TrackTo(dst []float64, m int, x []byte, window int) {
	s.trackKmers(dst, x, window, func(values []float64) { s.coder.lookUp(values, s.tables[m], x) })
}

// TrackTo writes score m of all windows of x: see [stringkernel.Tracker]. Each k-mer is scored once.
func (s *longScorer) TrackTo(dst []float64, m int, x []byte, window int) {
	w := s.scratch.Get().(*block)
	defer s.scratch.Put(w)
	s.trackKmers(dst, x, window, func(values []float64) {
		for lo := 0; lo < len(values); lo += blockPlaces {
			hi := min(lo+blockPlaces, len(values))
			w.front = s.scores(w.front, w, x, lo, hi, len(values))
			for i := range hi - lo {
				values[lo+i] = w.front[i*s.Outputs()+m]
			}
		}
	})
}
