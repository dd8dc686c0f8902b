package bow

import "github.com/seqsvm/seqsvm/stringkernel"

// tableWeights have a number for each node and output. The factor and weights of a node are contiguous, for a single
// memory access.
type tableWeights struct {
	outputs int
	table   []float64 // a row per node: its factor in the corpus, its weight for each output
}

// newTableWeights returns weights of 0 of nodes with factors.
func newTableWeights(factors []float64, outputs int) *tableWeights {
	t := &tableWeights{outputs, make([]float64, len(factors)*(outputs+1))}
	for node, factor := range factors {
		t.table[node*(outputs+1)] = factor
	}
	return t
}

func (t *tableWeights) factors() ([]float64, int) { return t.table, t.outputs + 1 }

// row returns the weights of a node.
func (t *tableWeights) row(node int32) []float64 {
	at := int(node)*(t.outputs+1) + 1
	return t.table[at : at+t.outputs : at+t.outputs]
}

func (t *tableWeights) addTo(dst []float64, node int32, value float64) {
	for m, weight := range t.row(node)[:len(dst)] {
		dst[m] += float64(value * weight)
	}
}

func (t *tableWeights) of(node int32, m int) float64 { return t.row(node)[m] }

func (t *tableWeights) mixed(node int32, mix []float64) float64 {
	return stringkernel.Mix(mix, t.row(node))
}
