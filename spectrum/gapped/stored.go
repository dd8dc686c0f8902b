package gapped

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/seqsvm/seqsvm/internal/stored"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// The stored form of either scorer: the words with coefficients, ascending, as the gaps between them in unsigned
// varints (the first word is its own gap), and the coefficients of each output, from which the tables are made again.
// With both strands a word and its reverse complement have one coefficient: the lesser of the two stands for both. That
// is 9 to 10 bytes per word and output.
const (
	wordsName  = "words"
	coefPrefix = "coef."
)

// writeArrays returns the arrays of ascending words and their coefficients.
func writeArrays(e *engine, words []uint64, coef [][]float64) []stringkernel.Array {
	gaps := []uint8{}
	kept := make([]int, 0, len(words))
	previous := uint64(0)
	for i, w := range words {
		if e.rc && e.coder.reverseComplement(w) < w {
			continue
		}
		gaps = binary.AppendUvarint(gaps, w-previous)
		previous = w
		kept = append(kept, i)
	}
	arrays := []stringkernel.Array{{Name: wordsName, Data: gaps}}
	for m, c := range coef {
		values := make([]float64, len(kept))
		for j, i := range kept {
			values[j] = c[i]
		}
		arrays = append(arrays, stringkernel.Array{Name: coefPrefix + strconv.Itoa(m), Data: values})
	}
	return arrays
}

// readArrays checks everything but the words' letters, and adds the reverse complements.
func readArrays(e *engine, arrays []stringkernel.Array) (words []uint64, coef [][]float64, err error) {
	outputs := len(arrays) - 1
	if outputs < 1 || outputs > maxOutputs {
		return nil, nil, fmt.Errorf("%s: %d arrays, want the words and 1 to %d lists of coefficients", e.name, len(arrays), maxOutputs)
	}
	a := stored.Read(arrays)
	gaps := stored.Get[uint8](a, wordsName, math.MaxInt)
	if words, err = readGaps(gaps); err != nil {
		return nil, nil, fmt.Errorf("%s: array %q: %w", e.name, wordsName, err)
	}
	coef = make([][]float64, outputs)
	for m := range coef {
		coef[m] = a.Table(coefPrefix+strconv.Itoa(m), len(words), 1)
	}
	if err := a.Close(); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", e.name, err)
	}
	if !e.rc {
		return words, coef, nil
	}
	return addOpposites(e, words, coef)
}

// readGaps returns the ascending words of a list of gaps.
func readGaps(gaps []uint8) ([]uint64, error) {
	words := make([]uint64, 0, len(gaps))
	for len(gaps) > 0 {
		gap, n := binary.Uvarint(gaps)
		if n <= 0 {
			return nil, fmt.Errorf("word %d is cut off or has more than 64 bits", len(words))
		}
		gaps = gaps[n:]
		w := gap
		if last := len(words) - 1; last >= 0 {
			if w += words[last]; w <= words[last] {
				return nil, fmt.Errorf("word %d is %d after %d, want ascending numbers", len(words), w, words[last])
			}
		}
		words = append(words, w)
	}
	return slices.Clip(words), nil
}

// addOpposites gives the reverse complement of each word the word's coefficients, and sorts.
func addOpposites(e *engine, words []uint64, coef [][]float64) ([]uint64, [][]float64, error) {
	type entry struct {
		word uint64
		from int
	}
	all := make([]entry, 0, 2*len(words))
	for i, w := range words {
		if w > e.coder.all {
			return nil, nil, fmt.Errorf("%s: array %q: word %d is %d, want numbers up to %d", e.name, wordsName, i, w, e.coder.all)
		}
		all = append(all, entry{w, i})
		switch other := e.coder.reverseComplement(w); {
		case other < w:
			return nil, nil, fmt.Errorf("%s: array %q: word %d is the greater of it and its reverse complement", e.name, wordsName, i)
		case other > w:
			all = append(all, entry{other, i})
		}
	}
	slices.SortFunc(all, func(a, b entry) int { return cmp.Compare(a.word, b.word) })
	both, sums := make([]uint64, len(all)), make([][]float64, len(coef))
	for m := range sums {
		sums[m] = make([]float64, len(all))
	}
	for j, a := range all {
		both[j] = a.word
		for m := range sums {
			sums[m][j] = coef[m][a.from]
		}
	}
	return both, sums, nil
}
