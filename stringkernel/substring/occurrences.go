package substring

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/corpustree"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/sparse"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/suffix"
)

// By the minimum and χ² of counts no sum over a document's leaves is what its count below a node becomes. The
// occurrences of a document at each node are explicit features instead: a letter has one for each node above its leaf.

// countRows lists the counts of the first n documents of a tree at the nodes that have a number. A node without one has
// that of the deepest numbered node above it, or 0; parent is the parent of a number. last adds what else a document
// has.
func countRows(
	ctx context.Context, t *suffix.Tree, number, parent []int32, n int, last func(r *sparse.Rows, doc int),
) (*sparse.Rows, error) {
	depth, entries := make([]int32, len(parent)), 0.0
	for v := 1; v < len(parent); v++ {
		depth[v] = depth[parent[v]] + 1
	}
	nodes, docs := corpustree.LeavesByDocument(ctx, t, number, n)
	for _, v := range nodes {
		entries += float64(depth[v])
	}
	if err := memory.Check(12 * entries); err != nil {
		return nil, fmt.Errorf("%.0f counts of substrings in records need %w", entries, err)
	}
	var pool sync.Pool // *[]int32, zero at rest
	return sparse.Collect(ctx, n, len(parent)+n, func(r *sparse.Rows, lo, hi int) {
		pooled := scratch.BorrowOf[int32](&pool, len(parent))
		defer pool.Put(pooled)
		counts, met := *pooled, []int32(nil)
		at, _ := slices.BinarySearch(docs, int32(lo))
		for doc := lo; doc < hi; doc++ {
			cancel.Check(ctx)
			met = met[:0]
			for ; at < len(docs) && int(docs[at]) == doc; at++ {
				for v := nodes[at]; v != 0; v = parent[v] {
					if counts[v]++; counts[v] == 1 {
						met = append(met, v)
					}
				}
			}
			for _, v := range met {
				r.Add(v, float64(counts[v]))
				counts[v] = 0
			}
			last(r, doc)
			r.End()
		}
	}), nil
}

// occurrenceGram returns the matrix on the rows of nodes. What a document alone has is one feature of its own.
func occurrenceGram(
	ctx context.Context, t *suffix.Tree, s *corpustree.Nodes, f stringkernel.Count,
) (stringkernel.Gram, error) {
	nodes := len(s.Parent)
	rows, err := countRows(ctx, t, s.Number, s.Parent, len(s.Own), func(r *sparse.Rows, doc int) {
		r.Add(int32(nodes+doc), 1)
	})
	if err != nil {
		return nil, err
	}
	scale := make([]float64, 0, nodes+len(s.Own))
	for _, w := range s.Omega {
		scale = append(scale, math.Sqrt(w))
	}
	for _, own := range s.Own {
		scale = append(scale, math.Sqrt(own))
	}
	if rows, err = rows.Occurrences(ctx, f, scale); err != nil {
		return nil, err
	}
	return sparse.NewGram(ctx, rows), nil
}

// occurrenceWeights are the weights of occurrences at the nodes of the tree of support vectors, for each unit of length
// weight.
type occurrenceWeights struct {
	number      []int32 // of the nodes; 0 of those whose strings are too short for a weight
	occurrences *sparse.Occurrences
	rows        []float64
}

// newOccurrenceWeights sums up those of support vectors.
func newOccurrenceWeights[S suffix.Symbol](
	ctx context.Context, s *scorer[S], f stringkernel.Count, c *stringkernel.Coefficients,
) (*occurrenceWeights, error) {
	w, parent := &occurrenceWeights{number: make([]int32, s.tree.Len())}, []int32{0}
	for v := 1; v < s.tree.Len(); v++ {
		if s.weights.upTo(s.tree.Depth[v]) > 0 {
			w.number[v] = int32(len(parent))
			parent = append(parent, w.number[s.tree.Parent[v]])
		}
	}
	rows, err := countRows(ctx, s.tree, w.number, parent, c.Len(), func(*sparse.Rows, int) {})
	if err != nil {
		return nil, err
	}
	if w.occurrences, err = sparse.NewOccurrences(f, rows.Width(), c.Len(), rows.Row); err != nil {
		return nil, err
	}
	width := w.occurrences.Width()
	if err := memory.Check(8 * float64(width) * float64(c.Outputs)); err != nil {
		return nil, fmt.Errorf("weights of %d occurrences of substrings for %d outputs need %w", width, c.Outputs, err)
	}
	w.rows = make([]float64, width*c.Outputs)
	sparse.Merge(c, w.occurrences.Row(rows.Row), func(number uint32) []float64 { return w.row(number, c.Outputs) })
	return w, nil
}

// leafWeights returns those of the edges of the leaves of each document.
func leafWeights(c *stringkernel.Coefficients) []float64 {
	leaf := make([]float64, c.Len()*c.Outputs)
	for doc := range c.Len() {
		c.AddTo(leaf[doc*c.Outputs:][:c.Outputs], doc, 1)
	}
	return leaf
}

func (w *occurrenceWeights) row(number uint32, outputs int) []float64 {
	return w.rows[int(number)*outputs:][:outputs]
}

// addOccurrences adds a term for each edge of the tree of a query, by the edges of the support vectors' tree beside it.
func (s *countedScorer[S]) addOccurrences(dst []float64, own iter.Seq[suffix.Edge], matches []suffix.Match) {
	for e := range own {
		at := matches[e.Start]
		s.addEdge(dst, at, e.Above, min(at.Length, e.Below), int(e.Count))
	}
}

// addEdge adds the terms of the first lo+1 … hi symbols of a match, which occur n times in the query.
func (s *countedScorer[S]) addEdge(dst []float64, at suffix.Match, lo, hi int32, n int) {
	if hi <= lo {
		return
	}
	m := s.merged
	v := m.edgeAt(at, hi)
	if v < 0 { // the edge of a leaf, whose strings occur once
		v = at.Node
		from := max(lo, m.tree.Depth[v])
		add := float64((m.weights.upTo(hi) - m.weights.upTo(from)) * s.kernel.Count.Pair(n, 1))
		for o, coef := range m.leaf[int(m.index.DocAt(at.Pos))*len(dst):][:len(dst)] {
			dst[o] += float64(add * coef)
		}
		hi = from
	}
	for hi > lo && s.occurrences.number[v] != 0 {
		up := m.tree.Parent[v]
		from := max(lo, m.tree.Depth[up])
		if omega := m.weights.upTo(hi) - m.weights.upTo(from); omega != 0 {
			s.addNode(dst, v, float64(n), omega)
		}
		hi, v = from, up
	}
}

// addNode adds what n occurrences on the edge above a node add for each unit of length weight, times a number of those.
func (s *countedScorer[S]) addNode(dst []float64, v int32, n, omega float64) {
	w := s.occurrences
	w.occurrences.Each(uint32(w.number[v]), n, func(number uint32, value float64) {
		add := float64(value * omega)
		for o, weight := range w.row(number, len(dst)) {
			dst[o] += float64(add * weight)
		}
	})
}
