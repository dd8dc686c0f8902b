package markov

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/internal/rows"
	"github.com/seqsvm/seqsvm/internal/stored"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// scorer is what a letter after its context adds to each output: the features of a record are linear in its counts.
type scorer struct {
	*chains
	outputs int
	weights []float64 // one number per output for each cell
}

// merge adds up the features of support vectors, and folds them into weights of cells of records of up to a length.
func (m *chains) merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients, length int,
) (*scorer, error) {
	listed, err := m.rows(ctx, sv, length)
	if err != nil {
		return nil, err
	}
	if err := rows.CheckTable(listed.Width(), c.Outputs, 2*c.Outputs); err != nil {
		return nil, fmt.Errorf("markov: %w", err)
	}
	sums := make([]float64, listed.Width()*c.Outputs)
	rows.AddUp(c, listed.Row, func(id uint32) []float64 { return sums[int(id)*c.Outputs:][:c.Outputs] })
	cells := int(m.cells(length))
	s := &scorer{m, c.Outputs, make([]float64, cells*c.Outputs)}
	s.addOdds(sums)
	for i, chain := range m.all {
		s.addScores(chain, sums[(m.odds()+i*cells)*c.Outputs:])
	}
	return s, nil
}

// weightsOf returns the weights of a cell, nil if no support vector can have it.
func (s *scorer) weightsOf(cell int) []float64 {
	if at := cell * s.outputs; at < len(s.weights) {
		return s.weights[at : at+s.outputs]
	}
	return nil
}

// addOdds adds to the weights of cells what they get by the sums of log odds.
func (s *scorer) addOdds(sums []float64) {
	if s.odds() == 0 {
		return
	}
	leads := make([]float64, len(s.all))
	for cell := range len(s.weights) / s.outputs {
		s.leads(leads, cell)
		for m := range s.outputs {
			for c, lead := range leads {
				s.weights[cell*s.outputs+m] += float64(sums[c*s.outputs+m] * lead)
			}
		}
	}
}

// addScores adds what they get by the sums of the scores of a chain: an occurrence of b after a adds to that of each
// letter c after it [c = b] − θ_{c|a}, in its scale.
func (s *scorer) addScores(chain *Chain, sums []float64) {
	for first := 0; first < len(s.weights)/s.outputs; first += s.sigma {
		for m := range s.outputs {
			mean := 0.0
			for cell := first; cell < first+s.sigma; cell++ {
				theta, scale := chain.at(cell)
				mean += float64(theta * float64(scale*sums[cell*s.outputs+m]))
			}
			for cell := first; cell < first+s.sigma; cell++ {
				_, scale := chain.at(cell)
				s.weights[cell*s.outputs+m] += float64(scale*sums[cell*s.outputs+m]) - mean
			}
		}
	}
}

// Outputs returns the number of scores per record.
func (s *scorer) Outputs() int { return s.outputs }

// ScoreTo writes the scores of x with a look-up per letter.
func (s *scorer) ScoreTo(dst []float64, x []byte) {
	dst = dst[:s.outputs]
	clear(dst)
	s.each(x, func(cell, _, _ int) {
		vectors.Add(dst, s.weightsOf(cell))
	})
}

// Traits says that a score knows k(x, x).
func (s *scorer) Traits() stringkernel.Traits { return stringkernel.Traits{SelfScoreTo: s.selfScoreTo} }

// selfScoreTo is ScoreTo and also returns k(x, x).
func (s *scorer) selfScoreTo(dst []float64, x []byte) float64 {
	s.ScoreTo(dst, x)
	w := s.take(x)
	defer profiles.Put(w)
	return s.square(w)
}

// ExplainTo spreads what a letter after its context adds to score m evenly over the letters of both.
func (s *scorer) ExplainTo(dst []float64, m int, x []byte) {
	clear(dst[:len(x)])
	s.each(x, func(cell, first, last int) {
		if weights := s.weightsOf(cell); weights != nil {
			for p := first; p <= last; p++ {
				dst[p] += weights[m] / float64(last-first+1)
			}
		}
	})
}

// The arrays of a scorer.
const (
	recordsName = "records"
	countsName  = "counts"
	weightsName = "weights"
)

func (s *scorer) arrays() []stringkernel.Array {
	var records, counts []float64
	for _, c := range s.all {
		if c.counts == nil {
			return nil
		}
		records, counts = append(records, c.records), append(counts, c.counts...)
	}
	return []stringkernel.Array{
		stored.Outputs(s.outputs),
		{Name: recordsName, Data: records},
		{Name: countsName, Data: counts},
		{Name: weightsName, Data: s.weights},
	}
}

func (k Kernel) restore(a *stored.Arrays) (*scorer, error) {
	outputs := a.Outputs()
	records := a.Table(recordsName, -1, 1)
	counts := a.Table(countsName, -1, max(1, len(records)))
	weights := a.Table(weightsName, len(counts)/max(1, len(records)), outputs)
	if err := a.Close(); err != nil {
		return nil, err
	}
	if len(records) == 0 || k.Top == (len(records) == 1) {
		return nil, fmt.Errorf("array %q has %d chains, want 1, or 2 or more with top", recordsName, len(records))
	}
	cells := len(counts) / len(records)
	l := newLayout(k, 0)
	if length, ok := l.lengthOf(cells); k.Positional && ok {
		l.length = length
	} else if k.Positional || float64(cells) != l.cells(unlimited) {
		return nil, fmt.Errorf("array %q has %d counts of a chain, which are none of order %d", countsName, cells, k.Order)
	}
	for i, count := range counts {
		if count < 0 || math.Signbit(records[i/cells]) {
			return nil, fmt.Errorf("count %d is %v of %v records, want them ≥ 0", i, count, records[i/cells])
		}
	}
	m := &chains{layout: l, weight: cmp.Or(k.Odds, 1)}
	for i, n := range records {
		chain := &Chain{layout: l, records: n, counts: counts[i*cells : (i+1)*cells]}
		chain.estimate(k.Pseudo)
		m.all = append(m.all, chain)
	}
	return &scorer{m, outputs, weights}, nil
}
