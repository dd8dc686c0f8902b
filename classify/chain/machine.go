package chain

import (
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/classify/svm"
)

// Machine labels tokens.
type Machine struct {
	Links Links
	// Table has S entries for each feature, and then those of the links: see Margin.
	Table []float64
	svm.Certificate
	Solver     string
	Iterations int // passes or evaluations
}

// Check returns an error unless the table has finite entries for some number of features.
func (m *Machine) Check() error {
	if err := m.Links.Check(); err != nil {
		return err
	}
	if free := len(m.Table) - m.Links.size(); free < 0 || free%m.Links.States != 0 {
		return fmt.Errorf("chain: a table of %d entries, want %d and a multiple of %d", len(m.Table), m.Links.size(),
			m.Links.States)
	}
	for i, w := range m.Table {
		if math.IsNaN(w) || math.Abs(w) > 1e100 {
			return fmt.Errorf("chain: entry %d of the table is %v, want a number of at most 1e100", i, w)
		}
	}
	return nil
}

// Features returns the number of features.
func (m *Machine) Features() int { return (len(m.Table) - m.Links.size()) / m.Links.States }

// Weight returns what a feature adds to the score of a state where it is the only one of its token.
func (m *Machine) Weight(feature int32, state int) float64 {
	return m.Table[int(feature)*m.Links.States+state]
}

// LinkScores returns the scores of links, −∞ for those that are forbidden: S of those after state 0, and so on; at last
// S of the first states.
func (m *Machine) LinkScores() []float64 {
	return m.Links.scores(m.Table[m.Features()*m.Links.States:])
}

// Tagger labels sequences with a machine. It has scratch memory, and is not for concurrent use; make one per goroutine.
type Tagger struct {
	machine *Machine
	links   []float64
	scores  []float64
	buf     []int32
	viterbi viterbi
	forward forward
	ready   bool
}

// Tagger returns a new one.
func (m *Machine) Tagger() *Tagger { return &Tagger{machine: m, links: m.LinkScores()} }

// Score writes the scores of the tokens lo … hi−1 of rows for each state, until the next call.
func (g *Tagger) Score(rows Rows, lo, hi int) []float64 {
	s := g.machine.Links.States
	if cap(g.scores) < (hi-lo)*s {
		g.scores = make([]float64, (hi-lo)*s)
	}
	g.scores = g.scores[:(hi-lo)*s]
	for t := lo; t < hi; t++ {
		g.buf = rows.Row(t, g.buf[:0])
		scoreRow(g.scores[(t-lo)*s:(t-lo+1)*s], g.machine.Table, g.buf)
	}
	return g.scores
}

// Tag writes the best states, given the scores of the tokens of a sequence: those of greatest score by Viterbi's
// algorithm, in S² operations per token.
func (g *Tagger) Tag(y []uint8, scores []float64) {
	g.viterbi.path(g.machine.Links, scores, g.links, y)
}

// Marginals writes the probability of each state of each token, given the scores of the tokens of a sequence:
// exponentials of the scores of paths over their sum. They are those that a machine of Likelihood was trained for; of
// others they say no more than which tokens are less certain.
func (g *Tagger) Marginals(p, scores []float64) {
	if !g.ready {
		g.forward.prepare(g.machine.Links, g.links)
		g.ready = true
	}
	g.forward.sum(g.machine.Links, scores)
	g.forward.marginals(g.machine.Links, p, nil)
}
