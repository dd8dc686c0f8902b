package spectrum

import (
	"fmt"
	"strconv"

	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/internal/stored"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Names of the arrays of a scorer. For each length l that the kernel counts there is a pair codesName + l and
// valuesName + l.
const (
	codesName  = "codes."
	valuesName = "values."
)

// Arrays returns a scorer as flat arrays: "outputs" ([]int32, the number of outputs) and for each length l, ascending,
// K alone or with Bounded 1…K, "codes.l" ([]uint64: the k-mers with a weight, packed, ascending) and "values.l"
// ([]float64: a row of weights per k-mer). K-mers of weight zero for every output are left out. With TFIDF
// they have all k-mers of the reference corpus, and the square of its factor in front of each row; a scorer of a kernel
// with TFIDF that was not fitted has no arrays, nor has one that keeps support vectors. The arrays are the scorer's own
// and must not be modified.
func (k Kernel) Arrays(from stringkernel.Scorer) (arrays []stringkernel.Array) {
	counted, is := from.(*countedScorer)
	if k.TFIDF && !(is && counted.factors > 0) {
		return nil
	}
	linear, merged := from.(*scorer)
	switch {
	case is:
		linear = counted.linear
	case !merged: // support vectors are what there is to store
		return nil
	}
	arrays = append(arrays, stored.Outputs(from.Outputs()))
	for _, l := range linear.weights {
		length := strconv.Itoa(l.length)
		arrays = append(arrays,
			stringkernel.Array{Name: codesName + length, Data: l.codes},
			stringkernel.Array{Name: valuesName + length, Data: l.values})
	}
	return arrays
}

// Restore rebuilds a scorer from the arrays of [Kernel.Arrays] of a kernel with the same parameters, to the same bits
// of every score. It returns an error if an array is missing, unknown, duplicate or of another type; if codes do not
// ascend or are not k-mers of the alphabet; if there is not one row of values for each code; if a value is not finite;
// or if weights of long k-mers alone would take far more memory than the arrays. The scorer keeps the arrays, which
// must not be modified afterwards.
func (k Kernel) Restore(arrays []stringkernel.Array) (stringkernel.Scorer, error) {
	if err := k.Check(); err != nil {
		return nil, err
	}
	a := stored.Read(arrays)
	columns, factors := a.Outputs(), 0
	if k.TFIDF {
		columns, factors = columns+1, 1
	}
	var weights []level
	for length := k.shortest(); length <= k.K; length++ {
		l, err := restoreLevel(a, kmer.New(k.Alphabet, length), columns)
		if err != nil {
			return nil, fmt.Errorf("spectrum: k-mers of %d letters: %w", length, err)
		}
		weights = append(weights, l)
	}
	if err := a.Close(); err != nil {
		return nil, fmt.Errorf("spectrum: %w", err)
	}
	return k.scorer(columns, factors, weights), nil
}

// restoreLevel reads and checks the arrays of k-mers of one length.
func restoreLevel(a *stored.Arrays, c kmer.Coder, outputs int) (level, error) {
	name := strconv.Itoa(c.K)
	codes := stored.Get[uint64](a, codesName+name, 1<<32-1)
	values := a.Table(valuesName+name, len(codes), outputs)
	if err := a.Err(); err != nil {
		return level{}, err
	}
	return level{length: c.K, codes: codes, values: values}, checkCodes(&c, codes)
}

// checkCodes returns an error unless codes are k-mers of the alphabet and ascend.
func checkCodes(c *kmer.Coder, codes []uint64) error {
	for i, code := range codes {
		if i > 0 && code <= codes[i-1] {
			return fmt.Errorf("code %d does not ascend", i)
		}
		if !c.Valid(code) {
			return fmt.Errorf("code %d (%#x) is not a k-mer of the alphabet", i, code)
		}
	}
	return nil
}
