package chain

import (
	"bytes"
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/vectors"
)

const (
	batch      = 64  // sequences whose worst paths are sought by one table, in parallel
	mostRounds = 10  // over known paths, between two passes that seek others
	settled    = 0.3 // share of the gap of a pass at which its rounds end
)

// Blocks minimises the risk Margin(d, c) in its dual: every path of a sequence has a weight, those of a sequence sum to
// c, and the table is the sum of weight · (Φ(right path) − Φ(path)). A pass seeks the path of greatest loss and score
// of each sequence; rounds over the few known paths follow, which look at the tokens alone that these disagree on. A
// step moves weight from the worst path of a sequence to its best as far as the dual grows: pairwise Frank–Wolfe by
// blocks (Lacoste-Julien et al. 2013, Osokin et al. 2016). The table follows each sequence at once, where that of
// cutting planes follows all of them once a pass: that is why far fewer passes do.
func Blocks(ctx context.Context, d *Data, c float64, o Options) (*Machine, error) {
	b := newBlocks(d, c)
	m := &Machine{Links: d.Links, Solver: "block-frank-wolfe"}
	tol, most, random := cmp.Or(o.Tol, 1e-3), cmp.Or(o.MaxIterations, 10_000), rand.New(rand.NewPCG(1, 0))
	for done := false; !done; {
		m.Iterations++
		gap, err := b.pass(ctx, random.Perm(len(b.blocks)))
		if err != nil {
			return nil, err
		}
		m.Certificate = svm.Between(b.dual()+gap, b.dual())
		if done = m.Iterations == most; done || m.Gap <= tol {
			m.Certificate = b.certify()
			done = done || m.Gap <= tol
		}
		svm.Report(o.Progress, m.Solver, m.Iterations, m.Certificate, done)
	}
	m.Table = b.table
	return m, nil
}

// weighted is a path of a sequence.
type weighted struct {
	y      []uint8
	wrong  float64 // number of tokens
	weight float64
}

// block is what is known of a sequence: the right path, which comes first, and those that have a weight.
type block struct {
	piece
	paths []weighted
}

// disagree reports whether the paths have several states at token t.
func (q *block) disagree(t int) bool {
	return slices.ContainsFunc(q.paths[1:], func(p weighted) bool { return p.y[t] != q.paths[0].y[t] })
}

// blocks are all sequences and their table.
type blocks struct {
	records
	risk   Risk
	blocks []block
	table  []float64
	zeros  []float64    // of the size of the table, for the difference of two paths
	scores [2][]float64 // of links: of sequences whose begin is not known, and of whole ones
	pairs  []float64    // of links: how often one path has them more than another
	buf    []int32
	known  seeker
}

func newBlocks(d *Data, c float64) *blocks {
	b := &blocks{records: records{d.Rows, d.Links}, risk: Margin(d, c), pairs: make([]float64, d.Links.size())}
	b.table, b.zeros = make([]float64, b.Size()), make([]float64, b.Size())
	b.scores[1] = d.Links.scores(b.pairs)
	b.scores[0] = append([]float64(nil), b.scores[1]...)
	clear(b.scores[0][d.Links.at(Start, 0):])
	for _, q := range b.risk.pieces {
		b.blocks = append(b.blocks, block{q, []weighted{{y: d.Tags[q.lo:q.hi], weight: c}}})
	}
	return b
}

// linksOf returns the scores of the links of a sequence.
func (b *blocks) linksOf(q *block) []float64 {
	if q.whole {
		return b.scores[1]
	}
	return b.scores[0]
}

// pass visits all sequences, and returns the sum of the gaps that they had then.
func (b *blocks) pass(ctx context.Context, order []int) (gap float64, err error) {
	var found [batch]seeker
	for some := range slices.Chunk(order, batch) {
		err := parallel.Do(ctx, len(some), func(i int) error {
			q := &b.blocks[some[i]]
			found[i].score(b, q, true)
			found[i].path(b.links, found[i].scores, b.linksOf(q), found[i].y)
			return nil
		})
		if err != nil {
			return 0, err
		}
		for i, q := range some {
			gap += b.join(&found[i], &b.blocks[q])
		}
	}
	for range mostRounds {
		left := 0.0
		for _, i := range order {
			if q := &b.blocks[i]; len(q.paths) > 1 {
				b.known.score(b, q, false)
				left += b.step(&b.known, q)
			}
		}
		if left < settled*gap {
			break
		}
	}
	return gap, ctx.Err()
}

// seeker has the scores of a sequence and its best path. It is scratch memory of one goroutine.
type seeker struct {
	viterbi
	scores []float64 // of tokens and states, with the loss
	y      []uint8
	buf    []int32
}

// score writes the scores of all tokens, or 0 of those that the paths agree on.
func (o *seeker) score(b *blocks, q *block, all bool) {
	s, n := b.links.States, q.hi-q.lo
	o.y, o.scores = slices.Grow(o.y[:0], n)[:n], slices.Grow(o.scores[:0], n*s)[:n*s]
	for t, right := range q.paths[0].y {
		of := o.scores[t*s : (t+1)*s]
		if !all && !q.disagree(t) {
			clear(of)
			continue
		}
		o.buf = b.rows.Row(q.lo+t, o.buf[:0])
		scoreRow(of, b.table, o.buf)
		of[right]--
	}
}

// join adds the path that was found to those of the sequence, and moves weight.
func (b *blocks) join(o *seeker, q *block) (gap float64) {
	if !slices.ContainsFunc(q.paths, func(p weighted) bool { return bytes.Equal(p.y, o.y) }) {
		wrong := 0.0
		for t, s := range o.y {
			if s != q.paths[0].y[t] {
				wrong++
			}
		}
		q.paths = append(q.paths, weighted{y: bytes.Clone(o.y), wrong: wrong})
	}
	return b.step(o, q)
}

// step moves weight from the worst path that has any to the best, and returns the gap of the sequence before.
func (b *blocks) step(o *seeker, q *block) (gap float64) {
	if len(q.paths) == 1 {
		return 0
	}
	up, down, most, least, mean := 0, 0, math.Inf(-1), math.Inf(1), 0.0
	for i, p := range q.paths {
		h := b.links.path(o.scores, b.linksOf(q), p.y)
		mean += float64(h * p.weight)
		if h > most {
			most, up = h, i
		}
		if p.weight > 0 && h < least {
			least, down = h, i
		}
	}
	if up != down {
		b.move(q, &q.paths[up], &q.paths[down])
	}
	q.paths = q.paths[:1+len(slices.DeleteFunc(q.paths[1:], func(p weighted) bool { return p.weight == 0 }))]
	return max(0, float64(most*b.risk.c)-mean)
}

// move moves weight from one path to another until the dual grows no more, or there is none left.
func (b *blocks) move(q *block, up, down *weighted) {
	l, at := b.links, len(b.table)-b.links.size()
	gain, square := up.wrong-down.wrong, 0.0
	b.eachUnlike(q, up.y, down.y, func(value float64, u, v int) {
		gain += float64(value * (b.table[u] - b.table[v]))
		b.zeros[u] += value
		b.zeros[v] -= value
	})
	b.eachUnlike(q, up.y, down.y, func(value float64, u, v int) { square += float64(value * (b.zeros[u] - b.zeros[v])) })
	clear(b.pairs)
	for t := range up.y {
		if t > 0 {
			b.pairs[l.at(int(up.y[t-1]), int(up.y[t]))]++
			b.pairs[l.at(int(down.y[t-1]), int(down.y[t]))]--
		} else if q.whole {
			b.pairs[l.at(Start, int(up.y[t]))]++
			b.pairs[l.at(Start, int(down.y[t]))]--
		}
	}
	gain += vectors.Dot(b.pairs, b.table[at:])
	square += vectors.Dot(b.pairs, b.pairs)
	by := min(max(0, gain/square), down.weight)
	b.eachUnlike(q, up.y, down.y, func(value float64, u, v int) {
		b.table[u] -= float64(by * value)
		b.table[v] += float64(by * value)
		b.zeros[u], b.zeros[v] = 0, 0
	})
	for i, n := range b.pairs {
		b.table[at+i] -= float64(by * n)
		b.scores[1][i] -= float64(by * n)
		if i < l.at(Start, 0) {
			b.scores[0][i] -= float64(by * n)
		}
	}
	up.weight += by
	down.weight -= by
}

// eachUnlike calls visit with the value of each feature of the tokens that have two states, and its places in a table.
func (b *blocks) eachUnlike(q *block, up, down []uint8, visit func(value float64, u, v int)) {
	s := b.links.States
	for t, u := range up {
		if v := down[t]; u != v {
			b.buf = b.rows.Row(q.lo+t, b.buf[:0])
			value := rowScale(b.buf)
			for _, j := range b.buf {
				visit(value, int(j)*s+int(u), int(j)*s+int(v))
			}
		}
	}
}

// dual is the value of the dual.
func (b *blocks) dual() float64 {
	sum := -vectors.Dot(b.table, b.table) / 2
	for _, q := range b.blocks {
		for _, p := range q.paths {
			sum += float64(p.weight * p.wrong)
		}
	}
	return sum
}

// certify computes the primal at the table.
func (b *blocks) certify() svm.Certificate {
	at := objective{of: b.records, risk: b.risk, f: make([]float64, b.Len()), a: make([]float64, b.Len())}
	at.gradient = make([]float64, b.Size())
	return svm.Between(at.value(b.table), b.dual())
}
