package tree

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// randomTree is a tree of some nodes with leaves of documents, as newFlatTree takes it.
type randomTree struct {
	parent            []int32
	omega             []float64
	leafNode, leafDoc []int32
	leafValue         []float64
}

// arrange returns the tree of leaves by document.
func arrange(parent []int32, omega []float64, leafNode, leafDoc []int32, leafValue []float64) *flatTree {
	var node, doc []int32
	var others []Leaf
	for j, value := range leafValue {
		if value == 1 {
			node, doc = append(node, leafNode[j]), append(doc, leafDoc[j])
		} else {
			others = append(others, Leaf{leafNode[j], leafDoc[j], value})
		}
	}
	slices.Reverse(others) // any order will do
	return newFlatTree(context.Background(), parent, omega, node, doc, others)
}

func newRandomTree(rng *rand.Rand, nodes, leaves, docs int) randomTree {
	t := randomTree{parent: []int32{0}, omega: []float64{0}}
	for v := 1; v < nodes; v++ {
		t.parent = append(t.parent, int32(max(0, v-1-rng.IntN(min(v, 40)))))
		t.omega = append(t.omega, float64(rng.IntN(5))-1.5)
	}
	for range leaves {
		t.leafDoc = append(t.leafDoc, int32(rng.IntN(docs)))
	}
	slices.Sort(t.leafDoc)
	for range leaves {
		t.leafNode = append(t.leafNode, int32(rng.IntN(nodes)))
		t.leafValue = append(t.leafValue, []float64{1, 1, 1, 0.5, -1.25, rng.Float64()}[rng.IntN(6)])
	}
	return t
}

func (t *randomTree) arrange() *flatTree {
	return arrange(t.parent, t.omega, t.leafNode, t.leafDoc, t.leafValue)
}

// product is K·v by definition: for every pair of leaves their values and the weights of the nodes above both.
func (t *randomTree) product(v []float64) []float64 {
	above := make([]float64, len(t.parent)) // Σ ω·c from the node up
	sums := make([]float64, len(t.parent))
	for j, node := range t.leafNode {
		for u := node; u != 0; u = t.parent[u] {
			sums[u] += t.leafValue[j] * v[t.leafDoc[j]]
		}
	}
	out := make([]float64, len(v))
	for u := 1; u < len(above); u++ {
		above[u] = above[t.parent[u]] + t.omega[u]*sums[u]
	}
	for j, node := range t.leafNode {
		out[t.leafDoc[j]] += t.leafValue[j] * above[node]
	}
	return out
}

func randomVectors(rng *rand.Rand, m, n int) [][]float64 {
	v := make([][]float64, m)
	for i := range v {
		v[i] = make([]float64, n)
		for j := range v[i] {
			v[i][j] = rng.NormFloat64()
		}
	}
	return v
}

// shapes are trees with many fans, none, no leaves, no nodes, and documents beyond 2¹⁶.
var shapes = []struct{ nodes, leaves, docs int }{
	{1, 0, 3}, {1, 5, 3}, {2, 2, 2}, {2, 9, 1}, {5, 300, 7}, {40, 900, 12}, {300, 500, 50}, {30, 4000, 1 << 17},
}

// TestShapesByDefinition is for what small trees do not have: long fans, and documents in several.
func TestShapesByDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, shape := range shapes {
		tree := newRandomTree(rng, shape.nodes, shape.leaves, shape.docs)
		o := &Gram{own: make([]float64, shape.docs), shared: tree.arrange()}
		got := make([]float64, shape.docs)
		for _, v := range randomVectors(rng, 4, shape.docs) {
			o.MulVecTo(got, v)
			for j, want := range tree.product(v) {
				if math.Abs(got[j]-want) > 1e-9*(1+math.Abs(want)) {
					t.Fatalf("%v: (K·v)[%d] = %v, by definition %v", shape, j, got[j], want)
				}
			}
		}
	}
}

func TestShortVectorsPanic(t *testing.T) {
	random := newRandomTree(rand.New(rand.NewPCG(1, 3)), 20, 100, 10)
	tree := random.arrange()
	defer func() {
		if recover() == nil {
			t.Error("vectors shorter than the documents did not panic")
		}
	}()
	(&Gram{own: make([]float64, tree.docs), shared: tree}).MulVecTo(make([]float64, tree.docs), make([]float64, tree.docs-1))
}
