package cholesky_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seqsvm/seqsvm/internal/cholesky"
	"github.com/seqsvm/seqsvm/internal/vectors"
)

// Each change keeps the factor that of the matrix of the members.
func TestFactorAddsAndRemoves(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const n = 12
	b := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			b.Set(i, j, rng.NormFloat64())
		}
	}
	var a mat.Dense
	a.Mul(b, b.T())
	var l cholesky.Factor
	var members []int
	for step := range 200 {
		if len(members) < 2 || len(members) < n && rng.IntN(2) == 0 {
			next := rng.IntN(n)
			for slices.Contains(members, next) {
				next = (next + 1) % n
			}
			column := make([]float64, len(members))
			for i, m := range members {
				column[i] = a.At(m, next)
			}
			l.Add(column, a.At(next, next))
			members = append(members, next)
		} else {
			k := rng.IntN(len(members))
			members = append(members[:k], members[k+1:]...)
			l.Remove(k)
		}
		for i, m := range members {
			for j := range i + 1 {
				if got, want := vectors.Dot(l.Row(i)[:j+1], l.Row(j)[:j+1]), a.At(m, members[j]); math.Abs(got-want) > 1e-9 {
					t.Fatalf("step %d: (LLᵀ)[%d][%d] = %v, want %v", step, i, j, got, want)
				}
			}
		}
	}
}
