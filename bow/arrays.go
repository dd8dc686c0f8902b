package bow

import (
	"errors"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/internal/intern"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Names of the arrays of a scorer.
const (
	outputsName = "outputs"
	textName    = "terms"
	endsName    = "ends"
	pairsName   = "pairs"
	tableName   = "table"
)

// Arrays returns a scorer as flat arrays: "outputs" ([]int32, their number), "terms" ([]uint8, the terms of the
// vocabulary end to end) and "ends" ([]uint64, the end offset of each), "pairs" ([]uint64: for node T + i, an n-gram,
// the node of all its terms but the last in the upper half and the last term in the lower) and "table" ([]float64, a
// row per node: its factor, 0 if it is not a feature, and one weight per output). The table is not a copy. Arrays
// returns nil for the scorer of a kernel that was not fitted.
func (k Kernel) Arrays(scorer stringkernel.Scorer) []stringkernel.Array {
	s := scorer.(*Scorer)
	if !s.closed {
		return nil
	}
	v := s.vocabulary
	ends := make([]uint64, v.terms.Len())
	for id, end := range v.terms.Ends {
		ends[id] = uint64(end)
	}
	return []stringkernel.Array{
		{Name: outputsName, Data: []int32{int32(s.outputs)}},
		{Name: textName, Data: append([]uint8{}, v.terms.Text...)},
		{Name: endsName, Data: ends},
		{Name: pairsName, Data: append([]uint64{}, v.pairs.Keys...)},
		{Name: tableName, Data: s.table},
	}
}

// Restore rebuilds a scorer from the arrays of [Kernel.Arrays] of a kernel with the same parameters, fitted or not, to
// the same bits of every score. It returns an error if an array is missing, unknown, duplicate or of another type; if a
// term is empty or a duplicate; if a pair is a duplicate or begins with a node that does not precede it; or if a number
// is not finite or the number of them is wrong.
func (k Kernel) Restore(arrays []stringkernel.Array) (stringkernel.Scorer, error) {
	k.fitted = nil
	if err := k.Check(); err != nil {
		return nil, err
	}
	s, err := k.restore(arrays)
	if err != nil {
		return nil, fmt.Errorf("words: %w", err)
	}
	return s, nil
}

func (k Kernel) restore(arrays []stringkernel.Array) (*Scorer, error) {
	named, err := stringkernel.ArraysByName(arrays)
	if err != nil {
		return nil, err
	}
	if len(named) != 5 {
		return nil, fmt.Errorf("%d arrays, want 5", len(named))
	}
	outputs, ok := named[outputsName].([]int32)
	if !ok || len(outputs) != 1 || outputs[0] < 1 || outputs[0] > stringkernel.MaxOutputs {
		return nil, fmt.Errorf("array %q: want one int32 from 1 to %d", outputsName, stringkernel.MaxOutputs)
	}
	v := &vocabulary{kernel: k, stop: k.Tokenizer().stopWords()}
	if err := v.restoreTerms(named); err != nil {
		return nil, err
	}
	if err := v.restorePairs(named); err != nil {
		return nil, err
	}
	table, err := restoreTable(named, v.nodes(), int(outputs[0])+1)
	if err != nil {
		return nil, err
	}
	v.global = make([]float64, v.nodes())
	for node := range v.global {
		v.global[node] = table[node*(int(outputs[0])+1)]
	}
	p, err := k.phrases()
	if err != nil {
		return nil, err
	}
	v.setPhrases(p)
	v.setSize()
	return &Scorer{vocabulary: v, outputs: int(outputs[0]), table: table, closed: true}, nil
}

func (v *vocabulary) restoreTerms(named map[string]any) error {
	text, ok := named[textName].([]uint8)
	if !ok {
		return fmt.Errorf("array %q is missing or not uint8", textName)
	}
	ends, ok := named[endsName].([]uint64)
	if !ok {
		return fmt.Errorf("array %q is missing or not uint64", endsName)
	}
	if len(ends) > mostNodes {
		return fmt.Errorf("%d terms, want at most %d", len(ends), mostNodes)
	}
	return v.terms.Restore(text, ends, 1)
}

func (v *vocabulary) restorePairs(named map[string]any) error {
	keys, ok := named[pairsName].([]uint64)
	if !ok {
		return fmt.Errorf("array %q is missing or not uint64", pairsName)
	}
	terms := v.terms.Len()
	if len(keys) > mostNodes-terms {
		return errors.New("more nodes than 2³¹ − 2")
	}
	v.pairs.First = terms
	for i, key := range keys {
		if key>>32 >= uint64(terms+i) || key&intern.Mask >= uint64(terms) {
			return fmt.Errorf("n-gram %d is made of nodes %d and %d, want such as stand before it", i, key>>32, key&intern.Mask)
		}
		if int(v.pairs.Add(key)) != terms+i {
			return fmt.Errorf("n-gram %d occurs twice", i)
		}
	}
	return nil
}

// restoreTable checks that a table has the right size and finite numbers.
func restoreTable(named map[string]any, rows, columns int) ([]float64, error) {
	values, ok := named[tableName].([]float64)
	if !ok {
		return nil, fmt.Errorf("array %q is missing or not float64", tableName)
	}
	if len(values)%columns != 0 || len(values)/columns != rows {
		return nil, fmt.Errorf("array %q has %d numbers, want %d rows of %d", tableName, len(values), rows, columns)
	}
	for i, value := range values {
		if math.IsNaN(value) || math.IsInf(value, 0) {
			return nil, fmt.Errorf("array %q: number %d is %v, want a finite one", tableName, i, value)
		}
	}
	return values, nil
}
