package spectrum

import (
	"context"
	"fmt"
	"slices"

	"github.com/seqsvm/seqsvm/internal/cancel"
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

// newLevel returns an empty level with room for n rows of m values.
func newLevel(length, n, m int) level {
	return level{length: length, codes: make([]uint64, 0, n), values: make([]float64, 0, n*m)}
}

// topByTable says how mergeWeights should sum the weights of the longest k-mers: in an array indexed by the code
// where that is not much larger than the support vectors, else by sorting. Both give the same bits.
func topByTable(k Kernel, letters, outputs int) bool {
	width := k.Alphabet.Bits() * k.K
	return width <= 22 && (1<<width)*outputs <= max(1<<16, 4*letters)
}

// mergeWeights sums coef[m][i] over the occurrences of every k-mer in the support vectors i. The levels ascend:
// lengths 1…K, or K alone. It is an error if they would take too much memory.
func mergeWeights(
	ctx context.Context, k Kernel, sv *stringkernel.Corpus, coef [][]float64, table bool,
) ([]level, error) {
	coder := newCoder(k.Alphabet, k.K)
	var top level
	if table {
		top = tableLevel(ctx, coder, sv, coef)
	} else {
		rows := 0
		for list := range sortedOccurrences(ctx, sv, coder, k.K) {
			rows += distinct(list)
			if err := checkWeights((k.K-k.shortest()+1)*rows, len(coef)); err != nil {
				return nil, err
			}
			top = top.followedBy(sumCoef(ctx, list, k.K, coef).nonzero(len(coef)))
		}
	}
	if !k.Bounded {
		return []level{top}, nil
	}
	tails := corpusTails(ctx, coder, sv)
	levels := make([]level, k.K)
	levels[k.K-1] = top
	rows := len(top.codes)
	for length := k.K - 1; length >= 1; length-- {
		ends := tails[length]
		sortOccurrences(ctx, ends, new([]occurrence), coder.Bits*uint(length))
		if err := checkWeights(rows+len(levels[length].codes)+distinct(ends), len(coef)); err != nil {
			return nil, err
		}
		short := shorten(levels[length], coder.Bits, len(coef))
		levels[length-1] = addRows(short, sumCoef(ctx, ends, length, coef), len(coef)).nonzero(len(coef))
		rows += len(levels[length-1].codes)
	}
	return levels, nil
}

// checkWeights returns an error unless there is room for the rows of that many k-mers of all lengths and their copies
// in the scorer.
func checkWeights(kmers, outputs int) error {
	if err := memory.Check(2 * 8 * float64(kmers) * float64(outputs)); err != nil {
		return fmt.Errorf("spectrum: weights of %d k-mers for %d outputs need %w", kmers, outputs, err)
	}
	return nil
}

// distinct returns the number of different k-mers of a sorted list.
func distinct(list []occurrence) (count int) {
	for i := range list {
		if i == 0 || list[i].key != list[i-1].key {
			count++
		}
	}
	return count
}

// tableLevel sums the weights of the k-mers of c.K letters in an array.
func tableLevel(ctx context.Context, c coder, sv *stringkernel.Corpus, coef [][]float64) level {
	m := len(coef)
	table := make([]float64, m<<(c.Bits*uint(c.K)))
	var codes []uint64
	for i := range sv.Len() {
		c.eachPiece(&codes, sv.Seq(i), false, func(codes []uint64) {
			cancel.Check(ctx)
			if m == 1 {
				a := coef[0][i]
				for _, code := range codes {
					table[code] += a
				}
				return
			}
			for _, code := range codes {
				row := table[int(code)*m : int(code)*m+m]
				for o := range row {
					row[o] += coef[o][i]
				}
			}
		})
	}
	return levelOf(c.K, table, m, sv.Letters())
}

// levelOf returns the rows of an array of the weights of all k-mers of a length, m values each, that are not 0: at most
// so many.
func levelOf(length int, table []float64, m, most int) level {
	l := newLevel(length, min(len(table)/m, most), m)
	for code := range len(table) / m {
		if row := table[code*m : code*m+m]; !isZero(row) {
			l.codes = append(l.codes, uint64(code))
			l.values = append(l.values, row...)
		}
	}
	return l.trimmed()
}

// at returns the row of a code, which is the last one or comes after it: then the row is new, of m zeros.
func (l *level) at(code uint64, m int) []float64 {
	if last := len(l.codes) - 1; last < 0 || l.codes[last] != code {
		l.codes = append(l.codes, code)
		l.values = append(l.values, make([]float64, m)...)
	}
	return l.values[len(l.values)-m:]
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

// nonzero returns the level without rows of zeros, trimmed.
func (l level) nonzero(m int) level {
	n := 0
	for i, code := range l.codes {
		if row := l.row(i, m); !isZero(row) {
			l.codes[n] = code
			copy(l.row(n, m), row)
			n++
		}
	}
	l.codes, l.values = l.codes[:n], l.values[:n*m]
	return l.trimmed()
}

// trimmed returns the level in arrays of its exact size if much of its room stayed empty.
func (l level) trimmed() level {
	if n := len(l.codes); cap(l.codes) > n+n/4 {
		l.codes, l.values = slices.Clone(l.codes), slices.Clone(l.values)
	}
	return l
}

// followedBy returns the level with that of greater codes appended.
func (l level) followedBy(next level) level {
	if len(l.codes) == 0 {
		return next
	}
	l.codes, l.values = append(l.codes, next.codes...), append(l.values, next.values...)
	return l
}

// sumCoef sums the coefficients of sorted k-mers of one length.
func sumCoef(ctx context.Context, list []occurrence, length int, coef [][]float64) level {
	l := newLevel(length, distinct(list), len(coef))
	for _, o := range cancel.All(ctx, list) {
		row := l.at(o.key, len(coef))
		for range o.count { // one by one: a product would be rounded otherwise
			for m := range row {
				row[m] += coef[m][o.doc]
			}
		}
	}
	return l
}

// corpusTails returns, by length, the k-mers that end with their runs and are shorter than K, with documents in order.
func corpusTails(ctx context.Context, c coder, corpus *stringkernel.Corpus) [][]occurrence {
	byLength := make([][]occurrence, c.K)
	for j := range corpus.Len() {
		cancel.Check(ctx)
		for _, t := range c.tails(corpus.Seq(j)) {
			byLength[t.length] = append(byLength[t.length], occurrence{t.code, uint32(j), uint16(t.length), 1})
		}
	}
	return byLength
}

// shorten sums the rows of k-mers with a common prefix one letter shorter: the weights those prefixes get from there.
func shorten(l level, bits uint, m int) level {
	short := newLevel(l.length-1, min(len(l.codes), 1<<min(bits*uint(l.length-1), 30)), m)
	for i, code := range l.codes {
		addTo(short.at(code>>bits, m), l.row(i, m))
	}
	return short
}

// addRows merges two levels of the same length, adding rows of the same code.
func addRows(a, b level, m int) level {
	if len(b.codes) == 0 {
		return a
	}
	sum := newLevel(a.length, len(a.codes)+len(b.codes), m)
	for i, j := 0, 0; i < len(a.codes) || j < len(b.codes); {
		if j == len(b.codes) || i < len(a.codes) && a.codes[i] <= b.codes[j] {
			addTo(sum.at(a.codes[i], m), a.row(i, m))
			i++
		} else {
			addTo(sum.at(b.codes[j], m), b.row(j, m))
			j++
		}
	}
	return sum
}
