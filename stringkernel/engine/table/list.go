package table

import (
	"context"
	"math"
	"slices"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/gather"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
)

// List is numbered features, record by record: 2 bytes each if there are at most [MostNarrow] features, else 4. An
// entry is one occurrence, or a feature with its weight in 4 bytes more. It is only read once it is filled.
type List struct {
	features int
	blockLog uint     // of records in a block
	blocks   []int    // where blocks begin
	starts   []uint16 // where records begin in their block; one more than records
	narrow   []uint16
	wide     []uint32
	weights  []uint32  // numbers of values; nil: every entry is one occurrence
	values   []float64 // by number
}

// MostNarrow is the greatest number of features that 2 bytes tell apart.
const MostNarrow = 1 << 16

// NewList returns a list of features numbered below a number, with room for records of the given sizes, in entries, and
// overwrites each size by the place of the record's first entry. In a weighed list every entry has a weight.
func NewList(features int, sizes []int, weighed bool) (l *List, starts []int) {
	l = &List{features: features}
	size := l.arrange(sizes)
	if weighed {
		l.weights = make([]uint32, size)
	}
	if features <= MostNarrow {
		l.narrow = make([]uint16, size)
	} else {
		l.wide = make([]uint32, size)
	}
	return l, sizes
}

// Collect lists what each adds, entry by entry; it is called twice, to make room and to fill it. What it adds to
// different records it may add at the same time.
func Collect(features, records int, weighed bool, each func(add func(j int, feature, weight uint32))) *List {
	sizes := make([]int, records)
	each(func(j int, _, _ uint32) { sizes[j]++ })
	l, next := NewList(features, sizes, weighed)
	each(func(j int, feature, weight uint32) {
		l.Put(next[j], feature, weight)
		next[j]++
	})
	return l
}

// arrange gives records of the given sizes their places, by which it overwrites the sizes. It returns the sum of sizes.
func (l *List) arrange(sizes []int) (size int) {
	most := 0
	for j, n := range sizes {
		sizes[j], size, most = size, size+n, max(most, n)
	}
	for l.blockLog = 6; l.blockLog > 0 && most<<l.blockLog > math.MaxUint16; l.blockLog-- {
	}
	l.starts = make([]uint16, len(sizes)+1)
	for j, start := range append(sizes, size) {
		if j&(1<<l.blockLog-1) == 0 {
			l.blocks = append(l.blocks, start)
		}
		l.starts[j] = uint16(start - l.blocks[len(l.blocks)-1])
	}
	return size
}

// Put stores a feature in an entry, and its weight if entries have some.
func (l *List) Put(at int, feature, weight uint32) {
	if l.weights != nil {
		l.weights[at] = weight
	}
	if l.narrow != nil {
		l.narrow[at] = uint16(feature)
	} else {
		l.wide[at] = feature
	}
}

// PutAll stores occurrences in the entries from at on, and returns the place after them.
func (l *List) PutAll(at int, features []uint64) int {
	if l.narrow != nil {
		to := l.narrow[at : at+len(features)]
		for i, f := range features {
			to[i] = uint16(f)
		}
		return at + len(features)
	}
	to := l.wide[at : at+len(features)]
	for i, f := range features {
		to[i] = uint32(f)
	}
	return at + len(features)
}

// tabled is the number of weights whose values are in a table from the start.
const tabled = 1 << 10

// Weigh ends the filling of a list with weights: value gives those of weights. O(entries).
func (l *List) Weigh(value func(weight uint32) float64) {
	if l.weights == nil {
		return
	}
	l.values = make([]float64, tabled)
	for weight := range l.values {
		l.values[weight] = value(uint32(max(weight, 1)))
	}
	numbers := map[uint32]uint32{}
	for i, weight := range l.weights {
		if weight < tabled {
			continue
		}
		number, known := numbers[weight]
		if !known {
			number = uint32(len(l.values))
			numbers[weight] = number
			l.values = append(l.values, value(weight))
		}
		l.weights[i] = number
	}
}

// Features returns one more than the greatest number that a feature may have.
func (l *List) Features() int { return l.features }

// Len returns the number of records.
func (l *List) Len() int { return len(l.starts) - 1 }

// Entries returns the number of entries of all records.
func (l *List) Entries() int { return len(l.narrow) + len(l.wide) }

// Bounds returns the entries of record j.
func (l *List) Bounds(j int) (lo, hi int) {
	log := l.blockLog & 63
	return l.blocks[j>>log] + int(l.starts[j]), l.blocks[(j+1)>>log] + int(l.starts[j+1])
}

// Entry returns the feature and the value of entry i.
func (l *List) Entry(i int) (feature uint32, value float64) {
	value = 1
	if l.weights != nil {
		value = l.values[l.weights[i]]
	}
	if l.narrow != nil {
		return uint32(l.narrow[i]), value
	}
	return l.wide[i], value
}

// Narrow returns the features of record j and their weights if they have some; nil if there are too many features.
func (l *List) Narrow(j int) (features []uint16, weights []uint32) {
	lo, hi := l.Bounds(j)
	if l.narrow == nil {
		return nil, nil
	}
	if l.weights != nil {
		weights = l.weights[lo:hi]
	}
	return l.narrow[lo:hi], weights
}

// narrowTable is a table for 2-byte features: no index can be out of its bounds, and the compiler knows.
type narrowTable = *[MostNarrow]float64

// TableSize returns how long a table must be.
func (l *List) TableSize() int {
	if l.narrow != nil {
		return MostNarrow
	}
	return l.features
}

// Scatter adds a times the values of record j to a table.
func (l *List) Scatter(t []float64, j int, a float64) {
	lo, hi := l.Bounds(j)
	switch {
	case l.weights == nil && l.narrow != nil:
		table := narrowTable(t)
		for _, f := range l.narrow[lo:hi] {
			table[f] += a
		}
	case l.weights == nil:
		for _, f := range l.wide[lo:hi] {
			t[f] += a
		}
	case l.narrow != nil:
		scatterWeights(t, l.narrow[lo:hi], l.weights[lo:hi], l.values, a)
	default:
		scatterWeights(t, l.wide[lo:hi], l.weights[lo:hi], l.values, a)
	}
}

func scatterWeights[T uint16 | uint32](t []float64, f []T, weights []uint32, values []float64, a float64) {
	for i, f := range f {
		t[f] += float64(a * values[weights[i]])
	}
}

// A scatter is divided into parts, each of which adds its records' coefficients to a table of its own; then each word
// is summed over the tables, in order of the parts. Their number depends on the data alone, and so do the bits.
const (
	mostParts     = 16
	entriesPerSum = 40 // least entries per word of a part: adding its table takes a fiftieth of its time
)

// ScatterAll adds v[j] times the values of record j to a table, for every record. The table may have room for more
// features. The pool, of *[]float64, lends the tables of parts.
func (l *List) ScatterAll(t, v []float64, pool *sync.Pool) {
	parts := max(1, min(mostParts, l.Entries()/(entriesPerSum*max(l.features, 1))))
	if parts == 1 {
		l.scatterRange(t, v, 0, len(v))
		return
	}
	tables := make([]*[]float64, parts)
	cuts := l.cut(parts)
	parallel.Each(parts, func(p int) {
		table := scratch.Borrow(pool, len(t))
		clear((*table)[:l.features])
		l.scatterRange(*table, v, cuts[p], cuts[p+1])
		tables[p] = table
	})
	parallel.For(l.features, func(lo, hi int) {
		for _, table := range tables {
			from := (*table)[lo:hi]
			for i := range t[lo:hi] {
				t[lo+i] += from[i]
			}
		}
	})
	for _, table := range tables {
		pool.Put(table)
	}
}

// scatterRange scatters the records lo…hi−1.
func (l *List) scatterRange(t, v []float64, lo, hi int) {
	for j := lo; j < hi; j++ {
		if v[j] != 0 {
			l.Scatter(t, j, v[j])
		}
	}
}

// cut divides records into parts of about as many entries: part p is records cuts[p]…cuts[p+1]−1.
func (l *List) cut(parts int) (cuts []int) {
	cuts = append(cuts, 0)
	for j := range l.Len() {
		for _, end := l.Bounds(j); len(cuts) < parts && end*parts >= len(cuts)*l.Entries(); {
			cuts = append(cuts, j+1)
		}
	}
	return append(cuts, l.Len())
}

// Gather returns the sum of a table over the features of record j, times their values, in four partial sums of every
// fourth entry, so that additions need not wait for one another.
func (l *List) Gather(t []float64, j int) float64 {
	lo, hi := l.Bounds(j)
	switch {
	case l.weights == nil && l.narrow != nil:
		return gather.Sum(narrowTable(t), l.narrow[lo:hi])
	case l.weights == nil:
		return gather.Sum(t, l.wide[lo:hi])
	case l.narrow != nil:
		return gatherWeights(t, l.narrow[lo:hi], l.weights[lo:hi], l.values)
	default:
		return gatherWeights(t, l.wide[lo:hi], l.weights[lo:hi], l.values)
	}
}

func gatherWeights[T uint16 | uint32](t []float64, f []T, w []uint32, values []float64) float64 {
	var a, b, c, d float64
	for ; len(f) >= 4 && len(w) >= 4; f, w = f[4:], w[4:] {
		a += float64(t[f[0]] * values[w[0]])
		b += float64(t[f[1]] * values[w[1]])
		c += float64(t[f[2]] * values[w[2]])
		d += float64(t[f[3]] * values[w[3]])
	}
	for i, f := range f {
		a += float64(t[f] * values[w[i]])
	}
	return (a + b) + (c + d)
}

// serialEntries is the number of entries below which starting goroutines costs more than it saves.
const serialEntries = 1 << 15

// GatherAll adds to dst the gather of every record, in parallel where it pays. The result does not depend on how.
func (l *List) GatherAll(dst, t []float64) {
	add := func(j int) { dst[j] += l.Gather(t, j) }
	if l.Entries() < serialEntries {
		for j := range dst {
			add(j)
		}
		return
	}
	parallel.Each(len(dst), add)
}

// Erase sets a table to zero at the features of record j.
func (l *List) Erase(t []float64, j int) {
	lo, hi := l.Bounds(j)
	for e := lo; e < hi; e++ {
		feature, _ := l.Entry(e)
		t[feature] = 0
	}
}

// Shared returns the list without the features that one record alone has, and what those add to its square: the rest
// are numbered in their order. O(entries + features).
func (l *List) Shared(ctx context.Context) (shared *List, own []float64) {
	const nobody, many = -1, -2
	owners, sums := slices.Repeat([]int32{nobody}, l.features), make([]float64, l.features)
	l.each(ctx, func(j, e int, feature uint32, value float64) {
		if owner := &owners[feature]; *owner == nobody || *owner == int32(j) {
			*owner = int32(j)
			sums[feature] += value
		} else {
			*owner = many
		}
	})
	own, count := make([]float64, l.Len()), 0
	numbers := make([]uint32, l.features)
	for feature, owner := range owners {
		if numbers[feature] = uint32(count); owner == many {
			count++
		} else if owner >= 0 {
			own[owner] += float64(sums[feature] * sums[feature])
		}
	}
	shared = Collect(count, l.Len(), l.weights != nil, func(add func(j int, feature, weight uint32)) {
		l.each(ctx, func(j, e int, feature uint32, _ float64) {
			if owners[feature] != many {
				return
			}
			weight := uint32(0)
			if l.weights != nil {
				weight = l.weights[e]
			}
			add(j, numbers[feature], weight)
		})
	})
	shared.values = l.values
	return shared, own
}

// each calls visit with every entry of every record, in order.
func (l *List) each(ctx context.Context, visit func(j, e int, feature uint32, value float64)) {
	for j := range l.Len() {
		cancel.Check(ctx)
		lo, hi := l.Bounds(j)
		for e := range cancel.Steps(ctx, lo, hi) {
			feature, value := l.Entry(e)
			visit(j, e, feature, value)
		}
	}
}
