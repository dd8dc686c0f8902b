package treekernel

import (
	"cmp"
	"context"
	"fmt"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// collection is the records of a corpus.
type collection struct {
	kernel      *pairwise
	forests     []*forest // of consecutive records; one is full once it has mostPairs pairs of subtrees of one class
	kept        kept
	comparers   sync.Pool // of *comparer
	classifiers sync.Pool // of *classifier
}

// letterBytes is the memory of a letter of records in brackets while they are read, at most; the forests have 2 to 6.
const letterBytes = 20

// collect reads a corpus and calls visit with each record.
func (k *pairwise) collect(ctx context.Context, c *stringkernel.Corpus, visit func(x *subtrees)) (*collection, error) {
	if err := cmp.Or(stringkernel.CheckLetters(c), stringkernel.CheckIndex(c, letterBytes)); err != nil {
		return nil, fmt.Errorf("%s: %w", k.name, err)
	}
	reader := k.classifier()
	s := &collection{kernel: k}
	s.comparers.New = func() any { return &comparer{kept: &s.kept} }
	s.classifiers.New = func() any {
		c := k.classifier()
		c.known, c.open = reader.known, false
		return c
	}
	p := newPlanting()
	for i := range c.Len() {
		cancel.Check(ctx)
		x, err := reader.classified(c.Seq(i))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", k.name, recordError(c, i, err))
		}
		if p.pairs >= mostPairs {
			s.forests = append(s.forests, p.forest())
			p = newPlanting()
		}
		p.plant(x)
		visit(x)
	}
	s.forests = append(s.forests, p.forest())
	return s, nil
}

// compareLoaded writes the values of the loaded record with all records.
func (s *collection) compareLoaded(w *comparer, dst []float64) {
	clear(dst)
	for _, f := range s.forests {
		w.addTo(dst[:f.records()], f, s.kernel)
		dst = dst[f.records():]
	}
}

// with calls visit with a comparer that has loaded x, without subtrees if that is not trees.
func (s *collection) with(x []byte, visit func(w *comparer)) {
	c := s.classifiers.Get().(*classifier)
	defer s.classifiers.Put(c)
	w := s.comparers.Get().(*comparer)
	defer s.comparers.Put(w)
	y, _ := c.classified(x)
	w.load(y)
	visit(w)
}

// pairGram computes rows.
type pairGram struct {
	*collection
	diag []float64
}

// Gram indexes a corpus.
func (k *pairwise) Gram(ctx context.Context, c *stringkernel.Corpus) (gram stringkernel.Gram, err error) {
	defer cancel.Catch(&err)
	g, w := &pairGram{diag: make([]float64, 0, c.Len())}, new(comparer)
	s, err := k.collect(ctx, c, func(x *subtrees) { g.diag = append(g.diag, w.value(k, x, x)) })
	g.collection = s
	return g, err
}

// Len returns the number of records.
func (g *pairGram) Len() int { return len(g.diag) }

// Diag writes k(x_i, x_i).
func (g *pairGram) Diag(dst []float64) { copy(dst, g.diag) }

// Traits says that products are computed from rows, which are quick unless pairs of nodes take long.
func (g *pairGram) Traits() stringkernel.Traits {
	return stringkernel.Traits{RowBased: true, QuickRows: !g.kernel.subsequences}
}

// MulVecTo writes K·v from the rows of v's nonzero entries.
func (g *pairGram) MulVecTo(dst, v []float64) { stringkernel.MulByRows(g, dst, v) }

// Row writes k(x_i, x_j) for every j, in time linear in the nodes that have a class of those of x_i.
func (g *pairGram) Row(dst []float64, i int) {
	w := g.comparers.Get().(*comparer)
	defer g.comparers.Put(w)
	f := 0
	for ; i >= g.forests[f].records(); f++ {
		i -= g.forests[f].records()
	}
	w.loadOwn(g.forests[f], i)
	g.compareLoaded(w, dst)
}

// Traits says that records are compared with those of an index.
func (k *pairwise) Traits() stringkernel.Traits { return stringkernel.Traits{Compare: k.compare} }

// compare indexes a corpus for comparisons.
func (k *pairwise) compare(ctx context.Context, c *stringkernel.Corpus) (values stringkernel.Comparison, err error) {
	defer cancel.Catch(&err)
	s, err := k.collect(ctx, c, func(*subtrees) {})
	if err != nil {
		return nil, err
	}
	return func(dst []float64, x []byte) {
		s.with(x, func(w *comparer) { s.compareLoaded(w, dst) })
	}, nil
}

// pairScorer has a weight of each distinct subtree for each output, Σ coef over its occurrences in support vectors.
type pairScorer struct {
	*collection
	outputs int
	weights [][]float64 // of each forest, by subtree
}

// Merge sums up the weights of distinct subtrees.
func (k *pairwise) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (merged stringkernel.Scorer, err error) {
	defer cancel.Catch(&err)
	if err := c.Check(sv); err != nil {
		return nil, fmt.Errorf("%s: %w", k.name, err)
	}
	s, err := k.collect(ctx, sv, func(*subtrees) {})
	if err != nil {
		return nil, err
	}
	scorer, before := &pairScorer{collection: s, outputs: c.Outputs}, 0
	for _, f := range s.forests {
		weights := make([]float64, f.len()*c.Outputs)
		for subtree := range f.len() {
			for _, host := range f.hosts[f.hostsAt[subtree]:f.hostsAt[subtree+1]] {
				c.AddTo(weights[subtree*c.Outputs:][:c.Outputs], before+int(host), 1)
			}
		}
		before += f.records()
		f.hosts, f.hostsAt, f.members = nil, nil, nil
		scorer.weights = append(scorer.weights, weights)
	}
	return scorer, nil
}

// Outputs returns the number of coefficient vectors.
func (s *pairScorer) Outputs() int { return s.outputs }

// ScoreTo writes Σ_i coef[m][i]·k(x_i, x) for every m, in time linear in the distinct subtrees of the support vectors
// that have a class of the nodes of x.
func (s *pairScorer) ScoreTo(dst []float64, x []byte) {
	clear(dst)
	s.with(x, func(w *comparer) {
		for i, f := range s.forests {
			w.compare(f, s.kernel)
			w.eachTotal(func(subtree int32, total float64) {
				for m, weight := range s.weights[i][int(subtree)*s.outputs:][:s.outputs] {
					dst[m] += float64(weight * total)
				}
			})
		}
	})
}
