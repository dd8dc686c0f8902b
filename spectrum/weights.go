package spectrum

import (
	"fmt"

	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// level is the weights of the words of one length: the codes of the words that have one, ascending, and a row of
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

// trimmed returns the level in arrays of its own size if much of its room stayed empty.
func (l level) trimmed() level {
	if cap(l.codes) > len(l.codes)+len(l.codes)/4 {
		l.codes = append(make([]uint64, 0, len(l.codes)), l.codes...)
		l.values = append(make([]float64, 0, len(l.values)), l.values...)
	}
	return l
}

// topByTable says how mergeWeights should sum the weights of the longest words: in an array indexed by the code
// where that is not much larger than the support vectors, else by sorting. Both give the same bits.
func topByTable(k Kernel, letters, outputs int) bool {
	width := k.Alphabet.Bits() * k.K
	return width <= 22 && (1<<width)*outputs <= max(1<<16, 4*letters)
}

// mergeWeights sums coef[m][i] over the occurrences of every word in the support vectors i. The levels ascend:
// lengths 1…K, or K alone. It is an error if they would take too much memory.
func mergeWeights(k Kernel, sv *stringkernel.Corpus, coef [][]float64, table bool) ([]level, error) {
	coder := newCoder(k.Alphabet, k.K)
	var top level
	if table {
		top = tableLevel(coder, sv, coef)
	} else {
		words := sortWords(corpusWords(coder, sv, k.K), coder.bits*uint(k.K))
		levels := 1
		if k.Bounded {
			levels = k.K
		}
		if err := checkWeights(levels*distinct(words), len(coef)); err != nil {
			return nil, err
		}
		top = sumWords(words, k.K, coef)
	}
	if !k.Bounded {
		return []level{top}, nil
	}
	tails := corpusTails(coder, sv)
	levels := make([]level, k.K)
	levels[k.K-1] = top
	rows := len(top.codes)
	for length := k.K - 1; length >= 1; length-- {
		ends := sortWords(tails[length], coder.bits*uint(length))
		if err := checkWeights(rows+len(levels[length].codes)+distinct(ends), len(coef)); err != nil {
			return nil, err
		}
		levels[length-1] = addRows(shorten(levels[length], coder.bits, len(coef)), sumWords(ends, length, coef), len(coef))
		rows += len(levels[length-1].codes)
	}
	return levels, nil
}

// checkWeights returns an error unless there is room for the rows of so many words of all lengths and their copies in
// the scorer.
func checkWeights(words, outputs int) error {
	if err := memory.Check(2 * 8 * float64(words) * float64(outputs)); err != nil {
		return fmt.Errorf("spectrum: weights of %d words for %d outputs need %w", words, outputs, err)
	}
	return nil
}

// distinct returns the number of different words of a sorted list.
func distinct(words []word) (count int) {
	for i := range words {
		if i == 0 || words[i].key != words[i-1].key {
			count++
		}
	}
	return count
}

// tableLevel sums the weights of the words of c.k letters in an array.
func tableLevel(c coder, sv *stringkernel.Corpus, coef [][]float64) level {
	m := len(coef)
	table := make([]float64, m<<(c.bits*uint(c.k)))
	var codes []uint64
	for i := range sv.Len() {
		codes = c.codes(codes[:0], sv.Seq(i))
		if m == 1 {
			a := coef[0][i]
			for _, code := range codes {
				table[code] += a
			}
			continue
		}
		for _, code := range codes {
			row := table[int(code)*m : int(code)*m+m]
			for o := range row {
				row[o] += coef[o][i]
			}
		}
	}
	top := newLevel(c.k, min(len(table)/m, sv.Letters()), m)
	for code := range len(table) / m {
		top.add(uint64(code), table[code*m:code*m+m])
	}
	return top.trimmed()
}

// add appends a row unless it is all zeros.
func (l *level) add(code uint64, row []float64) {
	for _, v := range row {
		if v != 0 {
			l.codes = append(l.codes, code)
			l.values = append(l.values, row...)
			return
		}
	}
}

// sumWords sums the coefficients of sorted words of one length.
func sumWords(words []word, length int, coef [][]float64) level {
	l := newLevel(length, distinct(words), len(coef))
	row := make([]float64, len(coef))
	for i := 0; i < len(words); {
		clear(row)
		code := words[i].key
		for ; i < len(words) && words[i].key == code; i++ {
			for m := range row {
				row[m] += coef[m][words[i].doc]
			}
		}
		l.add(code, row)
	}
	return l.trimmed()
}

// corpusTails returns, by length, the words that end with their runs and are shorter than c.k, with documents in order.
func corpusTails(c coder, corpus *stringkernel.Corpus) [][]word {
	byLength := make([][]word, c.k)
	var tails []tail
	for j := range corpus.Len() {
		tails = c.tails(tails[:0], corpus.Seq(j))
		for _, t := range tails {
			byLength[t.length] = append(byLength[t.length], word{t.code, uint32(j), uint32(t.length)})
		}
	}
	return byLength
}

// shorten sums the rows of words with a common prefix one letter shorter: the weights those prefixes get from there.
func shorten(l level, bits uint, m int) level {
	short := newLevel(l.length-1, min(len(l.codes), 1<<min(bits*uint(l.length-1), 30)), m)
	row := make([]float64, m)
	for i := 0; i < len(l.codes); {
		clear(row)
		code := l.codes[i] >> bits
		for ; i < len(l.codes) && l.codes[i]>>bits == code; i++ {
			for o := range row {
				row[o] += l.values[i*m+o]
			}
		}
		short.add(code, row)
	}
	return short.trimmed()
}

// addRows merges two levels of the same length, adding rows of the same code.
func addRows(a, b level, m int) level {
	if len(b.codes) == 0 {
		return a
	}
	sum := newLevel(a.length, len(a.codes)+len(b.codes), m)
	row := make([]float64, m)
	i, j := 0, 0
	for i < len(a.codes) || j < len(b.codes) {
		clear(row)
		code := ^uint64(0)
		if i < len(a.codes) {
			code = a.codes[i]
		}
		if j < len(b.codes) {
			code = min(code, b.codes[j])
		}
		if i < len(a.codes) && a.codes[i] == code {
			for o := range row {
				row[o] += a.values[i*m+o]
			}
			i++
		}
		if j < len(b.codes) && b.codes[j] == code {
			for o := range row {
				row[o] += b.values[j*m+o]
			}
			j++
		}
		sum.add(code, row)
	}
	return sum
}
