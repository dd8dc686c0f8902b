package spectrum

import (
	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// tableBits is the width of the longest k-mers that a table of weights has room for: 2²⁴ of them (dna: 12 letters).
const tableBits = 24

// fold returns a table of the weights of all k-mers of each length, 8 bytes per k-mer and output; nil unless counts are
// raw and an array has room for all.
func (k Kernel) fold(outputs int) (*stringkernel.Table, error) {
	if k.weighs() || k.Alphabet.Bits()*k.K > tableBits {
		return nil, nil
	}
	t := &weightTable{kernel: k, outputs: outputs}
	if err := t.check(outputs); err != nil {
		return nil, err
	}
	for length := t.kernel.shortest(); length <= k.K; length++ {
		coder := kmer.New(k.Alphabet, length)
		t.coders = append(t.coders, coder)
		t.weights = append(t.weights, make([]float64, outputs<<(coder.Bits*uint(length))))
	}
	return t.open(), nil
}

// weightTable is the weights of all k-mers, by code.
type weightTable struct {
	kernel  Kernel
	outputs int
	coders  []kmer.Coder // of each length that counts
	weights [][]float64  // of each length: a row of outputs values per k-mer
}

// check returns an error unless there is room for weights of so many outputs, and a copy.
func (t *weightTable) check(outputs int) error {
	kmers := 0
	for length := t.kernel.shortest(); length <= t.kernel.K; length++ {
		kmers += 1 << (t.kernel.Alphabet.Bits() * length)
	}
	return checkWeights(kmers, outputs)
}

// open returns the table with what it can do.
func (t *weightTable) open() *stringkernel.Table {
	return &stringkernel.Table{Scorer: t, Add: t.add, Mix: t.mix, Freeze: t.freeze}
}

func (t *weightTable) Outputs() int { return t.outputs }

// ScoreTo adds the weights of the k-mers of x, by length and in order of their places.
func (t *weightTable) ScoreTo(dst []float64, x []byte) {
	dst = dst[:t.outputs]
	clear(dst)
	t.eachRow(x, func(row []float64) { vectors.Add(dst, row) })
}

// add adds a to the weights of each k-mer of x.
func (t *weightTable) add(x []byte, a []float64) {
	t.eachRow(x, func(row []float64) { vectors.Add(row, a[:len(row)]) })
}

// eachRow calls visit with the weights of every occurrence of a k-mer in x.
func (t *weightTable) eachRow(x []byte, visit func(row []float64)) {
	for i := range t.coders {
		weights := t.weights[i]
		for _, code := range t.coders[i].All(x) {
			at := int(code) * t.outputs
			visit(weights[at : at+t.outputs])
		}
	}
}

// mix mixes the rows of all k-mers.
func (t *weightTable) mix(rows [][]float64) (*stringkernel.Table, error) {
	if err := t.check(len(rows)); err != nil {
		return nil, err
	}
	for i := range t.weights {
		t.weights[i] = stringkernel.MixRows(t.weights[i], rows)
	}
	t.outputs = len(rows)
	return t.open(), nil
}

// freeze returns the scorer of the k-mers whose weights are not all 0.
func (t *weightTable) freeze() (stringkernel.Scorer, error) {
	levels := make([]level, len(t.coders))
	for i, c := range t.coders {
		levels[i] = levelOf(c.K, t.weights[i], t.outputs)
	}
	return newScorer(t.kernel.Alphabet, t.outputs, levels), nil
}
