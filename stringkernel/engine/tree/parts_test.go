package tree

import (
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
)

// A tree in parts has the products of its definition, with the same bits on any number of processors.
func TestParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 4))
	for _, shape := range []struct{ nodes, leaves, docs, parts int }{
		{1, 50, 3, 1}, {2, 400, 5, 10}, {50, 300, 20, 3}, {3000, 9000, 70, 16}, {100_000, 200_000, 1 << 12, 12}, {50_000, 150_000, 5000, 7},
	} {
		random := newRandomTree(rng, shape.nodes, shape.leaves, shape.docs)
		for n := 2; n < shape.nodes; n++ { // in level order
			random.parent[n] = min(int32(n-1), random.parent[n-1]+rng.Int32N(2))
		}
		tree := random.arrange()
		tree.divide(1)
		if len(tree.parts) != shape.parts {
			t.Errorf("%v: %d parts", shape, len(tree.parts))
		}
		o := &Gram{own: make([]float64, shape.docs), shared: tree}
		v := randomVectors(rng, 4, shape.docs)
		alone, three := make([]float64, shape.docs), make([]float64, shape.docs)
		for m := range v {
			processors(1, func() { o.MulVecTo(alone, v[m]) })
			processors(3, func() { o.MulVecTo(three, v[m]) })
			want := random.product(v[m])
			for j := range want {
				if math.Abs(alone[j]-want[j]) > 1e-9*(1+math.Abs(want[j])) {
					t.Fatalf("%v: (K·v)[%d] = %v, by definition %v", shape, j, alone[j], want[j])
				}
				if math.Float64bits(alone[j]) != math.Float64bits(three[j]) {
					t.Fatalf("%v: entry %d is %v on one processor, %v on three", shape, j, alone[j], three[j])
				}
			}
		}
	}
}

func processors(n int, run func()) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(n))
	run()
}
