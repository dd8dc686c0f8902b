package treekernel

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/internal/intern"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// SST is the subset tree kernel (Collins & Duffy 2001),
//
//	k(x, y) = Σ_f λ^|f| #_f(x) #_f(y),
//
// over all subset trees f: fragments of trees that have, of each node, all of its children or none. |f| is the number
// of productions of f, nodes with their children. This equals
//
//	k(x, y) = Σ_{a ∈ x, b ∈ y} Δ(a, b),  Δ(a, b) = 0 if the productions differ, else λ Π_j (1 + Δ(a_j, b_j))
//
// over inner nodes a, b with children a_j, b_j; Δ = 0 at leaves. With Leaves, λ is added for each pair of leaves with
// equal labels.
//
// Without bounds, trees have exponentially many fragments: values are computed by the second form, over the pairs of
// nodes with equal productions (Moschitti 2006) whose subtrees differ from those of other pairs (Aiolli et al. 2007).
// The Gram matrix is computed by rows; a row, or a score, takes time linear in the distinct subtrees of the corpus, or
// of the support vectors, that have a production of the record. The Δ of a pair is capped at 10¹⁰⁰, which it reaches
// only on trees with hundreds of equal productions.
//
// With Depth or Size the sum is over fragments of at most that many levels of productions, or productions. These are
// finitely many, each a separate feature: rows are explicit ([stringkernel.FeatureRows]), a merged scorer has a weight
// per fragment ([stringkernel.Restorer]), and training and scoring are linear in the fragments of a record, which are
// listed in time and memory linear in their number. A fragment then has at most 32 productions; and to bound the time
// by the size of the tree, if more than 4096 fragments with s productions or fewer are rooted at a node (2²² divided by
// the number of nodes in records of more than 1024 nodes, but never less than 4), whatever their depth, that node's
// fragments with s productions or more are left out. This is part of the definition: it depends only on the record, and
// the kernel stays an inner product.
type SST struct {
	Lambda float64 `json:"lambda" doc:"λ of the weight λ^(productions of a fragment), above 0 and at most 1"`
	Depth  int     `json:"depth,omitempty" above:"0" doc:"most levels of productions in a fragment; this or size makes it linear"`
	Size   int     `json:"size,omitempty" above:"0" doc:"productions of the largest fragments, up to 32"`
	Leaves bool    `json:"leaves,omitempty" doc:"leaves are fragments, too, with weight λ: a bag of words"`
	Labels `json:",inline"`
}

// Check returns an error that names the first parameter out of range.
func (k SST) Check() error {
	return named("sst", cmp.Or(checkDecay("lambda", k.Lambda), checkBounds(k.Depth, k.Size), k.Labels.check()))
}

// bounded reports whether the feature space is finite.
func (k SST) bounded() bool { return k.Depth > 0 || k.Size > 0 }

// Traits says that records are trees in brackets, without bounds of at most 10,000 nodes and 10⁷ pairs of nodes with
// equal productions, counted with itself.
func (k SST) Traits() stringkernel.Traits {
	engine := k.engine()
	return stringkernel.Traits{CheckRecord: checkOf(engine), Compare: stringkernel.TraitsOf(engine).Compare}
}

// Eval returns k(x, y). A record that is not trees has no features.
func (k SST) Eval(x, y []byte) float64 { return k.engine().Eval(x, y) }

// SelfEval returns k(x, x), for bounded kernels in the time to list the fragments of x.
func (k SST) SelfEval(x []byte) float64 { return k.engine().SelfEval(x) }

// Gram indexes a corpus: for bounded kernels, in time and memory linear in its fragments (12 bytes per distinct one of
// each record); else values are computed by rows. The error is a [stringkernel.RecordError] of the first
// record that is not trees, or too large.
func (k SST) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	return k.engine().Gram(ctx, c)
}

// Merge folds support vectors into a weight per fragment and output, without bounds per distinct subtree and output.
func (k SST) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	return k.engine().Merge(ctx, sv, c)
}

// Restorer stores a weight per fragment and output of a bounded kernel, and is nil for others.
func (k SST) Restorer() stringkernel.Restorer { return stringkernel.RestorerOf(k.engine()) }

// Enumerator lists the fragments of a bounded kernel as trees in brackets; nil for others.
func (k SST) Enumerator() stringkernel.Enumerator { return stringkernel.EnumeratorOf(k.engine()) }

// engine computes the kernel from the features of records, or without bounds from pairs of their nodes.
func (k SST) engine() stringkernel.Kernel {
	if !k.bounded() {
		return k.pairwise()
	}
	all := fragments(k.Labels, kind{unit: math.Sqrt(k.Lambda), leaves: k.Leaves}, k.Depth, k.Size)
	return all.kernel("sst", k)
}

// fragments returns the kernel of the fragments of a kind with at most depth levels and size productions or nodes; 0 is
// the largest value allowed.
func fragments(l Labels, k kind, depth, size int) *features {
	k.depth, k.size = math.MaxInt32, mostSize
	if depth > 0 {
		k.depth = int32(depth)
	}
	if size > 0 {
		k.size = int32(size)
	}
	return &features{sees: l,
		count: func(p *profile) {
			p.growAll(k)
			p.countFragments()
		},
		spread: spreadFragments,
		worth:  k.ofShape,
	}
}

// checkBounds returns an error if a bound of fragments is out of range.
func checkBounds(depth, size int) error {
	switch {
	case depth < 0 || depth > math.MaxInt32:
		return fmt.Errorf("depth = %d, want a number of levels, or 0 for all", depth)
	case size < 0 || size > mostSize:
		return fmt.Errorf("size = %d, want 1…%d, or 0 for all", size, mostSize)
	}
	return nil
}

// pairwise is the kernel without bounds.
func (k SST) pairwise() *pairwise {
	return &pairwise{name: "sst", parameters: k, sees: k.Labels,
		classify: func(p *profile) { p.findProductions(k.Leaves) },
		deltas:   func(c *comparer, dst []float64, a int32) { c.subsetTrees(dst, a, k.Lambda) },
	}
}

// findProductions finds the production of each inner node. Leaves have their own classes if they are features.
func (p *profile) findProductions(leaves bool) {
	p.nodes = zeros(p.nodes, p.len())
	for i := range int32(p.len()) {
		if p.leaf(i) && !leaves {
			p.nodes[i] = intern.None
			continue
		}
		p.nodes[i] = p.production(i)
	}
}

// subsetTrees writes Δ. Subtrees of one production have as many children each.
func (c *comparer) subsetTrees(dst []float64, a int32, lambda float64) {
	for n := range dst {
		dst[n] = lambda
	}
	children := c.x.children(a)
	others := c.forest.kids[c.forest.first[c.spans[a].lo]:]
	for i, kid := range children {
		if c.x.leaf(kid) || c.spans[kid].lo == c.spans[kid].hi {
			continue
		}
		v := c.spans[kid]
		values := c.values[v.at:][:v.hi-v.lo]
		for n, at := 0, i; n < len(dst); n, at = n+1, at+len(children) {
			if b := uint(others[at] - v.lo); b < uint(len(values)) {
				dst[n] *= 1 + values[b]
			}
		}
	}
}
