package spectrum

import (
	"fmt"

	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// tableBits is the width of the longest k-mers that a table of weights has room for: 2²⁴ of them (dna: 12 letters).
const tableBits = 24

// Folder returns k if counts are raw and an array has room for all of its k-mers, else nil.
func (k Kernel) Folder() compose.Folder {
	if k.weighs() || k.Alphabet.Bits()*k.K > tableBits {
		return nil
	}
	return tableOptions(k)
}

// tableOptions is a kernel whose k-mers an array has room for.
type tableOptions Kernel

// Fold returns arrays of the weights of all k-mers of each length: 8 bytes per k-mer and output.
func (k tableOptions) Fold(outputs int) (compose.Table, error) {
	t := &table{kernel: Kernel(k), outputs: outputs}
	if err := t.check(outputs); err != nil {
		return nil, err
	}
	for length := t.kernel.shortest(); length <= k.K; length++ {
		coder := newCoder(k.Alphabet, length)
		t.coders = append(t.coders, coder)
		t.weights = append(t.weights, make([]float64, outputs<<(coder.Bits*uint(length))))
	}
	return t, nil
}

// table is the weights of all k-mers, by code: see [compose.Table].
type table struct {
	kernel  Kernel
	outputs int
	coders  []coder     // of each length that counts
	weights [][]float64 // of each length: a row of outputs values per k-mer
}

// check returns an error unless there is room for weights of so many outputs, and a copy.
func (t *table) check(outputs int) error {
	kmers := 0
	for length := t.kernel.shortest(); length <= t.kernel.K; length++ {
		kmers += 1 << (t.kernel.Alphabet.Bits() * length)
	}
	if err := memory.Check(2 * 8 * float64(kmers) * float64(outputs)); err != nil {
		return fmt.Errorf("spectrum: weights of %d k-mers for %d outputs need %w", kmers, outputs, err)
	}
	return nil
}

func (t *table) Outputs() int { return t.outputs }

// ScoreTo adds the weights of the k-mers of x, by length and in order of their places.
func (t *table) ScoreTo(dst []float64, x []byte) {
	dst = dst[:t.outputs]
	clear(dst)
	t.eachRow(x, func(row []float64) { addTo(dst, row) })
}

// Add adds a to the weights of each k-mer of x.
func (t *table) Add(x []byte, a []float64) {
	t.eachRow(x, func(row []float64) { addTo(row, a[:len(row)]) })
}

// eachRow calls visit with the weights of every occurrence of a k-mer in x.
func (t *table) eachRow(x []byte, visit func(row []float64)) {
	for i := range t.coders {
		weights := t.weights[i]
		for _, code := range t.coders[i].All(x) {
			at := int(code) * t.outputs
			visit(weights[at : at+t.outputs])
		}
	}
}

// Mix mixes the rows of all k-mers.
func (t *table) Mix(rows [][]float64) (compose.Table, error) {
	if err := t.check(len(rows)); err != nil {
		return nil, err
	}
	for i := range t.weights {
		t.weights[i] = compose.MixRows(t.weights[i], rows)
	}
	t.outputs = len(rows)
	return t, nil
}

// Scorer returns the scorer of the k-mers whose weights are not all 0.
func (t *table) Scorer() (stringkernel.Scorer, error) {
	levels := make([]level, len(t.coders))
	for i, c := range t.coders {
		levels[i] = levelOf(c.K, t.weights[i], t.outputs)
	}
	return newScorer(t.kernel, t.outputs, levels, scorerDepth(t.kernel, t.outputs, levels))
}
