package scan

import (
	"math"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Hit is a window that scored enough.
type Hit struct {
	Start  int // 0-based place of the window's first letter on the plus strand, whatever its strand
	Score  float64
	Strand Strand
}

// work is the scratch of one chunk.
type work struct {
	reverse     []byte
	plus, minus []float64   // scores by position on the plus strand; NaN where no window is wanted
	tracks      [][]float64 // of the terms of the class, by position on the strand
	outputs     []float64   // of one window
	values      []float64   // of the terms
}

// trackFrom is how many letters of wanted windows there are per position where scoring all windows of a chunk pays: a window by itself costs the time of
// its letters, and one among all that of a few.
const trackFrom = 8

// hits appends the windows of a chunk that score at least least, in order of position, Plus before Minus.
func (s *Scanner) hits(dst []Hit, w *work, c seqio.Chunk, least float64) []Hit {
	if len(c.Seq) < s.Window {
		return dst
	}
	if s.Plus {
		w.plus = s.strand(w.plus, w, c, c.Seq, Plus)
	}
	if s.Minus {
		w.reverse = s.Alphabet.ReverseComplementTo(w.reverse, c.Seq)
		w.minus = s.strand(w.minus, w, c, w.reverse, Minus)
	}
	switch {
	case s.Plus && s.Minus:
		return s.appendBoth(dst, w, c.Start, least)
	case s.Minus:
		return appendOne(dst, w.minus, c.Start, Minus, least)
	case s.Strandless:
		return appendOne(dst, w.plus, c.Start, Neither, least)
	}
	return appendOne(dst, w.plus, c.Start, Plus, least)
}

func appendOne(dst []Hit, scores []float64, start int, strand Strand, least float64) []Hit {
	for p, score := range scores {
		if score >= least { // NaN is not
			dst = append(dst, Hit{start + p, score, strand})
		}
	}
	return dst
}

func (s *Scanner) appendBoth(dst []Hit, w *work, start int, least float64) []Hit {
	minus := w.minus[:len(w.plus)]
	for p, plus := range w.plus {
		takePlus, takeMinus := plus >= least, minus[p] >= least
		if !takePlus && !takeMinus {
			continue
		}
		if s.BetterStrand && takePlus && takeMinus {
			takePlus = plus >= minus[p]
			takeMinus = !takePlus
		}
		if takePlus {
			dst = append(dst, Hit{start + p, plus, Plus})
		}
		if takeMinus {
			dst = append(dst, Hit{start + p, minus[p], Minus})
		}
	}
	return dst
}

// strand returns in dst the scores of the windows read on one strand, by position on the plus strand; NaN where no window is wanted. x is the chunk
// as it reads on the strand.
func (s *Scanner) strand(dst []float64, w *work, c seqio.Chunk, x []byte, strand Strand) []float64 {
	n := len(x) - s.Window + 1
	dst = resize(dst, n)
	wanted := s.mask(dst, c, strand)
	if wanted*s.Window <= trackFrom*n {
		for p, masked := range dst {
			if masked == 0 {
				at := p
				if strand == Minus {
					at = n - 1 - p
				}
				dst[p] = s.score(w, x[at:at+s.Window])
			}
		}
		return dst
	}
	scores := s.track(w, x)
	if strand == Minus {
		for p := range dst {
			dst[p] += scores[n-1-p]
		}
		return dst
	}
	for p, score := range scores {
		dst[p] += score
	}
	return dst
}

// track returns the scores of all windows of x.
func (s *Scanner) track(w *work, x []byte) []float64 {
	n := len(x) - s.Window + 1
	for len(w.tracks) < len(s.terms) {
		w.tracks = append(w.tracks, nil)
	}
	for i, t := range s.terms {
		w.tracks[i] = resize(w.tracks[i], n)
		stringkernel.Track(w.tracks[i], s.scorer, t.Machine, x, s.Window)
	}
	scores := w.tracks[0]
	if len(s.terms) == 1 {
		sign, rho := s.terms[0].Sign, s.rho(s.terms[0])
		for p, f := range scores {
			scores[p] = sign * (f - rho)
		}
		return scores
	}
	w.values = resize(w.values, len(s.terms))
	for p := range scores {
		for i := range w.values {
			w.values[i] = w.tracks[i][p]
		}
		scores[p] = s.combine(w.values)
	}
	return scores
}

// score returns the score of one window.
func (s *Scanner) score(w *work, x []byte) float64 {
	w.outputs, w.values = resize(w.outputs, s.scorer.Outputs()), resize(w.values, len(s.terms))
	s.scorer.ScoreTo(w.outputs, x)
	for i, t := range s.terms {
		w.values[i] = w.outputs[t.Machine]
	}
	return s.combine(w.values)
}

// combine makes the score of the class from those of its machines, as classify.Decision does.
func (s *Scanner) combine(values []float64) float64 {
	votes, sum := 0.0, 0.0
	for i, t := range s.terms {
		d := values[i] - s.rho(t)
		if (t.Sign > 0) == (d > 0) {
			votes++
		}
		sum += t.Sign * d
	}
	if s.Raw || s.Classifier.Scheme != classify.OneVsOne {
		return sum
	}
	return votes + sum/(3*(math.Abs(sum)+1))
}

func (s *Scanner) rho(t classify.Term) float64 {
	if s.Raw {
		return 0
	}
	return s.Classifier.Machines[t.Machine].Rho
}

// resize returns a vector of length n, in v's memory where that suffices. Its content is arbitrary.
func resize(v []float64, n int) []float64 {
	if cap(v) < n {
		return make([]float64, n)
	}
	return v[:n]
}
