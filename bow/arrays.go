package bow

import (
	"errors"
	"fmt"

	"github.com/seqsvm/seqsvm/internal/intern"
	"github.com/seqsvm/seqsvm/internal/stored"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Names of the arrays of a scorer.
const (
	textName  = "terms"
	endsName  = "ends"
	pairsName = "pairs"
	tableName = "table"

	factorsName = "factors"
	placesName  = "lists"
	valuesName  = "values"
	rowsName    = "rows"
)

// Arrays returns a scorer as flat arrays: "outputs" ([]int32, their number), "terms" ([]uint8, the terms of the
// vocabulary end to end) and "ends" ([]uint64, the end offset of each), "pairs" ([]uint64: for node T + i, an n-gram,
// the node of all its terms but the last in the upper half and the last term in the lower) and "table" ([]float64, a
// row per node: its factor, 0 if it is not a feature, and one weight per output). The table is not a copy. Arrays
// returns nil for the scorer of a kernel that was neither fitted nor open.
func (k Kernel) Arrays(from stringkernel.Scorer) []stringkernel.Array {
	s := from.(*scorer)
	if !s.closed && !k.Open {
		return nil
	}
	v := s.vocabulary
	arrays := append(stored.Terms(&v.terms, textName, endsName),
		stringkernel.Array{Name: pairsName, Data: append([]uint64{}, v.pairs.Keys...)})
	switch w := s.weights.(type) {
	case *listWeights:
		return append(append(stored.Sparse(w.coef), arrays...), w.arrays()...)
	default:
		table, _ := w.factors()
		return append(append([]stringkernel.Array{stored.Outputs(s.outputs)}, arrays...),
			stringkernel.Array{Name: tableName, Data: table})
	}
}

// Restore rebuilds a scorer from the arrays of [Kernel.Arrays] of a kernel with the same parameters, fitted or not, to
// the same bits of every score. It returns an error if an array is missing, unknown, duplicate or of another type; if a
// term is empty or a duplicate; if a pair is a duplicate or begins with a node that does not precede it; or if a number
// is not finite or the number of them is wrong.
func (k Kernel) Restore(arrays []stringkernel.Array) (stringkernel.Scorer, error) {
	k.fitted = nil
	return stored.Restore(k, "words", arrays, k.restore)
}

func (k Kernel) restore(a *stored.Arrays) (*scorer, error) {
	outputs := a.Outputs()
	v := &vocabulary{kernel: k, stop: k.Tokenizer().stopWords()}
	a.Terms(&v.terms, textName, endsName, 1, mostNodes)
	if err := v.restorePairs(stored.Get[uint64](a, pairsName, mostNodes-v.terms.Len())); err != nil {
		return nil, err
	}
	weights, err := v.restoreWeights(a, outputs)
	if err != nil {
		return nil, err
	}
	p, err := k.phrases()
	if err != nil {
		return nil, err
	}
	v.setPhrases(p)
	v.setSize()
	return &scorer{vocabulary: v, outputs: outputs, weights: weights, closed: !k.Open}, nil
}

// restoreWeights returns the weights of the nodes, and sets their factors.
func (v *vocabulary) restoreWeights(a *stored.Arrays, outputs int) (weights, error) {
	if a.IsSparse() {
		return v.restoreLists(a)
	}
	table := &tableWeights{outputs, a.Table(tableName, v.nodes(), outputs+1)}
	if err := a.Close(); err != nil {
		return nil, err
	}
	v.global = make([]float64, v.nodes())
	for node := range v.global {
		v.global[node] = table.table[node*(outputs+1)]
	}
	return table, nil
}

func (v *vocabulary) restorePairs(keys []uint64) error {
	terms := v.terms.Len()
	if len(keys) > mostNodes-terms {
		return errors.New("more nodes than 2³¹ − 2")
	}
	v.pairs.First = terms
	for i, key := range keys {
		if key>>32 >= uint64(terms+i) || key&intern.Mask >= uint64(terms) {
			return fmt.Errorf("n-gram %d is made of nodes %d and %d, want earlier ones",
				i, key>>32, key&intern.Mask)
		}
		if int(v.pairs.Add(key)) != terms+i {
			return fmt.Errorf("duplicate n-gram %d", i)
		}
	}
	return nil
}
