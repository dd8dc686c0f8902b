package rows

import (
	"context"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// The Gram matrix, its rows as features and merged rows are those of the dense matrix.
func TestRowsAgreeWithDense(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, width := rapid.IntRange(0, 9).Draw(t, "rows"), rapid.IntRange(1, 12).Draw(t, "width")
		dense := make([][]float64, n)
		for i := range dense {
			dense[i] = make([]float64, width)
			for j := range dense[i] {
				dense[i][j] = rapid.SampledFrom([]float64{0, 0, 0, 1, 2.5}).Draw(t, "value")
			}
		}
		fill := func(r *Rows, lo, hi int) {
			for i := lo; i < hi; i++ {
				for j, value := range dense[i] {
					if value != 0 {
						r.Add(int32(j), value)
					}
				}
				r.End()
			}
		}
		rows := Collect(context.Background(), n, width, fill)
		bounds := make([]int, n) // with room to spare
		for i := range bounds {
			bounds[i] = (i + 1) * width
		}
		if within := CollectWithin(context.Background(), bounds, width, fill); !slices.Equal(within.ends, rows.ends) ||
			!slices.Equal(within.ids, rows.ids) || !slices.Equal(within.values, rows.values) || within.width != width {
			t.Fatalf("rows %v within bounds, want %v", within, rows)
		}
		v := rapid.SliceOfN(rapid.Float64Range(-1, 1), n, n).Draw(t, "v")
		g := NewGram(context.Background(), rows)
		diag, row, product, own := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
		g.Diag(diag)
		g.MulVecTo(product, v)
		g.FeatureRows().Own(own)
		for i := range n {
			g.Row(row, i)
			table := make([]float64, g.FeatureRows().Width())
			g.FeatureRows().Scatter(table, i, 1)
			sum := 0.0
			for j := range n {
				want := 0.0
				for f := range width {
					want += dense[i][f] * dense[j][f]
				}
				sum += want * v[j]
				explicit := g.FeatureRows().Gather(table, j)
				if i == j {
					explicit += own[i]
					near(t, "diagonal", diag[i], want)
				}
				near(t, "row", row[j], want)
				near(t, "features", explicit, want)
			}
			near(t, "product", product[i], sum)
		}
		merged := make([]float64, 2*width)
		AddUp(stringkernel.NewCoefficients(n, [][]float64{v, v}), rows.Row, func(id uint32) []float64 { return merged[2*id : 2*id+2] })
		for f := range width {
			want := 0.0
			for i := range n {
				want += v[i] * dense[i][f]
			}
			near(t, "merged", merged[2*f], want)
			near(t, "merged", merged[2*f+1], want)
		}
	})
}

func near(t *rapid.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-12*(1+math.Abs(want)) {
		t.Fatalf("%s: %v, want %v", what, got, want)
	}
}
