package descent

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
)

// coordinateBlock is the number of neighbouring records that are visited together.
const coordinateBlock = 256

// loadedBlocks is how many blocks of records are loaded at a time, and piece how many active neighbours of these are
// visited together. Measured on 300,000 records of two classes, shuffled and class by class: 54 and 119 passes with
// pieces of 256, 53 and 65 with these.
const (
	loadedBlocks = 16
	piece        = 32
)

// visits are the records that passes of a descent visit, in blocks of neighbours, blocks and the records of a block in
// random order. The order depends only on the seed, the number of records and what was left out.
type visits struct {
	every     []int32 // records, ascending
	active    []int32 // of these, the ones to visit
	shrunk    []bool  // of these, which the pass leaves out of the next
	threshold float64 // greatest violation of the last pass: a record further than that from moving may be left out
	source    *rand.PCG
	random    *rand.Rand // of source
	loaded    []int32    // active records of the blocks that are visited together
	order     []int32    // of the visits of a block, or of those that are loaded

	// blocks are the ends of blocks, by number of record, and load makes the records of some, in ascending order, those
	// that can be visited. Nil: blocks are coordinateBlock active records, and all can be visited at any time.
	blocks []int
	load   func(ctx context.Context, blocks []int) error
	after  func(records int) // is called when the records of these have been visited; nil: nothing is
	// prefetch asks for what a visit of a record will read: misses of the caches overlap so, and do not between visits.
	// Nil: nothing does.
	prefetch func(i int)
}

func newVisits(every []int32, seed uint64) *visits {
	v := &visits{every: every, shrunk: make([]bool, len(every)), source: rand.NewPCG(seed, uint64(len(every)))}
	v.random = rand.New(v.source)
	v.all()
	return v
}

// numbered returns the records that are wanted, of n.
func numbered(n int, wanted func(i int) bool) (list []int32) {
	list = make([]int32, 0, n)
	for i := range n {
		if wanted(i) {
			list = append(list, int32(i))
		}
	}
	return list
}

// all makes the next pass visit every record.
func (v *visits) all() {
	v.active = append(v.active[:0], v.every...)
	v.threshold = math.Inf(1)
}

// pass calls visit once for every active record, and leaves those out of the next pass for which it returned true.
func (v *visits) pass(ctx context.Context, visit func(i int) (shrunk bool)) error {
	if v.blocks != nil {
		if err := v.passBlocks(ctx, visit); err != nil {
			return err
		}
	} else if err := v.passRows(ctx, visit); err != nil {
		return err
	}
	kept := v.active[:0]
	for j, i := range v.active {
		if !v.shrunk[j] {
			kept = append(kept, i)
		}
	}
	v.active = kept
	return nil
}

// passRows is a pass over records that can be visited at any time.
func (v *visits) passRows(ctx context.Context, visit func(i int) (shrunk bool)) error {
	for _, b := range v.random.Perm((len(v.active) + coordinateBlock - 1) / coordinateBlock) {
		if err := ctx.Err(); err != nil {
			return err
		}
		v.block(b*coordinateBlock, min((b+1)*coordinateBlock, len(v.active)), visit)
	}
	return nil
}

// passBlocks is a pass over records that have to be loaded, some blocks at a time, in short pieces: neighbours may be
// alike, such as of one class.
func (v *visits) passBlocks(ctx context.Context, visit func(i int) (shrunk bool)) error {
	blocks := v.random.Perm(len(v.blocks))
	for len(blocks) > 0 {
		some := blocks[:min(loadedBlocks, len(blocks))]
		blocks = blocks[len(some):]
		slices.Sort(some)
		kept, records := some[:0], 0
		v.loaded = v.loaded[:0]
		for _, b := range some {
			lo, hi := v.bounds(b)
			if lo == hi {
				continue
			}
			kept = append(kept, b)
			records += hi - lo
			for at := lo; at < hi; at++ {
				v.loaded = append(v.loaded, int32(at))
			}
		}
		if len(kept) == 0 {
			continue
		}
		if err := v.load(ctx, kept); err != nil {
			return err
		}
		v.arrange()
		v.visitAll(visit)
		if v.after != nil {
			v.after(records)
		}
	}
	return nil
}

// arrange makes order the loaded records, in pieces of neighbours, these and the records of each in random order.
func (v *visits) arrange() {
	pieces := v.random.Perm((len(v.loaded) + piece - 1) / piece)
	v.order = v.order[:0]
	for _, p := range pieces {
		v.order = v.shuffled(v.order, v.loaded[p*piece:min((p+1)*piece, len(v.loaded))])
	}
}

// visitAll visits the records of the order, which have been loaded.
func (v *visits) visitAll(visit func(i int) bool) {
	for some := range slices.Chunk(v.order, piece) {
		for _, at := range some {
			v.prefetch(int(v.active[at]))
		}
		for _, at := range some {
			v.shrunk[at] = visit(int(v.active[at]))
		}
	}
}

// bounds returns where the active records of a block are.
func (v *visits) bounds(block int) (lo, hi int) {
	before := func(i int) int {
		at, _ := slices.BinarySearch(v.active, int32(i))
		return at
	}
	if block > 0 {
		lo = before(v.blocks[block-1])
	}
	return lo, before(v.blocks[block])
}

// block visits the active records lo … hi−1, coordinateBlock at most, in random order.
func (v *visits) block(lo, hi int, visit func(i int) bool) {
	v.loaded = v.loaded[:0]
	for at := lo; at < hi; at++ {
		v.loaded = append(v.loaded, int32(at))
	}
	v.order = v.shuffled(v.order[:0], v.loaded)
	for k, at := range v.order {
		if k+1 < len(v.order) && v.prefetch != nil {
			v.prefetch(int(v.active[v.order[k+1]]))
		}
		v.shrunk[at] = visit(int(v.active[at]))
	}
}

// shuffled appends a list in random order.
func (v *visits) shuffled(order, list []int32) []int32 {
	from := len(order)
	order = append(order, list...)
	some := order[from:]
	for j, at := range list {
		k := int(v.random.Uint32N(uint32(j + 1)))
		some[j] = some[k]
		some[k] = at
	}
	return order
}
