package fenwick_test

import (
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/internal/fenwick"
)

// Counts are those of a list.
func TestTree(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const most = 37
	tree, counts := make(fenwick.Tree, most+1), make([]int, most)
	for range 300 {
		i := rng.IntN(most)
		tree.Add(i)
		counts[i]++
		below := 0
		for k := range most + 1 {
			if got := tree.Below(k); got != below {
				t.Fatalf("%d numbers below %d, want %d", got, k, below)
			}
			if k < most {
				below += counts[k]
			}
		}
	}
}
