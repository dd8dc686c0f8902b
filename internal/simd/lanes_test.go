package simd

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// lanesTree is a tree as the loops take it, with random numbers of all sizes.
type lanesTree struct {
	nodes    []Edge
	pairs    []Pair
	leaf     []int32 // node of each leaf
	doc      []int32 // its document
	fan      []uint16
	omega    []float64
	by       []float64 // of each leaf
	v, c, at []Lanes
}

func newLanesTree(rng *rand.Rand, nodes, leaves, docs int) *lanesTree {
	t := &lanesTree{omega: []float64{0.5, -1.5, 3, 1e-7}}
	edge := func(n int) Edge {
		return Edge{Parent: int32(rng.IntN(max(1, n))), Omega: int32(rng.IntN(len(t.omega)))}
	}
	for n := range nodes {
		t.nodes = append(t.nodes, edge(n))
	}
	for range leaves {
		t.leaf = append(t.leaf, int32(rng.IntN(nodes)))
		t.doc = append(t.doc, int32(rng.IntN(docs)))
		t.by = append(t.by, rng.NormFloat64())
		t.fan = append(t.fan, uint16(rng.IntN(docs)))
		t.pairs = append(t.pairs, Pair{edge(nodes), int32(rng.IntN(docs)), int32(rng.IntN(docs))})
	}
	numbers := func(n int) []Lanes {
		v := make([]Lanes, n)
		for i := range v {
			for m := range v[i] {
				v[i][m] = math.Ldexp(rng.NormFloat64(), rng.IntN(80)-40)
			}
		}
		return v
	}
	t.v, t.c, t.at = numbers(docs), numbers(nodes), numbers(docs)
	return t
}

// lanesByLoop are all loops, each of which overwrites the tree's c or at.
var lanesByLoop = map[string]func(l *lanesLoops, t *lanesTree){
	"addAt":     func(l *lanesLoops, t *lanesTree) { l.addAt(t.c, t.leaf, t.v, t.doc) },
	"addScaled": func(l *lanesLoops, t *lanesTree) { l.addScaled(t.c, t.leaf, t.v, t.doc, t.by) },
	"pairsUp":   func(l *lanesLoops, t *lanesTree) { l.pairsUp(t.c, t.v, t.pairs) },
	"pairsDown": func(l *lanesLoops, t *lanesTree) { l.pairsDown(t.at, t.c, t.v, t.pairs, t.omega) },
	"nodesUp":   func(l *lanesLoops, t *lanesTree) { l.nodesUp(t.c, t.nodes) },
	"nodesDown": func(l *lanesLoops, t *lanesTree) { l.nodesDown(t.c, t.nodes, t.omega) },
	"fanUp":     func(l *lanesLoops, t *lanesTree) { l.fanUp(&t.c[0], t.v, t.fan, -0.7) },
	"fanDown":   func(l *lanesLoops, t *lanesTree) { l.fanDown(t.at, t.fan, &t.c[0], 1.3) },
}

// TestLanesAgree compares the loops of this processor with those in Go, to the bit.
func TestLanesAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, shape := range []struct{ nodes, leaves, docs int }{
		{1, 0, 3}, {1, 5, 3}, {2, 2, 2}, {2, 9, 1}, {5, 300, 7}, {40, 901, 12}, {300, 502, 50}, {30, 4003, 1 << 16},
	} {
		tree := newLanesTree(rng, shape.nodes, shape.leaves, shape.docs)
		for name, run := range lanesByLoop {
			got, want := *tree, *tree
			got.c, got.at = slices.Clone(tree.c), slices.Clone(tree.at)
			want.c, want.at = slices.Clone(tree.c), slices.Clone(tree.at)
			run(&lanes, &got)
			run(&goLanes, &want)
			checkLanes(t, name, got.c, want.c)
			checkLanes(t, name, got.at, want.at)
		}
	}
}

func checkLanes(t *testing.T, name string, got, want []Lanes) {
	t.Helper()
	for i := range want {
		for m := range want[i] {
			if math.Float64bits(got[i][m]) != math.Float64bits(want[i][m]) {
				t.Fatalf("%s: entry %d, vector %d is %v, in Go %v", name, i, m, got[i][m], want[i][m])
			}
		}
	}
}
