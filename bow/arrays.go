package bow

import (
	"errors"
	"fmt"

	"github.com/seqsvm/seqsvm/internal/intern"
	"github.com/seqsvm/seqsvm/internal/rows"
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

	occurrencesName = "occurrences"
)

// Arrays returns a scorer as flat arrays: "outputs" ([]int32, their number), "terms" ([]uint8, the terms of the
// vocabulary end to end) and "ends" ([]uint64, the end offset of each), "pairs" ([]uint64: for node T + i, an n-gram,
// the node of all its terms but the last in the upper half and the last term in the lower) and "table" ([]float64, a
// row per node: its factor, 0 if it is not a feature, and one weight per output). By the minimum or χ² there is also
// "occurrences" ([]int32, of each node, how many of its occurrences have weights), and the rows of all second, third, …
// occurrences follow those of the nodes. The table is not a copy. Arrays returns nil for the scorer of a kernel that
// was neither fitted nor open.
func (k Kernel) Arrays(from stringkernel.Scorer) []stringkernel.Array {
	s := from.(*scorer)
	if !s.closed && !k.Open {
		return nil
	}
	v := s.vocabulary
	arrays := append(stored.Terms(&v.terms, textName, endsName),
		stringkernel.Array{Name: pairsName, Data: append([]uint64{}, v.pairs.Keys...)})
	if s.occurrences != nil {
		arrays = append(arrays, stringkernel.Array{Name: occurrencesName, Data: s.occurrences.Counts()})
	}
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
	s := &scorer{vocabulary: v, outputs: outputs, closed: !k.Open}
	if err := s.restoreOccurrences(a); err != nil {
		return nil, err
	}
	if err := s.restoreWeights(a); err != nil {
		return nil, err
	}
	p, err := k.phrases()
	if err != nil {
		return nil, err
	}
	v.setPhrases(p)
	v.setSize()
	return s, nil
}

// restoreOccurrences numbers the occurrences of nodes, if they are features.
func (s *scorer) restoreOccurrences(a *stored.Arrays) (err error) {
	v := s.vocabulary
	if v.kernel.Count.Separable() {
		return nil
	}
	counts := stored.Get[int32](a, occurrencesName, v.nodes())
	if err := a.Err(); err != nil {
		return err
	}
	if len(counts) != v.nodes() {
		return fmt.Errorf("array %q has %d numbers, want %d", occurrencesName, len(counts), v.nodes())
	}
	if s.occurrences, err = rows.RestoreOccurrences(v.kernel.Count, counts); err != nil {
		return fmt.Errorf("array %q: %w", occurrencesName, err)
	}
	return nil
}

// restoreWeights reads the weights of the nodes, and sets their factors.
func (s *scorer) restoreWeights(a *stored.Arrays) error {
	nodes := s.vocabulary.nodes()
	if a.IsSparse() {
		lists, err := restoreLists(a, s.features())
		if err != nil {
			return err
		}
		s.weights, s.vocabulary.global = lists, lists.global[:nodes]
		return s.checkFactors()
	}
	table := &tableWeights{s.outputs, a.Table(tableName, s.features(), s.outputs+1)}
	if err := a.Close(); err != nil {
		return err
	}
	global := make([]float64, nodes)
	for node := range global {
		global[node] = table.table[node*(s.outputs+1)]
	}
	s.weights, s.vocabulary.global = table, global
	return s.checkFactors()
}

// checkFactors returns an error if counts of nodes would be scaled, which are whole numbers of occurrences.
func (s *scorer) checkFactors() error {
	if s.occurrences == nil {
		return nil
	}
	for node, factor := range s.vocabulary.global {
		if factor != 0 && factor != 1 {
			return fmt.Errorf("factor of node %d is %v, want 0 or 1", node, factor)
		}
	}
	return nil
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
