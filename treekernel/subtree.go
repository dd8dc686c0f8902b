package treekernel

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/internal/elementary"
	"github.com/seqsvm/seqsvm/internal/rows"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Subtree is the kernel of complete subtrees (Vishwanathan & Smola 2002),
//
//	k(x, y) = Σ_t λ^|t| #_t(x) #_t(y),
//
// over all trees t, where #_t(x) counts the nodes of x whose complete subtree is t, and |t| is the number of nodes of
// t. A leaf is a subtree. Every node has one subtree, so a corpus has no more features than nodes: its rows are
// explicit ([stringkernel.FeatureRows]), a merged scorer has a weight per subtree ([stringkernel.Restorer]), and
// training and scoring are linear in the nodes.
type Subtree struct {
	Lambda float64 `json:"lambda" doc:"λ of the weight λ^size, above 0 and at most 1"`
	Labels `json:",inline"`
}

// Check returns an error that names the first parameter out of range.
func (k Subtree) Check() error {
	return named("subtree", cmp.Or(checkDecay("lambda", k.Lambda), k.Labels.check()))
}

// named returns err, unless it is nil, with the name of a kernel.
func named(name string, err error) error {
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return err
}

// checkDecay returns an error unless a factor per node is in (0, 1].
func checkDecay(name string, value float64) error {
	if !(value >= leastDecay && value <= 1) {
		return fmt.Errorf("%s = %v, want above 0 (at least %v) and at most 1", name, value, leastDecay)
	}
	return nil
}

// leastDecay keeps powers of decays above 0 where they matter.
const leastDecay = 1e-6

// Traits says that records are trees in brackets.
func (k Subtree) Traits() stringkernel.Traits {
	return stringkernel.Traits{CheckRecord: checkRecord, Compare: k.kernel().Compare}
}

// Eval returns k(x, y) in O(|x| + |y|), times a log factor with Unordered. A record that is not trees has no features.
func (k Subtree) Eval(x, y []byte) float64 { return k.kernel().Eval(x, y) }

// SelfEval returns k(x, x) in O(|x|).
func (k Subtree) SelfEval(x []byte) float64 { return k.kernel().SelfEval(x) }

// Gram indexes a corpus: O(N) for N nodes, 12 bytes per distinct subtree of each record. The error is a
// [stringkernel.RecordError] of the first record that is not trees.
func (k Subtree) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	return k.kernel().Gram(ctx, c)
}

// Merge folds support vectors into a weight per subtree and output: O(their nodes).
func (k Subtree) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	return k.kernel().Merge(ctx, sv, c)
}

// Restorer stores a weight per subtree and output.
func (k Subtree) Restorer() stringkernel.Restorer { return stringkernel.RestorerOf(k.kernel()) }

// Enumerator lists subtrees in brackets.
func (k Subtree) Enumerator() stringkernel.Enumerator { return stringkernel.EnumeratorOf(k.kernel()) }

func (k Subtree) kernel() rows.Kernel {
	root := math.Sqrt(k.Lambda)
	return (&features{sees: k.Labels,
		count:  func(p *profile) { p.countSubtrees(root) },
		spread: func(p *profile, shares, nodes []float64) { p.spreadSubtrees(root, shares, nodes) },
		worth:  func(s shape) float64 { return elementary.Power(root, s.nodes) },
	}).kernel("subtree", k)
}

// countSubtrees finds the subtree of each node, children before parents.
func (p *profile) countSubtrees(root float64) {
	p.nodes = zeros(p.nodes, p.len())
	for i := int32(p.len()) - 1; i >= 0; i-- {
		fragment := p.alone(p.label[i])
		for c := i + 1; c < p.end[i]; c = p.end[c] {
			fragment = p.withSubtree(fragment, p.nodes[c])
		}
		p.nodes[i] = fragment
		p.count(fragment, elementary.Power(root, p.end[i]-i))
	}
}

// spreadSubtrees gives each node the shares of the subtrees that contain it, parents before children.
func (p *profile) spreadSubtrees(root float64, shares, nodes []float64) {
	for i, fragment := range p.nodes {
		nodes[i] = float64(shares[fragment] * elementary.Power(root, p.end[i]-int32(i)))
		if parent := p.parent[i]; parent >= 0 {
			nodes[i] += nodes[parent]
		}
	}
}
