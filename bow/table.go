package bow

import (
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// Folder returns the kernel if it was fitted, so that its vocabulary is known, and its words are a feature each, else
// nil.
func (k Kernel) Folder() compose.Folder {
	if k.fitted == nil || !k.Count.Separable() {
		return nil
	}
	return tableOptions(k)
}

// tableOptions is a fitted kernel.
type tableOptions Kernel

// Fold returns a row of weights for each feature of the vocabulary.
func (k tableOptions) Fold(outputs int) (compose.Table, error) {
	v := k.fitted.vocabulary
	if err := checkOutputs(v.nodes(), outputs); err != nil {
		return nil, err
	}
	return newTable(v, newTableWeights(v.global, outputs)), nil
}

// table is a scorer whose weights are added to: see [compose.Table].
type table struct {
	*scorer
	own *tableWeights // its weights
}

func newTable(v *vocabulary, own *tableWeights) *table {
	return &table{&scorer{vocabulary: v, outputs: own.outputs, weights: own, closed: true}, own}
}

// Add adds a times the value of each feature of x to its weights.
func (t *table) Add(x []byte, a []float64) {
	w := t.vocabulary.borrow()
	defer t.vocabulary.giveBack(w)
	w.weigh(x, func(node int32, value float64) {
		row := t.own.row(node)
		for m := range row {
			row[m] += float64(a[m] * value)
		}
	})
}

// Mix mixes the weights of each feature and leaves its factor as it is.
func (t *table) Mix(rows [][]float64) (compose.Table, error) {
	if err := checkOutputs(t.vocabulary.nodes(), len(rows)); err != nil {
		return nil, err
	}
	withFactor := make([][]float64, len(rows)+1)
	withFactor[0] = make([]float64, t.outputs+1)
	withFactor[0][0] = 1
	for i, row := range rows {
		withFactor[i+1] = append([]float64{0}, row...)
	}
	return newTable(t.vocabulary, &tableWeights{len(rows), compose.MixRows(t.own.table, withFactor)}), nil
}

// Scorer returns the scorer.
func (t *table) Scorer() (stringkernel.Scorer, error) { return t.scorer, nil }
