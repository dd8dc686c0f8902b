package treekernel

import (
	"bytes"
	"cmp"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/internal/intern"
	"github.com/seqsvm/seqsvm/internal/rows"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// pairwise is a kernel Σ Δ(a, b) over the pairs of nodes of the same class, such as a production: a kernel without a
// finite feature space.
type pairwise struct {
	name       string
	parameters interface{ Check() error }
	sees       Labels
	// classify sets p.nodes to the class of each node, a fragment of p, or none.
	classify func(p *profile)
	// deltas writes Δ(a, b) of a subtree of the loaded record and each of its class in the forest.
	deltas func(c *comparer, dst []float64, a int32)
	// subsequences reports whether deltas uses subsequences of the children of two nodes; else they are compared one
	// by one.
	subsequences bool
}

// Limits on a record whose nodes are compared with those of others. Pairs of nodes of the same class, each of which
// takes 8 bytes, and steps of the dynamic program over subsequences are counted for the record with itself: two records
// have no more of them than the larger of their two counts.
const (
	mostPaired = 10_000
	mostPairs  = 10_000_000
	mostSteps  = 2_000_000_000
)

// checkOf returns the check of records of a bounded kernel, or else of pairs of nodes.
func checkOf(k stringkernel.Kernel) func(x []byte) error {
	if pairs, is := k.(*pairwise); is {
		return pairs.checkRecord
	}
	return checkRecord
}

// checkRecord returns an error unless x is trees in brackets that are not too large to be compared node with node.
func (k *pairwise) checkRecord(x []byte) error {
	c := k.classifier()
	if err := c.Read(x); err != nil {
		return err
	}
	return k.checkSize(c.profile)
}

// checkSize returns an error if a record, whose classes are known, exceeds the limits.
func (k *pairwise) checkSize(p *profile) error {
	const hint = "where nodes are compared pair by pair; size or depth bounds the fragments, and has no such limit"
	if p.len() > mostPaired {
		return fmt.Errorf("%d nodes, want at most %d %s", p.len(), mostPaired, hint)
	}
	children := make([]float64, p.len())
	for _, parent := range p.parent {
		if parent >= 0 {
			children[parent]++
		}
	}
	nodes, steps := make([]float64, len(p.pairs.Keys)), make([]float64, len(p.pairs.Keys)) // per class
	for i, class := range p.nodes {
		if class >= 0 {
			nodes[class]++
			// rows·columns·min(rows, columns) ≤ (rows·columns)^1.5
			steps[class] += float64(children[i] * math.Sqrt(children[i]))
		}
	}
	if pairs := rows.SumOfSquares(nodes); pairs > mostPairs {
		return fmt.Errorf("%.0f pairs of matching nodes with itself, want at most %d %s", pairs, mostPairs, hint)
	}
	if n := rows.SumOfSquares(steps); k.subsequences && n > mostSteps {
		return fmt.Errorf("about %.0e steps to compare the children of its nodes, want at most %.0e %s",
			n, float64(mostSteps), hint)
	}
	return nil
}

// classifier classifies records with the classes of a vocabulary.
type classifier struct {
	*profiler
	kernel   *pairwise
	open     bool
	distinct interner
}

func (k *pairwise) classifier() *classifier {
	f := &features{sees: k.sees, count: k.classify}
	return &classifier{profiler: f.profiler(new(vocabulary)), kernel: k, open: true}
}

// classified returns the distinct subtrees of x with the classes of their roots. If x is not trees, or too large, the
// result has none, and there is an error.
func (c *classifier) classified(x []byte) (*subtrees, error) {
	if err := cmp.Or(c.Read(x), c.kernel.checkSize(c.profile)); err != nil {
		return new(subtrees), err
	}
	if err := c.of(c.profile, c.known, c.open); err != nil {
		return new(subtrees), err
	}
	classes := make([]int32, c.len())
	for i, class := range c.nodes {
		classes[i] = intern.None
		if class >= 0 {
			classes[i] = c.to[class]
		}
	}
	return c.distinct.record(&c.trees, classes), nil
}

// Check returns the error of the parameters.
func (k *pairwise) Check() error { return k.parameters.Check() }

// Eval returns k(x, y), bit for bit equal to k(y, x); 0 if x or y is not trees.
func (k *pairwise) Eval(x, y []byte) float64 {
	if bytes.Compare(x, y) > 0 {
		x, y = y, x
	}
	c := k.classifier()
	first, _ := c.classified(x) // a record that is not trees has no nodes
	second, _ := c.classified(y)
	return new(comparer).value(k, first, second)
}

// SelfEval returns k(x, x).
func (k *pairwise) SelfEval(x []byte) float64 {
	only, _ := k.classifier().classified(x)
	return new(comparer).value(k, only, only)
}
