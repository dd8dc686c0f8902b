package rows

import "github.com/seqsvm/seqsvm/stringkernel"

// table is a scorer whose weights are added to: see [stringkernel.Table].
type table struct {
	*Scorer
	own *tableWeights // its weights
}

// NewTable returns a table of zeros of features all of which have a number.
func NewTable(f Features, outputs int) (*stringkernel.Table, error) {
	if err := CheckTable(f.Len(), outputs, outputs); err != nil {
		return nil, err
	}
	return tableOf(f, newTableWeights(f.Len(), outputs)), nil
}

func tableOf(f Features, own *tableWeights) *stringkernel.Table {
	t := &table{&Scorer{features: f, outputs: own.outputs, weights: own, self: true}, own}
	return &stringkernel.Table{
		Scorer: t.Scorer, Add: t.add, Mix: t.mix, Freeze: func() (stringkernel.Scorer, error) { return t.Scorer, nil },
	}
}

// add adds a times the value of each feature of x to its weights.
func (t *table) add(x []byte, a []float64) {
	r := t.features.Borrow()
	defer t.features.Return(r)
	find(r, x, false).each(func(_ int, id int32, value float64) {
		row := t.own.row(id)
		for m := range row {
			row[m] += float64(a[m] * value)
		}
	})
}

// mix mixes the weights of each feature.
func (t *table) mix(mix [][]float64) (*stringkernel.Table, error) {
	if err := CheckTable(t.features.Len(), len(mix), len(mix)); err != nil {
		return nil, err
	}
	return tableOf(t.features, &tableWeights{len(mix), stringkernel.MixRows(t.own.table, mix)}), nil
}
