package chain

import (
	"bytes"
	"context"
	"math/rand/v2"

	"github.com/seqsvm/seqsvm/classify/svm"
)

// Perceptron learns by passes over the sequences in random order: where the best path is wrong, the right one is added
// to the table and the other subtracted. The machine is the mean of the tables after each sequence (Collins 2002), at
// no cost: a second table has each change times the number of sequences seen before. There is no certificate, and no
// parameter but the number of passes.
type Perceptron struct {
	Passes   int
	Seed     uint64
	Progress func(svm.Progress)
}

// Learn learns from the data.
func (p Perceptron) Learn(ctx context.Context, d *Data) (*Machine, error) {
	of := records{d.Rows, d.Links}
	table, late := make([]float64, of.Size()), make([]float64, of.Size())
	l, pieces, seen := d.Links, d.pieces(), 0.0
	random := rand.New(rand.NewPCG(p.Seed, 0))
	walk := perceptronWalk{records: of, linksAt: d.Rows.Features() * l.States}
	for pass := range p.Passes {
		wrong := 0
		for _, q := range random.Perm(len(pieces)) {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			piece := pieces[q]
			wrong += walk.learn(d, piece, table, late, seen)
			seen++
		}
		svm.Report(p.Progress, "perceptron", pass+1, svm.Certificate{}, pass+1 == p.Passes)
		if wrong == 0 {
			break
		}
	}
	for i, v := range late {
		table[i] -= v / seen
	}
	return &Machine{Links: l, Table: table, Solver: "perceptron", Iterations: p.Passes}, nil
}

// perceptronWalk looks at one sequence after another.
type perceptronWalk struct {
	records
	linksAt int
	viterbi viterbi
	scores  []float64
	y       []uint8
	buf     []int32
}

// learn changes the table by one sequence, and returns the number of its wrong tokens.
func (w *perceptronWalk) learn(d *Data, q piece, table, late []float64, seen float64) (wrong int) {
	l, s, n := d.Links, d.Links.States, q.hi-q.lo
	if len(w.y) < n {
		w.y, w.scores = make([]uint8, n), make([]float64, n*s)
	}
	y, scores := w.y[:n], w.scores[:n*s]
	for t := range n {
		w.buf = d.Rows.Row(q.lo+t, w.buf[:0])
		scoreRow(scores[t*s:(t+1)*s], table, w.buf)
	}
	links := l.scores(table[w.linksAt:])
	if !q.whole {
		clear(links[l.at(Start, 0):])
	}
	w.viterbi.path(l, scores, links, y)
	coef := make([]float64, s)
	before, right := Start, Start
	change := func(at int, by float64) {
		table[at] += by
		late[at] += float64(by * seen)
	}
	if bytes.Equal(y, d.Tags[q.lo:q.hi]) {
		return 0
	}
	for t, found := range y {
		want := int(d.Tags[q.lo+t])
		if int(found) != want {
			wrong++
			w.buf = d.Rows.Row(q.lo+t, w.buf[:0])
			clear(coef)
			coef[want], coef[found] = rowScale(w.buf), -rowScale(w.buf)
			addRow(table, w.buf, coef)
			coef[want] *= seen
			coef[found] *= seen
			addRow(late, w.buf, coef)
		}
		if t > 0 || q.whole {
			change(w.linksAt+l.at(right, want), 1)
			change(w.linksAt+l.at(before, int(found)), -1)
		}
		before, right = int(found), want
	}
	return wrong
}
