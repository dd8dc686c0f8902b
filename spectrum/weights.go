package spectrum

import (
	"context"
	"fmt"
	"slices"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/countof"
	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/stringkernel"
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

// byTable says how the weights of k-mers of a length should be summed: in an array indexed by the code where that is
// not much larger than the support vectors, else by sorting.
func (k Kernel) byTable(length, letters, outputs int) bool {
	width := k.Alphabet.Bits() * length
	return width <= 22 && (1<<width)*outputs <= max(1<<16, 4*letters)
}

// mergeWeights sums coef[m][i] times what the function makes of the counts of every k-mer in the records i. The levels
// ascend: lengths 1…K, or K alone. It is an error if they would take too much memory.
func mergeWeights(
	ctx context.Context, k Kernel, records *stringkernel.Corpus, coef [][]float64,
) (levels []level, err error) {
	kmers := 0
	for length := k.shortest(); length <= k.K; length++ {
		c, l := kmer.New(k.Alphabet, length), level{}
		if k.byTable(length, records.Letters(), len(coef)) {
			l = tableLevel(ctx, c, k.Count, records, coef)
		} else if l, err = sortedLevel(ctx, c, k.Count, records, coef); err != nil {
			return nil, err
		}
		kmers += len(l.codes)
		if err := checkWeights(kmers, len(coef)); err != nil {
			return nil, err
		}
		levels = append(levels, l)
	}
	return levels, nil
}

// sortedLevel sums the weights of the k-mers of c.K letters by sorting.
func sortedLevel(
	ctx context.Context, c kmer.Coder, f stringkernel.Count, records *stringkernel.Corpus, coef [][]float64,
) (level, error) {
	h, m, values := newHolders(ctx, c, records), len(coef), countof.New(f)
	if err := checkWeights(len(h.codes), m); err != nil {
		return level{}, err
	}
	l := level{c.K, h.codes, make([]float64, m*len(h.codes))}
	h.Each(ctx, func(feature, doc, count uint32) {
		value := values.At(count)
		row := l.row(int(feature), m)
		for o := range row {
			row[o] += float64(coef[o][doc] * value)
		}
	})
	return l.nonzero(m), nil
}

// nonzero returns the level without rows of zeros, in its memory or, where most of that is free, in less.
func (l level) nonzero(m int) level {
	n := 0
	for i, code := range l.codes {
		if row := l.row(i, m); !isZero(row) {
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

// tableLevel sums the weights of the k-mers of c.K letters in an array.
func tableLevel(
	ctx context.Context, c kmer.Coder, f stringkernel.Count, records *stringkernel.Corpus, coef [][]float64,
) level {
	m, values := len(coef), countof.New(f)
	table := make([]float64, m<<(c.Bits*uint(c.K)))
	add := func(i int, code uint64, value float64) {
		row := table[int(code)*m : int(code)*m+m]
		for o := range row {
			row[o] += float64(coef[o][i] * value)
		}
	}
	var codes []uint64
	for i := range records.Len() {
		if !f.Linear() {
			cancel.Check(ctx)
			c.EachCount(records.Seq(i), func(code uint64, count int) { add(i, code, values.At(uint32(count))) })
			continue
		}
		c.EachPiece(&codes, records.Seq(i), false, func(codes []uint64) {
			cancel.Check(ctx)
			for _, code := range codes {
				add(i, code, 1)
			}
		})
	}
	return levelOf(c.K, table, m)
}

// levelOf returns the rows of an array of the weights of all k-mers of a length, m values each, that are not 0.
func levelOf(length int, table []float64, m int) level {
	n := 0
	for code := range len(table) / m {
		if !isZero(table[code*m : code*m+m]) {
			n++
		}
	}
	l := level{length, make([]uint64, 0, n), make([]float64, 0, n*m)}
	for code := range len(table) / m {
		if row := table[code*m : code*m+m]; !isZero(row) {
			l.codes = append(l.codes, uint64(code))
			l.values = append(l.values, row...)
		}
	}
	return l
}

// addTo adds a row, which may be nil.
func addTo(sums, row []float64) {
	for m, v := range row {
		sums[m] += v
	}
}

func isZero(row []float64) bool {
	for _, v := range row {
		if v != 0 {
			return false
		}
	}
	return true
}
