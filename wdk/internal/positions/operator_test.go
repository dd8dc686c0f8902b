package positions

import (
	"context"
	"math"
	"runtime"
	"testing"

	"pgregory.net/rapid"
)

// drawShape draws a tree of n documents. Parents do not descend, and many leaves may share a node.
func drawShape(t *rapid.T, n int) Shape {
	s := Shape{Parent: []int32{0}, Omega: []float64{0}, Places: rapid.IntRange(1, 2).Draw(t, "places")}
	nodes := rapid.SampledFrom([]int{1, 3, 20, 600}).Draw(t, "nodes")
	parent, apart := int32(0), rapid.SampledFrom([]int32{1, 2, 300}).Draw(t, "apart")
	weights := rapid.SampledFrom([]int{3, 400}).Draw(t, "weights")
	for v := int32(1); v < int32(nodes); v++ {
		if parent < v-1 {
			parent = min(v-1, parent+rapid.Int32Range(0, apart).Draw(t, "step"))
		}
		s.Parent, s.Omega = append(s.Parent, parent), append(s.Omega, float64(int(v)*7%weights))
	}
	last := rapid.SampledFrom([]int{0, nodes - 1}).Draw(t, "least")
	for range n * s.Places {
		s.Leaf = append(s.Leaf, rapid.Int32Range(int32(last), int32(nodes-1)).Draw(t, "leaf"))
	}
	return s
}

// shared returns Σ ω over the nodes above both of two leaves.
func (s *Shape) shared(a, b int32) float64 {
	sum := 0.0
	for a != b {
		if a > b {
			a = s.Parent[a]
		} else {
			b = s.Parent[b]
		}
	}
	for ; a != 0; a = s.Parent[a] {
		sum += s.Omega[a]
	}
	return sum
}

func TestProductsByDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{1, 5, 40}).Draw(t, "documents")
		o := &Operator{Own: make([]float64, n)}
		want := make([][]float64, n)
		for i := range want {
			want[i] = make([]float64, n)
			o.Own[i] = float64(i % 3)
			want[i][i] = o.Own[i]
		}
		for range rapid.IntRange(0, 3).Draw(t, "trees") {
			s := drawShape(t, n)
			for a, x := range s.Leaf {
				for b, y := range s.Leaf {
					want[a/s.Places][b/s.Places] += s.shared(x, y)
				}
			}
			o.Trees = append(o.Trees, new(Builder).Tree(context.Background(), s))
		}
		v, got, one := make([][]float64, 5), make([][]float64, 5), make([]float64, n)
		for m := range v {
			v[m], got[m] = make([]float64, n), make([]float64, n)
			for i := range v[m] {
				v[m][i] = math.Sin(float64(1 + i*len(v) + m))
			}
		}
		o.MulBlockTo(got, v)
		for m := range v {
			o.MulVecTo(one, v[m])
			for i := range one {
				sum, size := 0.0, 0.0
				for j, x := range v[m] {
					sum += want[i][j] * x
					size += math.Abs(want[i][j] * x)
				}
				if math.Abs(one[i]-sum) > 1e-12*size {
					t.Fatalf("product %d: %v, want %v", i, one[i], sum)
				}
				if math.Float64bits(one[i]) != math.Float64bits(got[m][i]) {
					t.Fatalf("product %d of vector %d: %v in a block, %v alone", i, m, got[m][i], one[i])
				}
			}
		}
	})
}

// shuffled returns a tree of n documents whose every node has two children, of 2^deep − 1 nodes.
func shuffled(n, deep int, seed uint64) Shape {
	s := Shape{Places: 1}
	for v := range int32(1<<deep - 1) {
		s.Parent, s.Omega = append(s.Parent, max(0, v-1)/2), append(s.Omega, float64(v%5))
	}
	for range n {
		seed = seed*6364136223846793005 + 1442695040888963407
		s.Leaf = append(s.Leaf, int32(seed>>33)%int32(len(s.Parent)))
	}
	return s
}

// Any number of processors gives the same bits, with slots of any width, and documents of several segments.
func TestAnyProcessors(t *testing.T) {
	const n = 70_000
	o := &Operator{Own: make([]float64, n)}
	for i, deep := range []int{4, 9, 17, 16, 5} {
		o.Trees = append(o.Trees, new(Builder).Tree(context.Background(), shuffled(n, deep, uint64(i))))
	}
	v, one, many := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range v {
		v[i] = 1 / float64(1+i%977)
	}
	before := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(before)
	o.MulVecTo(one, v)
	runtime.GOMAXPROCS(3)
	o.MulVecTo(many, v)
	for i := range one {
		if math.Float64bits(one[i]) != math.Float64bits(many[i]) {
			t.Fatalf("product %d: %v on one processor, %v on three", i, one[i], many[i])
		}
	}
}

// Slots beyond 16 bits, and edges that are rare, give the sums over nodes.
func TestManySlots(t *testing.T) {
	const n = 90_000
	for places := 1; places <= 2; places++ {
		s := shuffled(n*places, 17, 7)
		s.Places = places
		for v := range s.Omega {
			s.Omega[v] = float64(v % 700)
		}
		sums, v, want, got := make([]float64, len(s.Parent)), make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range v {
			v[i] = math.Sin(float64(i))
		}
		for leaf, node := range s.Leaf {
			sums[node] += v[leaf/places]
		}
		for node := len(sums) - 1; node > 0; node-- {
			sums[s.Parent[node]] += sums[node]
		}
		sums[0] = 0
		for node := 1; node < len(sums); node++ {
			sums[node] = sums[s.Parent[node]] + float64(s.Omega[node]*sums[node])
		}
		for leaf, node := range s.Leaf {
			want[leaf/places] += sums[node]
		}
		o := &Operator{Own: make([]float64, n), Trees: []Tree{new(Builder).Tree(context.Background(), s)}}
		o.MulVecTo(got, v)
		for i := range got {
			if math.Abs(got[i]-want[i]) > 1e-9*math.Abs(want[i])+1e-6 {
				t.Fatalf("%d places: product %d is %v, want %v", places, i, got[i], want[i])
			}
		}
	}
}
