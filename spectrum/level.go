package spectrum

import (
	"fmt"
	"slices"

	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/vectors"
)

// level is the weights of the k-mers of one length: the codes of the k-mers that have one, ascending, and a row of
// one value per output for each. Rows of zeros are left out.
type level struct {
	length int
	codes  []uint64
	values []float64
}

// row returns the weights of k-mer i, one per output.
func (l *level) row(i, outputs int) []float64 { return l.values[i*outputs : (i+1)*outputs] }

// nonzero returns the level without rows of zeros, of m values each: in its memory or, where much of that is free, in
// less.
func (l level) nonzero(m int) level {
	n := 0
	for i, code := range l.codes {
		if row := l.row(i, m); !vectors.Zero(row) {
			l.codes[n] = code
			copy(l.row(n, m), row)
			n++
		}
	}
	if l.codes, l.values = l.codes[:n], l.values[:n*m]; cap(l.codes) > n+n/4 {
		l.codes, l.values = slices.Clone(l.codes), slices.Clone(l.values)
	}
	return l
}

// levelOf returns the rows of an array of the weights of all k-mers of a length, m values each, that are not 0.
func levelOf(length int, table []float64, m int) level {
	n := 0
	for code := range len(table) / m {
		if !vectors.Zero(table[code*m : code*m+m]) {
			n++
		}
	}
	l := level{length, make([]uint64, 0, n), make([]float64, 0, n*m)}
	for code := range len(table) / m {
		if row := table[code*m : code*m+m]; !vectors.Zero(row) {
			l.codes = append(l.codes, uint64(code))
			l.values = append(l.values, row...)
		}
	}
	return l
}

// checkWeights returns an error unless there is room for the rows of that many k-mers of all lengths and their copies
// in the scorer.
func checkWeights(kmers, outputs int) error {
	if err := memory.Check(rowBytes(float64(kmers), outputs)); err != nil {
		return fmt.Errorf("spectrum: weights of %d k-mers for %d outputs need %w", kmers, outputs, err)
	}
	return nil
}

// rowBytes is the memory of the rows of k-mers, and of their copies.
func rowBytes(kmers float64, outputs int) float64 { return 2 * 8 * kmers * float64(outputs) }
