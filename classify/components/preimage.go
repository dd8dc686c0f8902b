package components

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/rows"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/strongest"
	"github.com/seqsvm/seqsvm/internal/vectors"
)

// Denoiser rebuilds records from their components alone (Mika et al. 1999, Kernel PCA and de-noising in feature spaces,
// NIPS 11): what is left of φ(x) along v_1 … v_r,
//
//	Pφ(x) = μ + Σ_j y_j v_j,   y_j = ⟨v_j, φ(x) − μ⟩,
//
// the nearest point to φ(x) that these reach. Where features are explicit, such as counts of words or k-mers, it needs
// no search for a pre-image: Pφ(x) is a vector of such values, exactly.
type Denoiser struct {
	width, count int
	rho          []float64
	table        []float64 // by feature: μ, then v_1 … v_r
	records      sync.Pool // *[]float64, a record
}

// Denoised is a record rebuilt.
type Denoised struct {
	Features []DenoisedFeature // those asked for, the greatest |Value| first
	Error    float64           // |φ(x) − Pφ(x)|²
}

// DenoisedFeature is a feature of a record.
type DenoisedFeature struct {
	ID    int     // of the rows
	Given float64 // in the record
	Value float64 // in what is left of it
}

// NewDenoiser makes a Denoiser of the components of rows of features, which are those that the components were found
// on. Time: a pass over the rows for each component. Memory: 8 bytes for each feature of each component.
func NewDenoiser(ctx context.Context, c *Components, rows *rows.Rows) (d *Denoiser, err error) {
	defer cancel.Catch(&err)
	d = &Denoiser{width: rows.Width(), count: len(c.Values), rho: c.Rho}
	if err := memory.Check(8 * float64(d.width) * float64(d.count+2)); err != nil {
		return nil, fmt.Errorf("components: %d components of %d features need %w", d.count, d.width, err)
	}
	d.table = make([]float64, d.width*(d.count+1))
	mean := slices.Repeat([]float64{1 / float64(rows.Len())}, rows.Len())
	weights := append([][]float64{mean}, c.Coef()...)
	err = parallel.Do(ctx, len(weights), func(j int) error {
		column := make([]float64, d.width)
		for i, a := range weights[j] {
			rows.Scatter(column, i, a)
		}
		for f, v := range column {
			d.table[f*(d.count+1)+j] = v
		}
		return nil
	})
	return d, err
}

// Of rebuilds the records lo … hi−1: rows of the same features, of which features that are not among them are left out.
// squares are |φ(x)|² of all rows with these. It returns the top features of each. Time: that of all features times
// components for each record.
func (d *Denoiser) Of(
	ctx context.Context, rows *rows.Rows, lo, hi int, squares []float64, top int,
) ([]Denoised, error) {
	out := make([]Denoised, hi-lo)
	err := parallel.Do(ctx, hi-lo, func(j int) error {
		i := lo + j
		given := scratch.Borrow(&d.records, d.width)
		defer d.records.Put(given)
		clear(*given)
		rows.Scatter(*given, i, 1)
		out[j] = d.of(*given, d.along(rows.Row(i)), top)
		out[j].Error += max(0, squares[i]-rows.Square(i))
		return nil
	})
	return out, err
}

// along returns 1, for the mean, and the projections y_j of a row.
func (d *Denoiser) along(ids []uint32, values []float64) []float64 {
	y := make([]float64, d.count+1)
	for e, id := range ids {
		for j, v := range d.row(int(id)) {
			y[j] += float64(values[e] * v)
		}
	}
	y[0] = 1
	for j, rho := range d.rho {
		y[j+1] -= rho
	}
	return y
}

// row returns what the mean and the components have of a feature.
func (d *Denoiser) row(feature int) []float64 {
	columns := d.count + 1
	return d.table[feature*columns : (feature+1)*columns]
}

// of rebuilds a record from its projections.
func (d *Denoiser) of(given, y []float64, top int) (out Denoised) {
	rebuilt := func(feature int) float64 { return vectors.Dot(d.row(feature), y) }
	list := strongest.NewList(min(top, d.width))
	for f, x := range given {
		value := rebuilt(f)
		out.Error += float64((x - value) * (x - value))
		list.Offer(f, math.Abs(value))
	}
	for _, item := range list.Items() {
		out.Features = append(out.Features, DenoisedFeature{item.Number, given[item.Number], rebuilt(item.Number)})
	}
	return out
}
