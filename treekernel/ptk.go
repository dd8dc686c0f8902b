package treekernel

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// PTK is the partial tree kernel (Moschitti 2006): like [SST], but a fragment may leave out children, in order. With
// the gaps g(I) of a subsequence I of children, the number of those left out between its first and last,
//
//	k(x, y) = Σ_{a ∈ x, b ∈ y} Δ(a, b)
//	Δ(a, b) = μ (λ² + Σ_{I, J, |I| = |J| ≥ 1} λ^(g(I) + g(J)) Π_m Δ(a_{I_m}, b_{J_m})) if labels are equal, else 0
//	Δ(a, b) = μ λ² Terminal                                                          if so and a or b is a leaf
//
// over subsequences I, J of the children a_1 …, b_1 …, found by dynamic programming in O(|I|·rows·columns) for each
// pair of nodes with equal labels. Pairs that involve a leaf count Terminal times as much, as in KeLP; unless Terminal
// is 1 the kernel need not be positive semidefinite where a label is that of leaves and of inner nodes.
//
// Without bounds, the Gram matrix is computed by rows; a row, or a score, takes a Δ for each pair of distinct subtrees
// of the record and of the corpus, or the support vectors, whose roots have equal labels. It is capped at 10¹⁰⁰. A
// matrix keeps up to 256 MB of them.
//
// With Depth or Size the sum is over fragments of at most that many levels of nodes, or nodes, up to 32, and each
// fragment is a feature with the value
//
//	φ_f(x) = Σ √μ^(nodes of f) λ^(leaves of f) λ^(gaps) over the occurrences of f in x,
//
// so that rows are explicit ([stringkernel.FeatureRows]), a merged scorer has a weight per fragment
// ([stringkernel.Restorer]), and training and scoring are linear in the fragments of a record. Nodes with very many
// fragments are treated as in [SST]. Terminal must be 1.
type PTK struct {
	Lambda   float64 `json:"lambda" doc:"λ of gaps between children, and of λ² for a single node, above 0 and at most 1"`
	Mu       float64 `json:"mu" doc:"μ of each node of a fragment, above 0 and at most 1"`
	Terminal float64 `json:"terminal" doc:"factor of pairs of nodes of which one is a leaf; of unbounded fragments only"`
	Depth    int     `json:"depth,omitempty" above:"0" doc:"most levels of nodes in a fragment; this or size makes it linear"`
	Size     int     `json:"size,omitempty" above:"0" doc:"nodes of the largest fragments, up to 32"`
	Labels   `json:",inline"`
}

// Check returns an error that names the first parameter out of range.
func (k PTK) Check() error {
	return named("ptk", cmp.Or(checkDecay("lambda", k.Lambda), checkDecay("mu", k.Mu), k.checkTerminal(),
		checkBounds(k.Depth, k.Size), k.Labels.check()))
}

func (k PTK) checkTerminal() error {
	switch {
	case !(k.Terminal > 0 && k.Terminal <= 1e6):
		return fmt.Errorf("terminal = %v, want above 0 and at most 1e6", k.Terminal)
	case k.bounded() && k.Terminal != 1:
		return fmt.Errorf("terminal = %v with depth or size, want 1", k.Terminal)
	}
	return nil
}

// bounded reports whether the feature space is finite.
func (k PTK) bounded() bool { return k.Depth > 0 || k.Size > 0 }

// Traits says that records are trees in brackets, without bounds of at most 10,000 nodes, 10⁷ pairs of nodes with equal
// labels, counted with itself, and about 1,000 children per node.
func (k PTK) Traits() stringkernel.Traits {
	engine := k.engine()
	return stringkernel.Traits{CheckRecord: checkOf(engine), Compare: stringkernel.TraitsOf(engine).Compare}
}

// Eval returns k(x, y). A record that is not trees has no features.
func (k PTK) Eval(x, y []byte) float64 { return k.engine().Eval(x, y) }

// SelfEval returns k(x, x), for bounded kernels in the time to list the fragments of x.
func (k PTK) SelfEval(x []byte) float64 { return k.engine().SelfEval(x) }

// Gram indexes a corpus: for bounded kernels, in time and memory linear in its fragments; else values are computed by
// rows. The error is a [stringkernel.RecordError] of the first record that is not trees, or too large.
func (k PTK) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	return k.engine().Gram(ctx, c)
}

// Merge folds support vectors into a weight per fragment and output, without bounds per distinct subtree and output.
func (k PTK) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	return k.engine().Merge(ctx, sv, c)
}

// Restorer stores a weight per fragment and output of a bounded kernel, and is nil for others.
func (k PTK) Restorer() stringkernel.Restorer { return stringkernel.RestorerOf(k.engine()) }

// Enumerator lists the fragments of a bounded kernel as trees in brackets; nil for others.
func (k PTK) Enumerator() stringkernel.Enumerator { return stringkernel.EnumeratorOf(k.engine()) }

func (k PTK) engine() stringkernel.Kernel {
	if !k.bounded() {
		return k.pairwise()
	}
	partial := kind{partial: true, unit: math.Sqrt(k.Mu), end: k.Lambda, gap: k.Lambda}
	return fragments(k.Labels, partial, k.Depth, k.Size).kernel("ptk", k)
}

func (k PTK) pairwise() *pairwise {
	return &pairwise{name: "ptk", parameters: k, sees: k.Labels,
		classify: (*profile).findLabels,
		deltas:   func(c *comparer, dst []float64, a int32) { c.partialTrees(dst, a, k) },

		subsequences: true,
	}
}

// findLabels makes the label of each node its class.
func (p *profile) findLabels() {
	p.nodes = zeros(p.nodes, p.len())
	for i := range p.nodes {
		p.nodes[i] = p.alone(p.label[i])
	}
}

// partialTrees writes Δ.
func (c *comparer) partialTrees(dst []float64, a int32, k PTK) {
	single, mine := float64(k.Lambda*k.Lambda), c.x.children(a)
	for n := range dst {
		others := c.forest.children(c.spans[a].lo + int32(n))
		if len(mine) == 0 || len(others) == 0 {
			dst[n] = k.Mu * single * k.Terminal
		} else {
			dst[n] = k.Mu * (single + c.subsequences(mine, others, k.Lambda))
		}
	}
}

// subsequences returns the sum over pairs of subsequences of the children of two nodes. With s_p(i, j) the sum over
// subsequences of p children whose last are i and j,
//
//	s_1(i, j) = Δ(i, j)        s_{p+1}(i, j) = Δ(i, j)·Σ_{i' < i, j' < j} λ^(i − i' − 1 + j − j' − 1) s_p(i', j')
//
// and the inner sum, t(i − 1, j − 1), is t(i, j) = s_p(i, j) + λ t(i − 1, j) + λ t(i, j − 1) − λ² t(i − 1, j − 1).
func (c *comparer) subsequences(mine, others []int32, lambda float64) float64 {
	c.sums = c.sums[:0]
	total := 0.0
	for _, i := range mine {
		for _, j := range others {
			d := c.of(i, j)
			c.sums = append(c.sums, d)
			total += d
		}
	}
	if total == 0 {
		return 0
	}
	rows, columns := len(mine), len(others)
	longer := total
	for p := 1; p < min(rows, columns) && longer > 0; p++ {
		longer = c.lengthen(rows, columns, p, lambda)
		total += longer
	}
	return total
}

// lengthen replaces s_p by s_{p+1} and returns its sum. c.rows holds Δ.
func (c *comparer) lengthen(rows, columns, p int, lambda float64) float64 {
	if p == 1 {
		c.rows = append(append(c.rows[:0], c.sums...), make([]float64, 2*(columns+1))...)
	}
	delta, above, here := c.rows[:rows*columns], c.rows[rows*columns:][:columns+1], c.rows[rows*columns+columns+1:]
	clear(above)
	sum := 0.0
	for i := range rows {
		here[0] = 0
		row, deltas := c.sums[i*columns:(i+1)*columns], delta[i*columns:(i+1)*columns]
		for j, s := range row {
			here[j+1] = s + float64(lambda*(above[j+1]+here[j]-float64(lambda*above[j])))
			row[j] = float64(deltas[j] * above[j])
			sum += row[j]
		}
		above, here = here, above
	}
	return sum
}
