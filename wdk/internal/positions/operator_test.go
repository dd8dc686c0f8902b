package positions

import (
	"context"
	"math"
	"runtime"
	"testing"
)

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
