package tree

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// drawnTree is a tree as its definition has it.
type drawnTree struct {
	parent    []int32
	omega     []float64
	node, doc []int32 // leaves by document
	value     []float64
}

// shared returns Σ ω over the nodes above both of two leaves, times their values.
func (d *drawnTree) shared(a, b int) float64 {
	sum := 0.0
	for s := d.node[a]; s != 0; s = d.parent[s] {
		for t := d.node[b]; t != 0; t = d.parent[t] {
			if s == t {
				sum += d.omega[s]
			}
		}
	}
	return sum * d.value[a] * d.value[b]
}

func TestProductsByDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "documents")
		o := &Gram{own: rapid.SliceOfN(rapid.Float64Range(0, 2), n, n).Draw(t, "own")}
		want, sizes := make([][]float64, n), make([][]float64, n) // sizes are sums of absolute values
		for i := range want {
			want[i], sizes[i] = make([]float64, n), make([]float64, n)
			want[i][i], sizes[i][i] = o.own[i], o.own[i]
		}
		d := &drawnTree{parent: []int32{0}, omega: []float64{0}}
		for v := range rapid.Int32Range(0, 12).Draw(t, "nodes") {
			d.parent = append(d.parent, rapid.Int32Range(0, v).Draw(t, "parent"))
			d.omega = append(d.omega, rapid.Float64Range(0, 3).Draw(t, "omega"))
		}
		for i := range n {
			for range rapid.SampledFrom([]int{0, 1, 1, 2, 15}).Draw(t, "leaves") {
				d.node = append(d.node, rapid.Int32Range(0, int32(len(d.parent))-1).Draw(t, "node"))
				d.doc = append(d.doc, int32(i))
				d.value = append(d.value, rapid.SampledFrom([]float64{1, 1, 0.5, -1.25}).Draw(t, "value"))
			}
		}
		for a := range d.node {
			for b := range d.node {
				want[d.doc[a]][d.doc[b]] += d.shared(a, b)
				sizes[d.doc[a]][d.doc[b]] += math.Abs(d.shared(a, b))
			}
		}
		o.shared = arrange(d.parent, d.omega, d.node, d.doc, d.value)
		v, got := make([][]float64, 5), make([][]float64, 5)
		for m := range v {
			v[m], got[m] = rapid.SliceOfN(rapid.Float64Range(-1, 1), n, n).Draw(t, "v"), make([]float64, n)
		}
		o.MulBlockTo(got, v)
		one := make([]float64, n)
		for m := range v {
			o.MulVecTo(one, v[m])
			for i := range one {
				sum, size := 0.0, 0.0
				for j := range one {
					sum += want[i][j] * v[m][j]
					size += math.Abs(sizes[i][j] * v[m][j])
				}
				if math.Abs(one[i]-sum) > 1e-12*size+1e-300 { // below 1e-307 or so, numbers have fewer digits
					t.Fatalf("product %d: %v, want %v", i, one[i], sum)
				}
				if math.Float64bits(one[i]) != math.Float64bits(got[m][i]) {
					t.Fatalf("product %d of vector %d: %v in a block, %v alone", i, m, got[m][i], one[i])
				}
			}
		}
		i := rapid.IntRange(0, n-1).Draw(t, "row")
		o.Row(one, i)
		for j := range one {
			if math.Abs(one[j]-want[j][i]) > 1e-12*sizes[j][i]+1e-300 {
				t.Fatalf("row %d, %d: %v, want %v", i, j, one[j], want[j][i])
			}
		}
	})
}
