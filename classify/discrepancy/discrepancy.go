// Package discrepancy tests whether two sets of records are drawn alike, by the maximum mean discrepancy: the distance
// of their means in the feature space of a kernel (Gretton et al. 2012, JMLR 13, 723–773).
package discrepancy

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Test is how a test is made.
type Test struct {
	Permutations int // of the records between the sets, 1 or more
	Seed         uint64
	Progress     func(done int) // called after some permutations; may be nil
}

// Result is the outcome of a test.
type Result struct {
	MMD2 float64 // the unbiased estimate of the squared distance, which may be below 0
	// the share of permutations, the given order among them, whose MMD2 is as great: small where the sets differ
	P    float64
	Null float64 // the greatest MMD2 of 95 % of the permutations
}

// block is how many permutations are multiplied together.
const block = 8

// Run compares the first n records of a matrix with the others, at least two of each. Time: a product of the matrix
// with a vector for each permutation, linear in the letters where products are.
func (t Test) Run(ctx context.Context, g stringkernel.Gram, n int) (r Result, err error) {
	all := g.Len()
	if n < 2 || all-n < 2 {
		return r, fmt.Errorf("discrepancy: %d and %d records, want at least two of each", n, all-n)
	}
	if t.Permutations < 1 {
		return r, fmt.Errorf("discrepancy: %d permutations, want 1 or more", t.Permutations)
	}
	diagonal, sums, ones := make([]float64, all), make([]float64, all), make([]float64, all)
	for i := range ones {
		ones[i] = 1
	}
	g.Diag(diagonal)
	g.MulVecTo(sums, ones)
	products, members := vectors(block, all), vectors(block, all)
	var null []float64
	for from := 0; from <= t.Permutations; from += block { // number 0 is the order given
		many := min(block, t.Permutations+1-from)
		for b := range many {
			t.draw(members[b], n, from+b)
		}
		if err := ctx.Err(); err != nil {
			return r, err
		}
		parallel.Each(many, func(b int) { g.MulVecTo(products[b], members[b]) })
		for b := range many {
			null = append(null, estimate(members[b], products[b], sums, diagonal, n))
		}
		if t.Progress != nil {
			t.Progress(min(from+many, t.Permutations))
		}
	}
	r.MMD2 = null[0]
	asGreat := 0
	for _, x := range null {
		if x >= r.MMD2 {
			asGreat++
		}
	}
	r.P = float64(asGreat) / float64(len(null))
	slices.Sort(null)
	r.Null = stat.Quantile(0.95, stat.Empirical, null, nil)
	return r, nil
}

// draw writes 1 for the records of the first set of a permutation, 0 for the others.
func (t Test) draw(member []float64, n, permutation int) {
	clear(member)
	for i := range n {
		member[i] = 1
	}
	if permutation > 0 {
		rng := rand.New(rand.NewPCG(t.Seed, uint64(permutation)))
		rng.Shuffle(len(member), func(i, j int) { member[i], member[j] = member[j], member[i] })
	}
}

// estimate is MMD2 of the sets of a membership, with its product, that of ones, and the diagonal of the matrix.
func estimate(member, product, sums, diagonal []float64, n int) float64 {
	var inside, across, whole, own, other float64
	for i, of := range member {
		whole += sums[i]
		if of == 1 {
			inside += product[i]
			own += diagonal[i]
		} else {
			across += product[i]
			other += diagonal[i]
		}
	}
	a, b := float64(n), float64(len(member)-n)
	outside := whole - inside - across - across
	return (inside-own)/(a*(a-1)) + (outside-other)/(b*(b-1)) - (across+across)/(a*b)
}

func vectors(many, n int) [][]float64 {
	list := make([][]float64, many)
	for i := range list {
		list[i] = make([]float64, n)
	}
	return list
}
