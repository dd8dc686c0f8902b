package markov

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/seqsvm/seqsvm/internal/intern"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/rows"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// chains are what a kernel has learned: one chain, or one for each class. Features are the log odds of each class, if
// there are several, then for each chain its cells.
type chains struct {
	*layout
	all    []*Chain
	weight float64 // of the log odds
}

// odds returns the number of features that are log odds.
func (m *chains) odds() int {
	if len(m.all) == 1 {
		return 0
	}
	return len(m.all)
}

// width returns the number of features of records of up to a length.
func (m *chains) width(length int) float64 {
	return float64(m.odds()) + float64(m.cells(length)*float64(len(m.all)))
}

// known returns the greatest length of records all of whose features are numbered, for a corpus.
func (m *chains) known(c *stringkernel.Corpus) int {
	if !m.positional {
		return unlimited
	}
	return min(m.length, longest(c))
}

// leads writes what a cell adds to the log odds of each class, so that the sum of the products of these over classes is
// that of v_cd over pairs of them, over K − 1.
func (m *chains) leads(dst []float64, cell int) {
	k, mean := float64(len(m.all)), 0.0
	for _, c := range m.all {
		mean += c.logs[cell] / k
	}
	for i, c := range m.all {
		dst[i] = float64(m.weight*math.Sqrt(k/(k-1))) * (c.logs[cell] - mean)
	}
}

// profile is the counts of a record by context.
type profile struct {
	contexts intern.Pairs // the first cell of each, over σ
	counts   []float64    // σ for each
	scores   [2][]float64 // room for σ
	leads    [2][]float64 // room for an entry per class
}

var profiles = sync.Pool{New: func() any { return new(profile) }}

// take counts the letters of x.
func (m *chains) take(x []byte) *profile {
	w := profiles.Get().(*profile)
	w.contexts.Reset()
	w.counts = w.counts[:0]
	for i := range w.scores {
		w.scores[i] = scratch.Resize(w.scores[i], m.sigma)
		w.leads[i] = scratch.Resize(w.leads[i], len(m.all))
	}
	m.each(x, func(cell, _, _ int) {
		id := int(w.contexts.Add(uint64(cell / m.sigma)))
		for len(w.counts) < (id+1)*m.sigma {
			w.counts = append(w.counts, 0)
		}
		w.counts[id*m.sigma+cell%m.sigma]++
	})
	return w
}

// of returns the counts of a context.
func (m *chains) of(w *profile, id int) []float64 { return w.counts[id*m.sigma : (id+1)*m.sigma] }

// score writes the s_ab of one context, whose first cell is given, from its counts.
func (c *Chain) score(dst, counts []float64, first int) []float64 {
	total := vectors.Sum(counts)
	for b, count := range counts {
		theta, scale := c.at(first + b)
		dst[b] = float64(scale * (count - float64(total*theta)))
	}
	return dst
}

// logOdds returns the log odds of the classes, none if there is one.
func (m *chains) logOdds(dst []float64, w *profile) []float64 {
	sum, lead := dst[:m.odds()], w.leads[1]
	clear(sum)
	for id, context := range w.contexts.Keys {
		for b, count := range m.of(w, id) {
			if count != 0 && len(sum) > 0 {
				m.leads(lead, int(context)*m.sigma+b)
				for c := range sum {
					sum[c] += float64(count * lead[c])
				}
			}
		}
	}
	return sum
}

// visit calls visit for the features of a record, of records that are not longer than a length.
func (m *chains) visit(w *profile, length int, visit func(id int, value float64)) {
	for c, value := range m.logOdds(w.leads[0], w) {
		visit(c, value)
	}
	cells := 0
	if len(m.all) > 1 {
		cells = int(m.cells(length))
	}
	for id, context := range w.contexts.Keys {
		first := int(context) * m.sigma
		for i, c := range m.all {
			for b, value := range c.score(w.scores[0], m.of(w, id), first) {
				visit(m.odds()+i*cells+first+b, value)
			}
		}
	}
}

// square returns k(x, x).
func (m *chains) square(w *profile) (sum float64) {
	m.visit(w, m.length, func(_ int, value float64) { sum += float64(value * value) })
	return sum
}

func (m *chains) eval(x, y []byte) (sum float64) {
	v, w := m.take(x), m.take(y)
	defer profiles.Put(v)
	defer profiles.Put(w)
	odds := m.logOdds(w.leads[0], w)
	for c, value := range m.logOdds(v.leads[0], v) {
		sum += float64(value * odds[c])
	}
	for i, context := range v.contexts.Keys {
		j := w.contexts.Find(context)
		if j == intern.None {
			continue
		}
		first := int(context) * m.sigma
		for _, c := range m.all {
			other := c.score(w.scores[0], m.of(w, int(j)), first)
			for b, value := range c.score(v.scores[0], m.of(v, i), first) {
				sum += float64(value * other[b])
			}
		}
	}
	return sum
}

// entryBytes is the memory of a feature of a record, in rows and turned round.
const entryBytes = 36

// rows lists the features of a corpus whose records are not longer than a length, as far as they have features.
func (m *chains) rows(ctx context.Context, c *stringkernel.Corpus, length int) (*rows.Rows, error) {
	entries, contexts := 0.0, m.cells(length)/float64(m.sigma)
	for i := range c.Len() {
		listed := min(float64(m.strands()*len(c.Seq(i))), contexts)
		entries += float64(listed*float64(m.sigma*len(m.all))) + float64(m.odds())
	}
	if m.width(length) > mostCells {
		return nil, fmt.Errorf("markov: %.3g features, want at most %d: take a lower order", m.width(length), mostCells)
	}
	if err := memory.Check(float64(entryBytes*entries) + float64(8*m.width(length))); err != nil {
		return nil, fmt.Errorf("markov: %w", &stringkernel.IndexError{Letters: c.Letters(), Err: err})
	}
	return rows.Collect(ctx, c.Len(), int(m.width(length)), func(r *rows.Rows, lo, hi int) {
		for i := lo; i < hi; i++ {
			w := m.take(c.Seq(i))
			m.visit(w, length, func(id int, value float64) { r.Add(int32(id), value) })
			profiles.Put(w)
			r.End()
		}
	}), nil
}
