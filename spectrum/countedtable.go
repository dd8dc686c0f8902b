package spectrum

import (
	"context"
	"runtime"
	"sync"

	"github.com/seqsvm/seqsvm/internal/countof"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// tablePart indexes k-mers by their codes, each once for a record with what a separable function makes of its count,
// and adds k(x, x) to diag, in the order of SelfEval. It returns nil, and diag is as it was, if a count is greater than
// an entry has room for.
func (k throughCount) tablePart(ctx context.Context, records *stringkernel.Corpus, diag []float64) *flatPart {
	coder := newCoder(k.Alphabet, k.K)
	features := 1 << (coder.Bits * uint(k.K))
	l := codeLister{&coder, records, features, documentBlocks(records, runtime.GOMAXPROCS(0)), sync.Pool{}}
	n := records.Len()
	room, sizes, once, greatest := make([]int, n), make([]int, n), make([]int, n), make([]uint32, n)
	for j := range room {
		room[j] = max(0, len(records.Seq(j))-k.K+1)
	}
	values := countof.New(k.Count)
	inc, next := newReserved(features, room, k.Count != stringkernel.CountPresence)
	l.each(ctx, func(_ int, codes []uint64, counts []uint32) {
		for _, code := range codes {
			counts[code]++
		}
	}, func(j int, codes []uint64, counts []uint32) {
		at, ones, sum, most := next[j]+sizes[j], 0, diag[j], greatest[j]
		first := at
		for _, code := range codes {
			n := counts[code]
			if n == 0 {
				continue // not the first
			}
			if n == 1 {
				ones++
			} else {
				sum += values.Square(n)
			}
			most = max(most, n)
			if inc.counts == nil {
				n = 1
			}
			inc.putOne(at, uint32(code), uint16(min(n, maxCount)))
			at++
			counts[code] = 0
		}
		sizes[j], once[j], diag[j], greatest[j] = sizes[j]+at-first, once[j]+ones, sum, most
	})
	most := uint32(0)
	for _, n := range greatest {
		most = max(most, n)
	}
	if most > maxCount && inc.counts != nil {
		clear(diag)
		return nil
	}
	for j, ones := range once {
		diag[j] += float64(values.Square(1) * float64(ones))
	}
	inc.closeUp(sizes)
	if inc.counts != nil {
		for n := range int(most) + 1 {
			inc.values = append(inc.values, values.At(uint32(n)))
		}
	}
	return newFlatPart(features, inc)
}

// tableLength returns the length up to which the weights of k-mers are summed in arrays; 0: none are.
func (k throughCount) tableLength(letters, outputs int) (length int) {
	if !k.Count.Separable() {
		return 0
	}
	if !k.Bounded {
		if topByTable(Kernel(k), letters, outputs) {
			return k.K
		}
		return 0
	}
	for length < k.K && topByTable(Kernel{K: length + 1, Alphabet: k.Alphabet}, letters, outputs) {
		length++
	}
	return length
}

// tableLevels sums the weights of k-mers of up to longest letters by a separable function in arrays indexed by the
// code: the bits of add.
func (k throughCount) tableLevels(
	ctx context.Context, records *stringkernel.Corpus, coef [][]float64, longest int,
) (levels []countedLevel) {
	m, shortest := len(coef), Kernel(k).shortest()
	tables := make([][]float64, longest+1)
	for length := shortest; length <= longest; length++ {
		tables[length] = make([]float64, m<<(k.Alphabet.Bits()*length))
	}
	coder, values := newCoder(k.Alphabet, k.K), countof.New(k.Count)
	c, row := counters.Get().(*counter), make([]float64, m)
	for j := range records.Len() {
		if longest == 0 {
			break
		}
		c.countAll(ctx, &coder, shortest, records.Seq(j))
		for _, of := range c.counted {
			if int(of.length) <= longest {
				value := values.At(of.count)
				for o := range row {
					row[o] = float64(value * coef[o][j])
				}
				addTo(tables[of.length][int(of.code)*m:][:m], row)
			}
		}
		for o := range row {
			row[o] = float64(values.At(1) * coef[o][j])
		}
		for i := range c.singles {
			c.singles[i].addTo(tables, &coder, row)
		}
	}
	counters.Put(c)
	for length := shortest; length <= longest; length++ {
		l := levelOf(length, tables[length], m)
		levels = append(levels, countedLevel{coder: newCoder(k.Alphabet, length), codes: l.codes, values: l.values})
	}
	return levels
}

// addTo adds a row to those of all k-mers of singles, in tables by length.
func (s *singles) addTo(tables [][]float64, coder *coder, row []float64) {
	for length := s.from; length < len(tables); length++ {
		table, shift := tables[length], coder.Bits*uint(coder.K-length)
		if len(row) == 1 {
			for _, code := range s.codes {
				table[code>>(shift&63)] += row[0]
			}
		} else {
			for _, code := range s.codes {
				addTo(table[int(code>>(shift&63))*len(row):][:len(row)], row)
			}
		}
		for _, t := range s.tails {
			if t.length >= length {
				addTo(table[int(t.code>>(coder.Bits*uint(t.length-length)))*len(row):][:len(row)], row)
			}
		}
	}
}
