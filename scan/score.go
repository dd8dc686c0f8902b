package scan

import (
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/threshold"
	"github.com/seqsvm/seqsvm/internal/elementary"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/genome"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// Hit is a window whose score reaches the threshold.
type Hit struct {
	Start  int // 0-based place of the window's first letter on the plus strand, whatever its strand
	Score  float64
	Strand genome.Strand
}

// work is the scratch of one chunk.
type work struct {
	reverse     []byte
	plus, minus []float64 // scores by position on the plus strand; NaN where no window is wanted
	// of the terms of the class on the plus strand, then on the minus strand, by position on the strand
	tracks  [][]float64
	outputs []float64 // of one window
	values  []float64 // of the terms

	thinner  thinner
	shuffled []byte // letters of a shuffle
	hits     []Hit  // in it
}

// trackFrom is the number of letters of wanted windows per position from which scoring all windows of a chunk is
// faster: a single window costs the time of its letters, and one among all that of a few.
const trackFrom = 8

// hits appends the windows of a chunk that score at least least, in order of position, Plus before Minus.
func (s *Scanner) hits(dst []Hit, w *work, c seqio.Chunk, least float64) []Hit {
	if len(c.Seq) < s.Window {
		return dst
	}
	s.scoreChunk(w, c)
	switch {
	case s.Plus && s.Minus:
		return s.appendBoth(dst, w, c.Start, least)
	case s.Minus:
		return appendOne(dst, w.minus, c.Start, genome.Minus, least)
	case s.Strandless:
		return appendOne(dst, w.plus, c.Start, genome.NoStrand, least)
	}
	return appendOne(dst, w.plus, c.Start, genome.Plus, least)
}

func appendOne(dst []Hit, scores []float64, start int, strand genome.Strand, least float64) []Hit {
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
			dst = append(dst, Hit{start + p, plus, genome.Plus})
		}
		if takeMinus {
			dst = append(dst, Hit{start + p, minus[p], genome.Minus})
		}
	}
	return dst
}

// scoreChunk sets w.plus and w.minus to the scores of the windows by position on the plus strand, NaN where no window
// is wanted.
func (s *Scanner) scoreChunk(w *work, c seqio.Chunk) {
	n := len(c.Seq) - s.Window + 1
	w.plus, w.minus = scratch.Resize(w.plus, n), scratch.Resize(w.minus, n)
	if s.Minus {
		w.reverse = s.Alphabet.ReverseComplementTo(w.reverse, c.Seq)
	}
	plus := s.Plus && s.begin(w.plus, w, c, c.Seq, genome.Plus)
	minus := s.Minus && s.begin(w.minus, w, c, w.reverse, genome.Minus)
	for i, t := range s.terms {
		switch {
		case plus && minus:
			compose.TrackStrands(w.track(i, n), w.track(len(s.terms)+i, n), s.scorer, t.Machine, c.Seq, w.reverse,
				s.Window)
		case plus:
			stringkernel.Track(w.track(i, n), s.scorer, t.Machine, c.Seq, s.Window)
		case minus:
			stringkernel.Track(w.track(len(s.terms)+i, n), s.scorer, t.Machine, w.reverse, s.Window)
		}
	}
	if plus {
		vectors.Add(w.plus, s.combineTracks(w, w.tracks[:len(s.terms)]))
	}
	if minus {
		for p, score := range s.combineTracks(w, w.tracks[len(s.terms):2*len(s.terms)]) {
			w.minus[n-1-p] += score
		}
	}
}

// track returns a vector for the scores of a term on a strand.
func (w *work) track(i, n int) []float64 {
	for len(w.tracks) <= i {
		w.tracks = append(w.tracks, nil)
	}
	w.tracks[i] = scratch.Resize(w.tracks[i], n)
	return w.tracks[i]
}

// begin writes 0 for the windows that are wanted on a strand and NaN for the others, and reports true if scores of all
// windows are to be added. If few are wanted, or the scorer does not track, it writes their scores itself. x is the
// chunk as it reads on the strand.
func (s *Scanner) begin(dst []float64, w *work, c seqio.Chunk, x []byte, strand genome.Strand) bool {
	if wanted := s.mask(dst, c, strand); s.tracks && wanted*s.Window > trackFrom*len(dst) {
		return true
	}
	for p, masked := range dst {
		if masked == 0 {
			at := p
			if strand == genome.Minus {
				at = len(dst) - 1 - p
			}
			dst[p] = s.score(w, x[at:at+s.Window])
		}
	}
	return false
}

// combineTracks makes the scores of the class from those of its machines, in the place of the first.
func (s *Scanner) combineTracks(w *work, tracks [][]float64) []float64 {
	scores := tracks[0]
	if len(tracks) == 1 {
		sign, rho := s.terms[0].Sign, s.rho(s.terms[0])
		for p, f := range scores {
			scores[p] = 0 + float64(sign*(f-rho)) // 0, not −0
		}
		return scores
	}
	w.values = scratch.Resize(w.values, len(tracks))
	for p := range scores {
		for i := range w.values {
			w.values[i] = tracks[i][p]
		}
		scores[p] = s.combine(w.values)
	}
	return scores
}

// score returns the score of one window.
func (s *Scanner) score(w *work, x []byte) float64 {
	w.outputs, w.values = scratch.Resize(w.outputs, s.scorer.Outputs()), scratch.Resize(w.values, len(s.terms))
	s.scorer.ScoreTo(w.outputs, x)
	for i, t := range s.terms {
		w.values[i] = w.outputs[t.Machine]
	}
	return s.combine(w.values)
}

// combine makes the score of the class from those of its machines, which it overwrites.
func (s *Scanner) combine(values []float64) (sum float64) {
	for i, t := range s.terms {
		values[i] -= s.rho(t)
		sum += float64(t.Sign * values[i])
	}
	if s.Raw {
		return sum
	}
	return s.combined(values)
}

func (s *Scanner) rho(t decide.Term) float64 {
	if s.Raw {
		return 0
	}
	return s.Classifier.Machines[t.Machine].Rho
}

// Level returns the share that stands for a score in a genome browser, between 0 and 1: the probability of the class if
// the classifier has one, else a logistic function.
func (s *Scanner) Level(score float64) float64 { return s.Levels().Of(score) }

// Levels are the levels of scores without the scanner.
type Levels struct {
	Sigmoid  *threshold.Sigmoid // of the probability, nil if there is none
	Opposite bool               // it is that of the other class, at minus the score
}

// Levels returns what Level computes.
func (s *Scanner) Levels() Levels {
	if !s.Classifier.Single() || s.Raw {
		return Levels{}
	}
	return Levels{s.Classifier.Machines[0].Sigmoid, s.Class != s.Classifier.Positive}
}

// Of returns the level of a score.
func (l Levels) Of(score float64) float64 {
	switch {
	case l.Sigmoid == nil:
		return 1 / (1 + elementary.Exp(-score))
	case l.Opposite:
		return 1 - l.Sigmoid.Probability(-score)
	}
	return l.Sigmoid.Probability(score)
}
