package gapped

import (
	"cmp"
	"context"
	"slices"

	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/spectrum/hadamard"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// A feature of a gapped k-mer kernel is a choice of positions and the letters there, and its weight is spread evenly
// over those letters of each of its occurrences: they are what it knows of the k-mer. With h(m) = Σ_s a_s C(l−m, s)
// a k-mer v with coefficient c gives every letter of a k-mer u at distance m on which both agree
//
//	c·(h(m) − h(l))/(l − m)
//
// since of the C(l−m, s) common choices of s positions a share of s/(l−m) contains any one of them. The choice of no
// position, with a_0 = h(l), which is 0 if h is cut, goes to all letters evenly: c·h(l)/l each. Summed over the letters
// of u this is c·h(m).
//
// All of it comes from two functions of distance. Let F = f∗c and E = e∗c on the table of all k-mers, and u(p, a) the
// k-mer u with letter a at p. Then
//
//	F(u) + Σ_a E(u(p, a))
//
// adds c·(f(r) + e(r) + (σ−1)e(r+1)) for a v that agrees with u at p and differs from it on r other positions, and
// c·(f(r+1) + e(r) + (σ−1)e(r+1)) for one that does not agree. The two recurrences of shareFunctions make these what
// they must be.

// ExplainTo spreads the score of each k-mer over its letters. With tables the first call for an output takes two
// convolutions, and 16 σ^l bytes that the scorer keeps; each then takes l·(σ + 1) look-ups per k-mer. By masks or
// neighbours it takes a few times the work of a score.
func (s *scorer) ExplainTo(dst []float64, m int, x []byte) {
	dst = dst[:len(x)]
	clear(dst)
	spread := func(letters []float64, packed uint64) {
		s.kmers.spreadTo(letters, s.engine, packed, m, s.Outputs())
	}
	switch {
	case s.alike != nil: // evenly
		table := s.tables()[m]
		spread = func(letters []float64, packed uint64) {
			for j := range letters {
				letters[j] = table[s.coder.place(packed)] / float64(len(letters))
			}
		}
	case s.tables != nil:
		t := s.shares(m)
		spread = func(letters []float64, packed uint64) { t.spread(letters, s.coder.sigma, s.coder.place(packed)) }
	}
	letters := make([]float64, s.coder.length)
	s.eachPlace(x, func(i int, packed uint64, weight float64) {
		clear(letters)
		spread(letters, packed)
		for j, v := range letters {
			dst[i+j] += float64(weight * v)
		}
	})
}

// shares returns the tables of output m.
func (s *scorer) shares(m int) *shares {
	t := &s.explained[m]
	t.once.Do(func() {
		whole, varied := s.shareFunctions()
		t.whole, t.varied = s.spreadTable(m, whole), s.spreadTable(m, varied)
	})
	return t
}

// shareFunctions returns f and e.
func (e *engine) shareFunctions() (whole, varied []float64) {
	l := e.coder.length
	uniform := e.h[l] / float64(l)
	whole, varied = make([]float64, l+1), make([]float64, l+1)
	for r := l - 1; r >= 0; r-- {
		whole[r] = whole[r+1] + (e.h[r]-e.h[l])/float64(l-r)
	}
	for r := range l { // upwards, where errors shrink
		varied[r+1] = (uniform - whole[r+1] - varied[r]) / float64(e.coder.sigma-1)
	}
	return whole, varied
}

// spreadTable convolves the coefficients of output m with a function of distance.
func (s *scorer) spreadTable(m int, h []float64) []float64 {
	table := memory.InLargePages[float64](s.coder.size)
	s.fill(table, m)
	eigen := hadamard.Eigenvalues(s.coder.sigma, s.coder.length, h)
	_ = hadamard.Convolve(context.Background(), table, s.coder.sigma, s.coder.length, eigen) // the context never ends
	s.foldStrands(table)
	return table
}

// spread writes the share of each letter of a k-mer.
func (t *shares) spread(dst []float64, sigma, place int) {
	step := 1
	for p := len(dst) - 1; p >= 0; p-- {
		sum := t.whole[place]
		lowest := place - place/step%sigma*step
		for a := range sigma {
			sum += t.varied[lowest+a*step]
		}
		dst[p] = sum
		step *= sigma
	}
}

// The features listed are k-mers of l letters with their scores, which is what the score of a sequence is the sum of:
// those of seqsvm model kmers. A gapped k-mer is in many of them. With both strands a k-mer includes its reverse
// complement.

// TopFeatures lists k-mers: see stringkernel.FeatureLister. Of a table they are all there are, O(σ^l); else those with
// coefficients, for there are too many k-mers to score them all.
func (s *scorer) TopFeatures(mix []float64, n int) []stringkernel.Feature {
	count, code := len(s.codes), func(i int) uint64 { return s.codes[i] }
	if s.tables != nil {
		count, code = s.coder.size, s.coder.packed
	}
	var w block
	weight := func(i int) float64 {
		code := code(i)
		if s.canonical(code) != code {
			return 0 // listed under the other
		}
		w.codes = append(w.codes[:0], code)
		w.front = s.rowsOf(w.front, &w)
		return float64(s.once(code) * stringkernel.Mix(mix, w.front))
	}
	return stringkernel.StrongestOf(count, n, weight, func(i int) string { return s.coder.kmers.String(code(i)) })
}

// FeaturesOf lists the k-mers of x with their scores: see stringkernel.FeatureLister.
func (s *scorer) FeaturesOf(mix []float64, x []byte, n int) []stringkernel.Feature {
	var found []occurrence
	var w block
	s.eachPlace(x, func(_ int, packed uint64, weight float64) {
		w.codes = append(w.codes, packed)
		found = append(found, occurrence{code: s.canonical(packed), weight: weight})
	})
	rows, outputs := s.rowsOf(nil, &w), s.Outputs()
	for i := range found {
		found[i].score = stringkernel.Mix(mix, rows[i*outputs:(i+1)*outputs])
	}
	return s.collect(found, n)
}

// occurrence is a k-mer somewhere in a sequence.
type occurrence struct {
	code   uint64
	score  float64
	weight float64 // of its place
}

// collect makes a feature of the occurrences of each k-mer.
func (e *engine) collect(found []occurrence, n int) []stringkernel.Feature {
	slices.SortStableFunc(found, func(a, b occurrence) int { return cmp.Compare(a.code, b.code) })
	var list []stringkernel.Feature
	for i, o := range found {
		if i == 0 || found[i-1].code != o.code {
			list = append(list, stringkernel.Feature{Text: e.coder.kmers.String(o.code), Weight: o.score})
			if e.counted() {
				list[len(list)-1].Weight = float64(o.score * o.weight)
			}
		}
		f := &list[len(list)-1]
		f.Count++
		f.Contribution += float64(o.score * o.weight)
	}
	return stringkernel.StrongestContributions(list, n)
}
