package gapped

import (
	"context"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/hash"
	"github.com/seqsvm/seqsvm/internal/parallel"
)

// maskTables holds, for each mask, the sums of the coefficients of the k-mers that are the same on its positions: the
// score of a k-mer is one look-up per mask, two with both strands, for all outputs. Those of a k-mer and its reverse
// complement are added mask by mask.
type maskTables []maskTable

// maskTable has a row of values, one per output, for each masked k-mer. Row 0 is zeros, that of k-mers that are not
// there.
type maskTable struct {
	letters uint64
	numbers hash.Table
	values  []float64
}

// newMaskTables builds the tables from k-mers and their coefficients.
func newMaskTables(ctx context.Context, masks []mask, codes []uint64, coef [][]float64) maskTables {
	tables := make(maskTables, len(masks))
	parallel.EachContext(ctx, len(masks), func(i int) { tables[i].fill(ctx, masks[i], codes, coef) })
	return tables
}

// maskTableBytes bounds the size of the tables.
func maskTableBytes(masks, kmers, outputs int) float64 {
	return float64(masks) * float64(hash.Bytes(kmers+kmers/2)+8*outputs*(kmers+1))
}

// fill sums the coefficients by masked k-mer.
func (t *maskTable) fill(ctx context.Context, m mask, codes []uint64, coef [][]float64) {
	outputs := len(coef)
	t.letters = m.letters
	t.numbers.Reset(len(codes) + len(codes)/2)
	t.values = make([]float64, outputs, outputs*(len(codes)+1))
	for i, code := range cancel.All(ctx, codes) {
		row := outputs * int(t.numbers.Number(code&m.letters)+1)
		t.values = t.values[:max(len(t.values), row+outputs)] // the rest is zeros
		for j := range coef {
			t.values[row+j] += float64(m.weight * coef[j][i])
		}
	}
}

// row returns the values of a k-mer.
func (t *maskTable) row(code uint64, outputs int) []float64 {
	return t.values[int(t.numbers.Find(code&t.letters))*outputs:][:outputs]
}

// addTo adds mask by mask.
func (tables maskTables) addTo(dst []float64, w *block, outputs int) {
	for i := range tables {
		t := &tables[i]
		for j, code := range w.codes {
			row, others := dst[w.rows[j]:][:outputs], t.values[:outputs]
			if len(w.opposite) > 0 {
				others = t.row(w.opposite[j], outputs)
			}
			for m, v := range t.row(code, outputs) {
				row[m] += v + others[m]
			}
		}
	}
}
