package components_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seqsvm/seqsvm/classify/components"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/internal/rows"
)

// drawRows draws counts of features, and the same as a matrix.
func drawRows(rng *rand.Rand, n, width int) (*rows.Rows, *mat.Dense) {
	drawn, dense := rows.New(n, 0, width), mat.NewDense(n, width, nil)
	for i := range n {
		for f := range width {
			if rng.IntN(3) == 0 {
				v := float64(1 + rng.IntN(4))
				drawn.Add(int32(f), v)
				dense.Set(i, f, v)
			}
		}
		drawn.End()
	}
	return drawn, dense
}

// TestDenoiserByDefinition projects onto the right singular vectors of the centred rows.
func TestDenoiserByDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	const n, others, width, top = 30, 6, 17, 5
	drawn, x := drawRows(rng, n, width)
	fresh, y := drawRows(rng, others, width)
	mean := make([]float64, width)
	for f := range mean {
		mean[f] = mat.Sum(x.ColView(f)) / n
	}
	centred := mat.DenseCopyOf(x)
	centred.Apply(func(_, f int, v float64) float64 { return v - mean[f] }, x)
	var svd mat.SVD
	if !svd.Factorize(centred, mat.SVDThin) {
		t.Fatal("no singular values")
	}
	var v mat.Dense
	svd.VTo(&v)
	for _, count := range []int{1, 4, 16} {
		found := must.Get(components.PCA{Count: count, Tol: 1e-12}.Fit(t.Context(), rows.NewGram(t.Context(), drawn)))(t)
		d := must.Get(components.NewDenoiser(t.Context(), found, drawn))(t)
		for _, c := range []struct {
			rows   *rows.Rows
			x      *mat.Dense
			unseen float64 // square of features that are not in the rows
		}{{drawn, x, 0}, {fresh, y, 2.5}} {
			squares := make([]float64, c.rows.Len())
			for i := range squares {
				squares[i] = c.rows.Square(i) + c.unseen
			}
			const lo = 2
			got := must.Get(d.Of(t.Context(), c.rows, lo, c.rows.Len(), squares, top))(t)
			for j, record := range got {
				i := lo + j
				want := append([]float64(nil), mean...)
				for k := range count {
					along := 0.0
					for f := range width {
						along += (c.x.At(i, f) - mean[f]) * v.At(f, k)
					}
					for f := range width {
						want[f] += along * v.At(f, k)
					}
				}
				lost := c.unseen
				for f := range width {
					lost += (c.x.At(i, f) - want[f]) * (c.x.At(i, f) - want[f])
				}
				if math.Abs(record.Error-lost) > 1e-7 || len(record.Features) != top {
					t.Errorf("%d components, record %d: error %v of %d features, want %v of %d", count, i, record.Error,
						len(record.Features), lost, top)
				}
				greatest := map[int]bool{}
				for _, f := range record.Features {
					greatest[f.ID] = true
					if math.Abs(f.Value-want[f.ID]) > 1e-7 || f.Given != c.x.At(i, f.ID) {
						t.Errorf("%d components, record %d: %+v, want %v", count, i, f, want[f.ID])
					}
				}
				last := math.Abs(record.Features[top-1].Value)
				for f, value := range want {
					if !greatest[f] && math.Abs(value) > last+1e-7 {
						t.Errorf("%d components, record %d: feature %d of value %v is left out", count, i, f, value)
					}
				}
			}
		}
	}
}
