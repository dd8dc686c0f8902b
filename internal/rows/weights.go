package rows

import (
	"fmt"

	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/stored"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// weights are those of features for several outputs.
type weights interface {
	// addTo adds the weights of a feature, times a value, to dst, which has an entry per output.
	addTo(dst []float64, id int32, value float64)
	arrays(f Features) []stringkernel.Array
}

// weightsName is the name of their array in a table.
const weightsName = "weights"

// tableWeights have a number for each feature and output.
type tableWeights struct {
	outputs int
	table   []float64 // a row per feature
}

func newTableWeights(features, outputs int) *tableWeights {
	return &tableWeights{outputs, make([]float64, features*outputs)}
}

// row returns the weights of a feature.
func (t *tableWeights) row(id int32) []float64 {
	at := int(id) * t.outputs
	return t.table[at : at+t.outputs : at+t.outputs]
}

func (t *tableWeights) addTo(dst []float64, id int32, value float64) {
	for m, weight := range t.row(id)[:len(dst)] {
		dst[m] += float64(value * weight)
	}
}

func (t *tableWeights) arrays(Features) []stringkernel.Array {
	return []stringkernel.Array{stored.Outputs(t.outputs), {Name: weightsName, Data: t.table}}
}

// CheckTable returns an error if a table of some columns for each feature would be too large, or a scorer would have
// too many outputs.
func CheckTable(features, outputs, columns int) error {
	if outputs > stringkernel.MaxOutputs {
		return fmt.Errorf("%d outputs, want at most %d", outputs, stringkernel.MaxOutputs)
	}
	if err := memory.Check(8 * float64(features) * float64(columns)); err != nil {
		return fmt.Errorf("weights of %d features for %d outputs need %w", features, outputs, err)
	}
	return nil
}

// AddUp adds Σ_i c_im·φ(x_i) to rows of weights, one number per output m for each feature, given the features of
// support vector i. It leaves features out whose weights are nil. Only coefficients other than zero cost time: support
// vectors of few machines among many are the rule.
func AddUp(
	c *stringkernel.Coefficients, row func(i int) (ids []uint32, values []float64), weights func(id uint32) []float64,
) {
	for i := range c.Len() {
		outputs, coef := c.Row(i)
		ids, values := row(i)
		for e, id := range ids {
			sum, value := weights(id), values[e]
			if sum == nil {
				continue
			}
			for u, m := range outputs {
				sum[m] += float64(coef[u] * value)
			}
		}
	}
}
