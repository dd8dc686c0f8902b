package spectrum

import (
	"context"

	"github.com/seqsvm/seqsvm/internal/countof"
	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// TrackTo writes score m of all windows of x: see [stringkernel.Tracker]. Each k-mer is looked up once, and a window is
// a sliding sum of the k-mers that lie within it: O(1) per window. With Bounded the k-mers that a window's end cuts
// short are looked up too: one look-up for k-mers in arrays, else O(K).
func (s *scorer) TrackTo(dst []float64, m int, x []byte, window int) {
	s.prepare()
	if window < s.coder.K {
		stringkernel.TrackEach(dst, s, m, x, window)
		return
	}
	values := scratch.Borrow(&scratch.Pool, len(x))
	defer scratch.Pool.Put(values)
	v := *values
	s.valuesOf(v, m, x)
	stringkernel.SlidingSumsTo(dst, v[:len(x)-s.coder.K+1], window-s.coder.K+1)
	if s.bounded() {
		s.addCutKmers(dst, m, x, v, window)
	}
}

// valuesOf writes for each position of x the value for output m of the k-mer that begins there, of K letters or, with
// Bounded, of as many as its run has left; 0 where there is none.
func (s *scorer) valuesOf(v []float64, m int, x []byte) {
	clear(v)
	var (
		codes  [blockSize]uint64
		at     [blockSize]int
		values [blockSize]float64
		n      int
	)
	flush := func() {
		s.valuesTo(values[:n], codes[:n], m)
		for i, value := range values[:n] {
			v[at[i]] = value
		}
		n = 0
	}
	for p, code := range s.coder.All(x) {
		codes[n], at[n] = code, p
		if n++; n == blockSize {
			flush()
		}
	}
	flush()
	if s.bounded() {
		for at, t := range s.coder.Tails(context.Background(), x) {
			v[at] = s.value(t.Code, t.Length, m)
		}
	}
}

// addCutKmers adds to the score of each window its last K − 1 k-mers: those that its end cuts short, and those of runs
// that end before.
func (s *scorer) addCutKmers(dst []float64, m int, x []byte, v []float64, window int) {
	most, code, run := s.coder.K-1, uint64(0), 0
	for p, b := range x {
		d := s.coder.Letter[b]
		code = code<<(s.coder.Bits&63) | uint64(d)
		if run++; d < 0 {
			run = 0
		}
		end := p + 1
		if end < window {
			continue
		}
		sum, cut := 0.0, min(run, most)
		for length := 1; length <= cut; length++ {
			sum += s.value(code&kmer.LowBits(s.coder.Bits*uint(length)), length, m)
		}
		for _, value := range v[end-most : end-cut] {
			sum += value
		}
		dst[end-window] += sum
	}
}

// trackSelf writes k(w, w) of all windows w of x, exact integers below 2⁵³: see [stringkernel.Traits]. A k-mer that
// enters a window with n others like it raises Σ count² by 2n + 1, and one that leaves lowers it by as much: O(1) per
// window, for each length with Bounded.
func (k Kernel) trackSelf(dst []float64, x []byte, window int) {
	values := countof.New(k.Count)
	k.track(dst, window, values.Square, nil, k.strands(x)...)
}

// trackJointSelf writes |φ(v) + φ(w)|² of the windows v of x and w of y in reverse order: see [stringkernel.Traits].
// The k-mers of both are counted together.
func (k Kernel) trackJointSelf(dst []float64, x, y []byte, window int) {
	values := countof.New(k.Count)
	k.track(dst, window, values.Square, nil, x, y)
}

// track writes a sum over the k-mers of each window of one sequence, or of one and of another read from its end: the
// value of the count times the weight of the k-mer, given by its code and length, 1 if there is no weight. A k-mer that
// enters or leaves a window changes its count: O(1) per window for each length. Sums of whole numbers are exact.
func (k Kernel) track(
	dst []float64, window int, value func(n uint32) float64,
	weight func(code uint64, length int) float64, seqs ...[]byte,
) {
	x := seqs[0]
	dst = dst[:len(x)-window+1]
	clear(dst)
	c := counters.Get().(*counter)
	defer counters.Put(c)
	sums, raises := make([]float64, len(dst)), []float64(nil)
	for length := k.shortest(); length <= min(k.K, window); length++ {
		coder, places := kmer.New(k.Alphabet, length), len(x)-length+1
		counts := c.identify(&coder, coder.Bits*uint(length), places, seqs)
		var weights []float64
		if weight != nil {
			weights = make([]float64, len(counts))
		}
		for s := 0; s < len(seqs) && weight != nil; s++ {
			for at, code := range coder.All(seqs[s]) {
				if s > 0 {
					at = 2*places - 1 - at
				}
				weights[c.ids[at]] = weight(code, length)
			}
		}
		slideTo(sums, window-length+1, places, c.ids, counts, func(id int32, n uint32) float64 {
			for len(raises) <= int(n) {
				m := uint32(len(raises))
				raises = append(raises, value(m+1)-value(m))
			}
			if weights == nil {
				return raises[n]
			}
			return float64(raises[n] * weights[id])
		})
		vectors.Add(dst, sums)
	}
}

// slideTo writes a sum over the features in each window of n places. ids has the feature at each place, −1 for none, of
// one sequence after another. counts, by id, are zero before and after. raise returns what one more occurrence of a
// feature adds to n. Sums have twice the digits, so that no window sees the rounding of those before.
func slideTo(dst []float64, n, places int, ids []int32, counts []uint32, raise func(id int32, n uint32) float64) {
	sum, rest := 0.0, 0.0
	add := func(value float64) {
		s := sum + value
		part := s - sum
		rest += (sum - (s - part)) + (value - part)
		sum = s
	}
	for p := range places {
		for at := p; at < len(ids); at += places {
			if id := ids[at]; id >= 0 {
				add(raise(id, counts[id]))
				counts[id]++
			}
		}
		first := p - n + 1
		if first < 0 {
			continue
		}
		dst[first] = sum + rest
		for at := first; at < len(ids); at += places {
			if id := ids[at]; id >= 0 {
				counts[id]--
				add(-raise(id, counts[id]))
			}
		}
	}
	for _, id := range ids { // of the last window
		if id >= 0 {
			counts[id] = 0
		}
	}
}
