package substring

import (
	"context"
	"fmt"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/suffix"
)

// Compare indexes a corpus, of raw counts, as Merge does: O(N). A row takes the matches of x, and a pass over the
// suffix tree.
func (k Kernel) Compare(ctx context.Context, c *stringkernel.Corpus) (values stringkernel.Comparison, err error) {
	defer cancel.Catch(&err)
	e := newEncoding(k, c, k.Reference())
	compare := newComparison[uint8]
	if e.wide() {
		compare = newComparison[int32]
	}
	values, err = compare(ctx, k, c, e)
	if err != nil {
		return nil, fmt.Errorf("substring: %w", err)
	}
	return values, nil
}

// comparison is the suffix tree of a corpus with the weights of its edges.
type comparison[S suffix.Symbol] struct {
	*scorer[S]           // without outputs
	edge       []float64 // weight of the edge above a node
	scratch    sync.Pool // *[]float64, two numbers per node
}

func newComparison[S suffix.Symbol](
	ctx context.Context, k Kernel, c *stringkernel.Corpus, e *encoding,
) (stringkernel.Comparison, error) {
	s, err := newUnmerged[S](ctx, k, c, e)
	if err != nil {
		return nil, err
	}
	nodes := s.tree.Len()
	r := &comparison[S]{scorer: s, edge: make([]float64, nodes)}
	for v := range cancel.Steps(ctx, 1, nodes) {
		r.edge[v] = s.psi.Node(v)
	}
	return r.rowTo, nil
}

// rowTo counts the matches of x at their nodes, and adds up what they have passed on the way down to each leaf.
func (r *comparison[S]) rowTo(dst []float64, x []byte) {
	clear(dst)
	nodes := r.tree.Len()
	space := scratch.Borrow(&r.scratch, 2*nodes)
	defer r.scratch.Put(space)
	clear(*space)
	passed, sums := (*space)[:nodes], (*space)[nodes:]
	r.match(x, func(at suffix.Match) { r.add(dst, passed, sums, at) })
	parent := r.tree.Parent
	for v := nodes - 1; v > 0; v-- {
		passed[parent[v]] += passed[v]
	}
	for v := 1; v < nodes; v++ {
		sums[v] += sums[parent[v]] + float64(passed[v]*r.edge[v])
	}
	for rank, doc := range r.tree.Docs {
		if int(doc) < len(dst) {
			dst[doc] += sums[r.tree.Leaf[rank]]
		}
	}
}

// add counts a match at the node that it has passed last, and adds the weight of what it has of the edge below.
func (r *comparison[S]) add(dst, passed, sums []float64, at suffix.Match) {
	omega := r.weights.upTo(at.Length)
	if at.Below >= 0 {
		above := r.tree.Parent[at.Below]
		passed[above]++
		sums[at.Below] += float64((omega - r.weights.upTo(r.tree.Depth[above])) * r.psi.psi(int(at.Below)))
		return
	}
	passed[at.Node]++
	if doc := r.index.DocAt(at.Pos); int(doc) < len(dst) {
		dst[doc] += float64((omega - r.weights.upTo(r.index.Depth(at.Node))) * r.psi.leafPsi(doc))
	}
}
