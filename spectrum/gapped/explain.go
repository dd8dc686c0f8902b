package gapped

import (
	"context"
	"math/bits"
	"sync"

	"github.com/seqsvm/seqsvm/spectrum/hadamard"
)

// A feature of a gapped k-mer kernel is a choice of positions and the letters there, and its weight is spread evenly
// over those letters of each of its occurrences: they are what it knows of the k-mer. With h(m) = Σ_s a_s C(l−m, s), as
// in masks.go, a k-mer v with coefficient c gives every letter of a k-mer u at distance m on which both agree
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
// c·(f(r+1) + e(r) + (σ−1)e(r+1)) for one that does not agree. The two recurrences of newShares make these what they
// must be.

// shares spreads the scores of one output. It is made when it is first asked for, since it takes twice the memory of
// the scores.
type shares struct {
	once          sync.Once
	whole, varied []float64 // F and E
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

// shares returns the tables of output m.
func (s *scorer) shares(m int) *shares {
	t := &s.explained[m]
	t.once.Do(func() {
		whole, varied := s.shareFunctions()
		t.whole, t.varied = s.spreadTable(m, whole), s.spreadTable(m, varied)
	})
	return t
}

// spreadTable convolves the coefficients of output m with a function of distance.
func (s *scorer) spreadTable(m int, h []float64) []float64 {
	table := make([]float64, s.coder.size)
	s.fill(table, m)
	eigen := hadamard.Eigenvalues(s.coder.sigma, s.coder.length, h)
	_ = hadamard.Convolve(context.Background(), table, s.coder.sigma, s.coder.length, eigen) // the context never ends
	s.foldStrands(table)
	return table
}

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
		spread = func(letters []float64, packed uint64) {
			for j := range letters {
				letters[j] = s.tables[m][s.coder.place(packed)] / float64(len(letters))
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

// spreadTo adds the value of each mask to the letters it chooses; on the other strand they are the mirrored ones.
func (tables maskTables) spreadTo(dst []float64, e *engine, code uint64, m, outputs int) {
	for i := range tables {
		t := &tables[i]
		e.coder.spreadOver(dst, t.letters, t.row(code, outputs)[m])
		if e.rc {
			e.coder.spreadOver(dst, e.coder.mirrored(t.letters), t.row(e.coder.reverseComplement(code), outputs)[m])
		}
	}
}

// spreadTo adds to each letter what the neighbours that agree on it give. With both strands the reverse complements of
// the neighbours give the reverse complement of the k-mer the same.
func (n *neighbours) spreadTo(dst []float64, e *engine, code uint64, m, outputs int) {
	l, strands := e.coder.length, 1.0
	if e.rc {
		strands = 2
	}
	for i := range n.choices {
		n.eachNeighbour(code, &n.choices[i], func(number uint32, difference uint64, distance int) {
			v := strands * n.values[int(number)*outputs+m]
			e.coder.spreadOver(dst, e.coder.all, v*e.h[l])
			if distance < l {
				e.coder.spreadOver(dst, e.coder.agreeing(difference), v*(e.h[distance]-e.h[l]))
			}
		})
	}
}

// spreadOver adds equal shares of a value to the letters of a k-mer that are chosen, all of them if none is. Letters
// are marked by their lowest bits.
func (c *coder) spreadOver(dst []float64, letters uint64, value float64) {
	letters &= c.mask
	if letters == 0 {
		letters = c.mask
	}
	value /= float64(bits.OnesCount64(letters))
	for ; letters != 0; letters &= letters - 1 {
		dst[c.length-1-bits.TrailingZeros64(letters)/c.fold] += value
	}
}

// mirrored returns the letters of a mask in reverse order. Nucleotides only.
func (c *coder) mirrored(letters uint64) uint64 { return c.reverseComplement(^letters) }

// agreeing marks the letters in which two k-mers with that difference agree.
func (c *coder) agreeing(difference uint64) uint64 { return ^c.folded(difference) & c.mask }
