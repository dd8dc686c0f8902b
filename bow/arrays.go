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
	textName        = "terms"
	endsName        = "ends"
	pairsName       = "pairs"
	factorsName     = "factors"
	occurrencesName = "occurrences"
)

// Arrays returns a scorer as flat arrays: "terms" ([]uint8, the terms of the vocabulary end to end) and "ends"
// ([]uint64, the end offset of each), "pairs" ([]uint64: for node T + i, an n-gram, the node of all its terms but the
// last in the upper half and the last term in the lower), "factors" ([]float64, of each node, 0 if it is not a feature)
// and the weights of nodes: see docs/model-format.md. By the minimum or χ² there is also "occurrences" ([]int32, of
// each node, how many of its occurrences have weights), and the weights of all second, third, … occurrences follow
// those of the nodes. Arrays are not copies. Arrays returns nil for the scorer of a kernel that was neither fitted nor
// open.
func (k Kernel) Arrays(from stringkernel.Scorer) []stringkernel.Array {
	s := from.(*rows.Scorer)
	if s.Traits().SelfScoreTo == nil && !k.Open {
		return nil
	}
	return s.Arrays()
}

// Arrays returns the nodes.
func (v *vocabulary) Arrays() []stringkernel.Array {
	return append(stored.Terms(&v.terms, textName, endsName),
		stringkernel.Array{Name: pairsName, Data: append([]uint64{}, v.pairs.Keys...)},
		stringkernel.Array{Name: factorsName, Data: v.global})
}

// Arrays returns the nodes and how many of the occurrences of each have a number.
func (v occurring) Arrays() []stringkernel.Array {
	return append(v.vocabulary.Arrays(), stringkernel.Array{Name: occurrencesName, Data: v.occurrences.Counts()})
}

// Restore rebuilds a scorer from the arrays of [Kernel.Arrays] of a kernel with the same parameters, fitted or not, to
// the same bits of every score. It returns an error if an array is missing, unknown, duplicate or of another type; if a
// term is empty or a duplicate; if a pair is a duplicate or begins with a node that does not precede it; or if a number
// is not finite or the number of them is wrong.
func (k Kernel) Restore(arrays []stringkernel.Array) (stringkernel.Scorer, error) {
	k.fitted = nil
	return stored.Restore(k, "words", arrays, k.restore)
}

func (k Kernel) restore(a *stored.Arrays) (*rows.Scorer, error) {
	v := &vocabulary{kernel: k, stop: k.Tokenizer().stopWords()}
	a.Terms(&v.terms, textName, endsName, 1, mostNodes)
	if err := v.restorePairs(stored.Get[uint64](a, pairsName, mostNodes-v.terms.Len())); err != nil {
		return nil, err
	}
	v.global = a.Table(factorsName, v.Len(), 1)
	p, err := k.phrases()
	if err != nil {
		return nil, err
	}
	v.setPhrases(p)
	v.setSize()
	f := rows.Features(v)
	if !k.Count.Separable() {
		if f, err = v.restoreOccurrences(a); err != nil {
			return nil, err
		}
	}
	return rows.Restore(a, f, !k.Open)
}

// restoreOccurrences numbers the occurrences of nodes, whose counts are not scaled: they are whole numbers.
func (v *vocabulary) restoreOccurrences(a *stored.Arrays) (occurring, error) {
	counts := stored.Get[int32](a, occurrencesName, v.Len())
	switch {
	case a.Err() != nil:
		return occurring{}, a.Err()
	case len(counts) != v.Len():
		return occurring{}, fmt.Errorf("array %q has %d numbers, want %d", occurrencesName, len(counts), v.Len())
	}
	for node, factor := range v.global {
		if factor != 0 && factor != 1 {
			return occurring{}, fmt.Errorf("factor of node %d is %v, want 0 or 1", node, factor)
		}
	}
	o, err := rows.RestoreOccurrences(v.kernel.Count, counts)
	if err != nil {
		err = fmt.Errorf("array %q: %w", occurrencesName, err)
	}
	return occurring{v, o}, err
}

func (v *vocabulary) restorePairs(keys []uint64) error {
	terms := v.terms.Len()
	if len(keys) > mostNodes-terms {
		return errors.New("more nodes than 2³¹ − 2")
	}
	v.pairs.First = terms
	for i, key := range keys {
		if key>>32 >= uint64(terms+i) || key&intern.Mask >= uint64(terms) {
			return fmt.Errorf("n-gram %d is made of nodes %d and %d, want earlier ones", i, key>>32, key&intern.Mask)
		}
		if int(v.pairs.Add(key)) != terms+i {
			return fmt.Errorf("duplicate n-gram %d", i)
		}
	}
	return nil
}
