package gapped

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/hash"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// longScorer scores k-mers that have no table of scores: by masks or by neighbours.
type longScorer struct {
	*engine
	codes   []uint64    // k-mers with coefficients, ascending; of both strands if both count
	coef    [][]float64 // per output
	kmers   kmerScores
	scratch sync.Pool // *block
}

// kmerScores is the scores of k-mers, with both strands the sum of those of a k-mer and its reverse complement: the
// same to the bit for both.
type kmerScores interface {
	// addTo adds the scores of each k-mer of a block to its row of dst, one per output.
	addTo(dst []float64, w *block, outputs int)
	// spreadTo adds the share of each letter of a k-mer in its score for output m of that many.
	spreadTo(dst []float64, e *engine, code uint64, m, outputs int)
}

// block is the k-mers of some places, and their scores.
type block struct {
	front, back     []float64
	codes, opposite []uint64
	rows            []int // offsets of the k-mers' rows
}

// collectKmers collects the k-mers of the support vectors, of both strands if both count, ascending, and their
// coefficients per output.
func collectKmers(
	ctx context.Context, e *engine, sv *stringkernel.Corpus, coef [][]float64,
) (codes []uint64, sums [][]float64) {
	var numbers hash.Table
	total := 0
	for i := range sv.Len() {
		total += max(0, len(sv.Seq(i))-e.coder.length+1)
	}
	if e.rc {
		total *= 2
	}
	numbers.Reset(total + total/2)
	sums = make([][]float64, len(coef))
	add := func(code uint64, i int, weight float64) {
		id := numbers.Number(code)
		if int(id) == len(codes) {
			codes = append(codes, code)
			for m := range sums {
				sums[m] = append(sums[m], 0)
			}
		}
		for m := range sums {
			sums[m][id] += float64(coef[m][i] * weight)
		}
	}
	for i := range sv.Len() {
		cancel.Check(ctx)
		e.eachWeighed(sv.Seq(i), func(packed uint64, _ uint32, w weight) {
			value := e.weights.of(w)
			add(packed, i, value)
			if e.rc {
				add(e.coder.reverseComplement(packed), i, value)
			}
		})
	}
	sorted := slices.Clone(codes)
	slices.Sort(sorted)
	ordered := make([][]float64, len(coef))
	for m := range ordered {
		ordered[m] = make([]float64, len(sorted))
		for i, code := range sorted {
			ordered[m][i] = sums[m][numbers.Number(code)]
		}
	}
	return sorted, ordered
}

// newLongScorer scores by the given structure, newMaskTables or newNeighbours.
func newLongScorer[S kmerScores](
	ctx context.Context, e *engine, codes []uint64, coef [][]float64,
	build func(ctx context.Context, e *engine, codes []uint64, coef [][]float64) (S, error),
) (stringkernel.Scorer, error) {
	kmers, err := build(ctx, e, codes, coef)
	if err != nil {
		return nil, err
	}
	s := &longScorer{engine: e, codes: codes, coef: coef, kmers: kmers}
	s.scratch.New = func() any { return new(block) }
	return s, nil
}

// Outputs returns the number of scores per sequence.
func (s *longScorer) Outputs() int { return len(s.coef) }

// blockPlaces is the number of places scored at a time.
const blockPlaces = 1024

// ScoreTo writes the sums over the k-mers of x. With both strands, k-mers are taken in pairs from both ends, so that
// the reverse complement gives the same sums to the bit.
func (s *longScorer) ScoreTo(dst []float64, x []byte) {
	dst = dst[:s.Outputs()]
	clear(dst)
	w := s.scratch.Get().(*block)
	defer s.scratch.Put(w)
	if s.counted() {
		s.scoreDistinct(dst, w, x)
		return
	}
	n := len(x) - s.coder.length + 1
	if !s.rc {
		for lo := 0; lo < n; lo += blockPlaces {
			w.front = s.scores(w.front, w, x, lo, min(lo+blockPlaces, n), n)
			for i, value := range w.front {
				dst[i%len(dst)] += value
			}
		}
		return
	}
	for lo := 0; lo < (n+1)/2; lo += blockPlaces {
		hi := min(lo+blockPlaces, (n+1)/2)
		w.front = s.scores(w.front, w, x, lo, hi, n)
		w.back = s.scores(w.back, w, x, max(n-hi, hi), n-lo, n) // without the middle
		s.addFromEnds(dst, w, hi-lo)
	}
}

// scoreDistinct adds the scores of the k-mers of x, each once.
func (s *longScorer) scoreDistinct(dst []float64, w *block, x []byte) {
	list := kmerPool.Get().(*kmers)
	defer kmerPool.Put(list)
	list.list(s.engine, x)
	for lo := 0; lo < len(list.codes); lo += blockPlaces {
		hi := min(lo+blockPlaces, len(list.codes))
		w.front = scratch.Resize(w.front, (hi-lo)*len(dst))
		clear(w.front)
		w.codes, w.opposite, w.rows = append(w.codes[:0], list.codes[lo:hi]...), w.opposite[:0], w.rows[:0]
		if s.rc {
			w.opposite = append(w.opposite, list.opposite[lo:hi]...)
		}
		for i := range w.codes {
			w.rows = append(w.rows, i*len(dst))
		}
		s.kmers.addTo(w.front, w, len(dst))
		for i, value := range list.weights[lo:hi] {
			for m := range dst {
				dst[m] += float64(value * w.front[i*len(dst)+m])
			}
		}
	}
}

// addFromEnds adds place i of the front and place i of the back, from its end.
func (s *longScorer) addFromEnds(dst []float64, w *block, places int) {
	last := len(w.back)/len(dst) - 1
	for i := range places {
		for m := range dst {
			pair := w.front[i*len(dst)+m]
			if i <= last {
				pair += w.back[(last-i)*len(dst)+m]
			}
			dst[m] += pair
		}
	}
}

// scores returns in dst a row of scores for each place lo ≤ i < hi of n: zeros where a letter breaks.
func (s *longScorer) scores(dst []float64, w *block, x []byte, lo, hi, n int) []float64 {
	outputs := s.Outputs()
	dst = slices.Grow(dst[:0], (hi-lo)*outputs)[:(hi-lo)*outputs]
	clear(dst)
	w.codes, w.opposite, w.rows = w.codes[:0], w.opposite[:0], w.rows[:0]
	s.coder.each(x[lo:hi+s.coder.length-1], func(i int, packed uint64, _ uint32) {
		w.codes = append(w.codes, packed)
		if s.rc {
			w.opposite = append(w.opposite, s.coder.reverseComplement(packed))
		}
		w.rows = append(w.rows, i*outputs)
	})
	s.kmers.addTo(dst, w, outputs)
	if s.centre.peak > 0 {
		for _, at := range w.rows {
			weight := s.centre.weight(lo+at/outputs, n)
			for m := range outputs {
				dst[at+m] *= weight
			}
		}
	}
	return dst
}

// readKmers returns what arraysOf wrote, checking everything.
func readKmers(e *engine, arrays []stringkernel.Array) (codes []uint64, coef [][]float64, err error) {
	codes, coef, err = readArrays[uint64](e, arrays)
	if err != nil {
		return nil, nil, err
	}
	for i, code := range codes {
		if !e.coder.kmers.Valid(code) {
			return nil, nil, fmt.Errorf("%s: array %q: k-mer %d is %#x, want %d letters of %d bits, each below %d",
				e.name, kmersName, i, code, e.coder.length, e.coder.fold, e.coder.sigma)
		}
	}
	if e.rc {
		codes, coef = addOpposites(e, codes, coef)
	}
	return codes, coef, nil
}
