package treekernel

import (
	"slices"
	"sync"

	"github.com/seqsvm/seqsvm/internal/intern"
)

// comparer compares a loaded record with the records of a forest. It is for one goroutine.
type comparer struct {
	x      *subtrees // the loaded record
	forest *forest   // what it is compared with
	spans  []valued  // of the values of each subtree of the record
	values []float64 // Δ of the pairs of subtrees of one class
	totals []float64 // of each subtree of the forest: Σ Δ over the nodes of the record; zero between calls
	from   *forest   // that the loaded record is of, or nil
	kept   *kept     // values of pairs with it, if they take long
	own    subtrees  // a loaded record of a forest
	number []int32   // its subtrees in that forest
	place  []int32   // the subtrees of that forest in the record
	sums   []float64 // scratch for ptk
	rows   []float64
}

// valued is the values of a subtree with those of the forest in a run, from values[at] on.
type valued struct{ lo, hi, at int32 }

// value returns k(x, y).
func (c *comparer) value(k *pairwise, x, y *subtrees) float64 {
	p := newPlanting()
	p.plant(y)
	value := []float64{0}
	c.load(x)
	c.addTo(value, p.forest(), k)
	return value[0]
}

// load makes x the loaded record.
func (c *comparer) load(x *subtrees) { c.x, c.from = x, nil }

// loadOwn makes a record of a forest the loaded one.
func (c *comparer) loadOwn(f *forest, record int) {
	x := &c.own
	c.from, c.number = f, c.number[:0]
	x.class, x.count, x.first, x.kids = x.class[:0], x.count[:0], append(x.first[:0], 0), x.kids[:0]
	c.place = slices.Grow(c.place[:0], f.len())[:f.len()]
	last := int32(intern.None)
	for _, s := range f.members[f.membersAt[record]:f.membersAt[record+1]] {
		if s == last {
			x.count[len(x.count)-1]++
			continue
		}
		last, c.place[s] = s, int32(x.len())
		c.number = append(c.number, s)
		for _, kid := range f.children(s) {
			if kid != intern.None {
				kid = c.place[kid]
			}
			x.kids = append(x.kids, kid)
		}
		x.class, x.count, x.first = append(x.class, f.classOf(s)), append(x.count, 1), append(x.first, int32(len(x.kids)))
	}
	c.x = x
}

// addTo adds k(x, y) for every record y of a forest to dst[y].
func (c *comparer) addTo(dst []float64, f *forest, k *pairwise) {
	c.compare(f, k)
	c.eachTotal(func(s int32, total float64) {
		for _, y := range f.hosts[f.hostsAt[s]:f.hostsAt[s+1]] {
			dst[y] += total
		}
	})
}

// eachTotal visits the subtrees of the forest that have a total, and makes it zero.
func (c *comparer) eachTotal(visit func(s int32, total float64)) {
	for _, v := range c.spans {
		for s := v.lo; s < v.hi; s++ {
			if total := c.totals[s]; total != 0 { // else another subtree of this class was here before
				c.totals[s] = 0
				visit(s, total)
			}
		}
	}
}

// mostDelta bounds the value of a pair, so that no sum overflows.
const mostDelta = 1e100

// compare computes Δ of the pairs of subtrees of the same class, children first, and the totals.
func (c *comparer) compare(f *forest, k *pairwise) {
	c.forest = f
	c.spans, c.values = c.spans[:0], c.values[:0]
	if more := f.len() - len(c.totals); more > 0 {
		c.totals = append(c.totals, make([]float64, more)...)
	}
	for a, class := range c.x.class {
		like, at := f.like(class), len(c.values)
		c.spans = append(c.spans, valued{like.lo, like.hi, int32(at)})
		if like.lo == like.hi {
			continue
		}
		c.values = slices.Grow(c.values, int(like.hi-like.lo))[:at+int(like.hi-like.lo)]
		values, totals := c.values[at:], c.totals[like.lo:like.hi]
		c.deltas(values, int32(a), k)
		for n, d := range values {
			totals[n] += float64(c.x.count[a] * d)
		}
	}
}

// deltas writes Δ of a subtree of the loaded record and each of its class.
func (c *comparer) deltas(dst []float64, a int32, k *pairwise) {
	keep := k.subsequences && c.from != nil && !c.x.leaf(a)
	var key keptKey
	if keep {
		key = keptKey{c.from, c.number[a], c.forest}
		if known := c.kept.find(key); known != nil {
			copy(dst, known)
			return
		}
	}
	k.deltas(c, dst, a)
	for n, d := range dst {
		dst[n] = min(d, mostDelta)
	}
	if keep {
		c.kept.add(key, dst)
	}
}

// of returns Δ of two subtrees that have been compared, 0 if their classes differ.
func (c *comparer) of(a, b int32) float64 {
	if a == intern.None {
		return 0
	}
	if v := c.spans[a]; v.lo <= b && b < v.hi {
		return c.values[v.at+b-v.lo]
	}
	return 0
}

// kept holds Δ of pairs of subtrees of the records of a collection, where they take long to compute. It may be used by
// several goroutines.
type kept struct {
	mutex  sync.RWMutex
	values map[keptKey][]float64
	bytes  int
}

// keptKey is a subtree of a forest and the forest whose subtrees of its class it is compared with.
type keptKey struct {
	from    *forest
	subtree int32
	with    *forest
}

// mostKept is how many bytes are kept.
const mostKept = 256 << 20

// find returns the values of a subtree, nil if they are not kept.
func (k *kept) find(key keptKey) []float64 {
	k.mutex.RLock()
	defer k.mutex.RUnlock()
	return k.values[key]
}

// add keeps a copy of the values of a subtree while there is room.
func (k *kept) add(key keptKey, values []float64) {
	const entry = 100 // bytes, of the map
	bytes := 8*len(values) + entry
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if k.values == nil {
		k.values = make(map[keptKey][]float64)
	}
	if k.values[key] == nil && k.bytes+bytes <= mostKept {
		k.values[key] = append([]float64(nil), values...)
		k.bytes += bytes
	}
}
