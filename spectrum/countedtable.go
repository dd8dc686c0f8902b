package spectrum

import (
	"context"
	"runtime"
	"slices"
	"sync"

	"github.com/seqsvm/seqsvm/internal/countof"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// tablePart indexes k-mers by their codes, each once for a record with what a function makes of its count,
// and adds k(x, x) to diag, in the order of SelfEval. It returns nil, and diag is as it was, if a count is greater than
// an entry has room for.
func (k throughCount) tablePart(ctx context.Context, records *stringkernel.Corpus, diag []float64) *flatPart {
	coder := newCoder(k.Alphabet, k.K)
	features := 1 << (coder.Bits * uint(k.K))
	l := codeLister{&coder, records, features, documentBlocks(records, runtime.GOMAXPROCS(0)), sync.Pool{}}
	n := records.Len()
	room, once, greatest := make([]int, n), make([]int, n), make([]uint32, n)
	for j := range room {
		room[j] = max(0, len(records.Seq(j))-k.K+1)
	}
	values := countof.New(k.Count)
	inc, next := newReserved(features, room, k.Count != stringkernel.CountPresence)
	last := slices.Clone(inc.ends) // by record, the first of the entries with counts, which are put from the end on
	l.each(ctx, func(_ int, codes []uint64, counts []uint32) {
		for _, code := range codes {
			counts[code]++
		}
	}, func(j int, codes []uint64, counts []uint32) {
		front, back, ones, sum, most := next[j], last[j], 0, diag[j], greatest[j]
		for _, code := range codes {
			n := counts[code]
			if n == 0 {
				continue // not the first
			}
			counts[code] = 0
			most = max(most, n)
			if n == 1 {
				ones++
			} else {
				sum += values.Square(n)
			}
			if n == 1 || inc.counts == nil {
				inc.putOne(front, uint32(code), 1)
				front++
			} else {
				back--
				inc.putOne(back, uint32(code), uint16(min(n, maxCount)))
			}
		}
		next[j], last[j], once[j], diag[j], greatest[j] = front, back, once[j]+ones, sum, most
	})
	most := slices.Max(append(greatest, 1))
	if most > maxCount && inc.counts != nil {
		clear(diag)
		return nil
	}
	for j, ones := range once {
		diag[j] += float64(values.Square(1) * float64(ones))
	}
	inc.join(next, last)
	if inc.counts != nil {
		inc.once = inc.placesAfter(once)
		for n := range int(most) + 1 {
			inc.values = append(inc.values, values.At(uint32(n)))
		}
	}
	return newFlatPart(features, inc)
}

// tableLength returns the length up to which the weights of k-mers are summed in arrays; 0: none are.
func (k throughCount) tableLength(letters, outputs int) (length int) {
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

// tableLevels sums the weights of k-mers of up to longest letters by a function in arrays indexed by the
// code: of the longest k-mer at each place by raw counts, and the surplus of repeats, then of each all that is longer.
func (k throughCount) tableLevels(
	ctx context.Context, records *stringkernel.Corpus, coef [][]float64, longest int,
) []level {
	if longest == 0 {
		return nil
	}
	k.K = longest
	coder, values := newCoder(k.Alphabet, longest), countof.New(k.Count)
	w := newCountedTable(Kernel(k), len(coef))
	c, row := counters.Get().(*counter), make([]float64, len(coef))
	for j := range records.Len() {
		for m := range row {
			row[m] = float64(values.At(1) * coef[m][j])
		}
		c.findRepeats(ctx, &coder, Kernel(k).shortest(), records.Seq(j))
		w.addPlaces(c, row)
		w.addSurplus(c.repeats, row, &values)
	}
	counters.Put(c)
	return w.levels()
}

// countedTable is arrays of rows of weights, by length and code. Until levels is called, the weight of a k-mer lacks
// those of the k-mers one letter longer that begin with it.
type countedTable struct {
	*ladder
	shortest int
	outputs  int
	rows     []float64
}

func newCountedTable(k Kernel, outputs int) *countedTable {
	t := &countedTable{newLadder(uint(k.Alphabet.Bits()), k.K), k.shortest(), outputs, nil}
	if !k.Bounded {
		clear(t.bases[:k.K+1])
		t.bases[k.K+1] = 1 << (t.bits * uint(k.K))
	}
	t.rows = make([]float64, t.size()*outputs)
	return t
}

// row returns that of a k-mer.
func (t *countedTable) row(code uint64, length int) []float64 {
	return t.rows[t.index(code, length)*t.outputs:][:t.outputs]
}

// addPlaces adds a row to that of the longest k-mer at each place of a record.
func (t *countedTable) addPlaces(c *counter, row []float64) {
	if top := t.rows[t.base(t.depth)*t.outputs:]; t.outputs == 1 {
		for _, code := range c.codes {
			top[code] += row[0]
		}
	} else {
		for _, code := range c.codes {
			addTo(top[int(code)*t.outputs:][:t.outputs], row)
		}
	}
	for _, tail := range c.tails {
		addTo(t.row(tail.code, tail.length), row)
	}
}

// addSurplus adds to the rows of repeats their surplus times a row, and takes it from those of their prefixes, which
// have surplus of their own.
func (t *countedTable) addSurplus(list []repeat, row []float64, values *countof.Values) {
	rows := t.rows
	for _, r := range list {
		surplus, at, prefix := values.Surplus(r.count), t.index(r.code, int(r.length))*t.outputs, -1
		if int(r.length) > t.shortest {
			prefix = t.index(r.code>>t.bits, int(r.length)-1) * t.outputs
		}
		for m, a := range row {
			add := float64(surplus * a)
			rows[at+m] += add
			if prefix >= 0 {
				rows[prefix+m] -= add
			}
		}
	}
}

// levels adds to the rows of k-mers those of longer ones, and returns those of all lengths.
func (t *countedTable) levels() (levels []level) {
	fan := t.outputs << t.bits
	for length := t.depth - 1; length >= t.shortest; length-- {
		longer := t.rows[t.base(length+1)*t.outputs:]
		for code := range 1 << (t.bits * uint(length)) {
			row := t.row(uint64(code), length)
			for from := longer[code*fan:][:fan]; len(from) > 0; from = from[len(row):] {
				addTo(row, from[:len(row)])
			}
		}
	}
	for length := t.shortest; length <= t.depth; length++ {
		levels = append(levels, levelOf(length, t.rows[t.base(length)*t.outputs:t.base(length+1)*t.outputs], t.outputs))
	}
	return levels
}
