package spectrum

import (
	"context"
	"fmt"
	"iter"
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
		var err error
		if top, err = sortedLevel(ctx, coder, sv, coef, k.K-k.shortest()+1); err != nil {
			return nil, err
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
		levels[length-1] = shorten(ctx, levels[length], coder.Bits, ends, coef)
		tails[length] = nil
		rows += len(levels[length-1].codes)
	}
	return levels, nil
}

// sortedLevel sums the weights of the k-mers of c.K letters by sorting. It returns an error if those of so many lengths
// would take too much memory, were they as many for each.
func sortedLevel(
	ctx context.Context, c coder, sv *stringkernel.Corpus, coef [][]float64, lengths int,
) (level, error) {
	var u users
	for list := range sortedOccurrences(ctx, sv, c, c.K) {
		u.add(ctx, list)
		if err := checkWeights(lengths*u.codes.len(), len(coef)); err != nil {
			return level{}, err
		}
	}
	collectAfter(sv) // sorting
	l := level{length: c.K, codes: u.codes.list(ctx)}
	collectAfter(sv) // the list of codes
	l.values = u.sums(ctx, len(l.codes), coef)
	return l.nonzero(len(coef)), nil
}

// users lists k-mers, and the support vectors that have them: 4 bytes for each occurrence. They are held until there
// are rows of weights, so that these, whatever the number of outputs, are made once, and as many as there are k-mers.
type users struct {
	codes chunks[uint64] // ascending
	docs  chunks[uint32] // by k-mer: twice the number of a support vector, and 1 more where the k-mer begins
}

// mostSupport is how many support vectors users can number.
const mostSupport = 1 << 31

// add adds sorted k-mers, greater than those before.
func (u *users) add(ctx context.Context, list []occurrence) {
	for i, o := range cancel.All(ctx, list) {
		doc := o.doc << 1
		if i == 0 || o.key != list[i-1].key {
			u.codes.add(o.key)
			doc |= 1
		}
		for range o.count {
			u.docs.add(doc)
			doc &^= 1
		}
	}
}

// sums returns the rows of n k-mers, and forgets who has them. Coefficients are added one by one: their product with a
// count would be rounded otherwise.
func (u *users) sums(ctx context.Context, n int, coef [][]float64) []float64 {
	m := len(coef)
	values, at := make([]float64, n*m), -m
	for doc := range u.docs.drain(ctx) {
		if doc&1 != 0 {
			at += m
		}
		if m == 1 {
			values[at] += coef[0][doc>>1]
			continue
		}
		row := values[at : at+m]
		for o := range row {
			row[o] += coef[o][doc>>1]
		}
	}
	return values
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
	l := newLevel(length, n, m)
	for code := range len(table) / m {
		if row := table[code*m : code*m+m]; !isZero(row) {
			l.codes = append(l.codes, uint64(code))
			l.values = append(l.values, row...)
		}
	}
	return l
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
		l.codes = slices.Clone(l.codes)
		l.values = slices.Clone(l.values)
	}
	return l
}

// corpusTails returns, by length, the k-mers that end with their runs and are shorter than K, with documents in order.
func corpusTails(ctx context.Context, c coder, corpus *stringkernel.Corpus) [][]occurrence {
	byLength := make([][]occurrence, c.K)
	for j := range corpus.Len() {
		cancel.Check(ctx)
		for _, t := range c.tails(ctx, corpus.Seq(j)) {
			byLength[t.length] = append(byLength[t.length], occurrence{t.code, uint32(j), uint16(t.length), 1})
		}
	}
	return byLength
}

// shorten returns the rows of the k-mers one letter shorter: of each the sum of those of its extensions, and that of
// the coefficients where it ends with its run. ends are sorted.
func shorten(ctx context.Context, l level, bits uint, ends []occurrence, coef [][]float64) level {
	m, n := len(coef), 0
	for range prefixes(l.codes, bits, ends) {
		n++
	}
	short, own := newLevel(l.length-1, n, m), make([]float64, m)
	from := 0
	for code, part := range prefixes(l.codes, bits, ends) {
		if len(short.codes)&(1<<16-1) == 0 {
			cancel.Check(ctx)
		}
		row := short.at(code, m)
		for range part.longer {
			addTo(row, l.row(from, m))
			from++
		}
		if len(part.ends) == 0 {
			continue
		}
		clear(own)
		for _, o := range part.ends {
			for i := range own {
				own[i] += coef[i][o.doc]
			}
		}
		addTo(row, own)
	}
	return short.nonzero(m)
}

// prefix is where a k-mer occurs: in so many longer ones, and at the ends of runs.
type prefix struct {
	longer int
	ends   []occurrence
}

// prefixes yields the k-mers that have one letter less than those of codes, or are ends, ascending as these are.
func prefixes(codes []uint64, bits uint, ends []occurrence) iter.Seq2[uint64, prefix] {
	return func(yield func(uint64, prefix) bool) {
		for len(codes) > 0 || len(ends) > 0 {
			code, i, e := ^uint64(0), 0, 0
			if len(codes) > 0 {
				code = codes[0] >> bits
			}
			if len(ends) > 0 {
				code = min(code, ends[0].key)
			}
			for i < len(codes) && codes[i]>>bits == code {
				i++
			}
			for e < len(ends) && ends[e].key == code {
				e++
			}
			if !yield(code, prefix{i, ends[:e]}) {
				return
			}
			codes, ends = codes[i:], ends[e:]
		}
	}
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
