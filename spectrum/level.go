package spectrum

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/hash"
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

// nonzero returns the level without rows of zeros, in its memory or, where most of that is free, in less.
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

// addRow adds a row, which may be nil.
func addRow(sums, row []float64) {
	for m, v := range row {
		sums[m] += v
	}
}

// lookup finds the row of a code among many. A bitmap of the top bits of mixed codes, 8 to 16 bits per code and so mostly
// zeros, answers for most codes that are not there from the cache. 26 to 50 bytes per code.
type lookup struct {
	filter  []uint64
	shift   uint // of a mixed code to its bit
	numbers hash.Table
	values  []float64 // a row per code
	width   int
}

// newLookup indexes the codes of a level, fewer than 2³¹, each with a row of width values. O(n) on average.
func newLookup(ctx context.Context, of level, width int) *lookup {
	filterBits := uint(max(bits.Len(uint(len(of.codes))), 3) + 3)
	l := &lookup{filter: make([]uint64, 1<<(filterBits-6)), shift: 64 - filterBits, values: of.values, width: width}
	l.numbers.Reset(len(of.codes) + len(of.codes)/2)
	for _, code := range cancel.All(ctx, of.codes) {
		l.pass(code)
		l.numbers.Number(code)
	}
	return l
}

// pass lets a code pass the filter.
func (l *lookup) pass(code uint64) {
	bit := hash.Mix(code) >> l.shift
	l.filter[bit>>6] |= 1 << (bit & 63)
}

// row returns the values of a code, nil if it has none.
func (l *lookup) row(code uint64) []float64 {
	if bit := hash.Mix(code) >> (l.shift & 63); l.filter[bit>>6]>>(bit&63)&1 == 0 {
		return nil
	}
	if number := int(l.numbers.Find(code)); number > 0 {
		return l.values[(number-1)*l.width : number*l.width]
	}
	return nil
}

// blockSize is the number of k-mers whose values are found together. Each step is a loop over the block whose iterations
// do not wait for one another, so that the misses of many k-mers overlap; searching one k-mer at a time would wait for
// every miss after a branch that is hard to predict.
const blockSize = 256

// passing keeps those of n k-mers whose prefixes (codes shifted right by shift) pass the filter of a lookup, and returns
// how many there are.
func (l *lookup) passing(likely *[blockSize]uint16, n int, codes []uint64, shift uint) (kept int) {
	for _, i := range likely[:n] {
		bit := hash.Mix(codes[i]>>(shift&63)) >> (l.shift & 63)
		likely[kept&(blockSize-1)] = i
		kept += int(l.filter[bit>>6] >> (bit & 63) & 1)
	}
	return kept
}
