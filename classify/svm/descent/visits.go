package descent

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
)

// Records in memory are visited by blocks of 256 neighbours. Where blocks have to be loaded, 16 are visited together,
// in pieces of 32 active neighbours: neighbours may be alike, such as of one class, and longer pieces then take more
// passes. From a quarter to four times these, results stay within Tol.
const (
	coordinateBlock = 256
	loadedBlocks    = 16
	loadedPiece     = 32
)

// visits are the records that passes of a descent visit: blocks of neighbours in random order, and their records in
// random pieces. The order depends only on the seed, the number of records and what was left out.
type visits struct {
	every     []int32 // records, ascending
	active    []int32 // those of them to visit
	shrunk    []bool  // by place in active: the pass leaves the record out of the next
	rests     []uint8 // by record: passes that it sits out before its next visit
	threshold float64 // greatest violation of the last pass: a record further than that from moving may be left out
	source    *rand.PCG
	random    *rand.Rand // of source
	together  int        // blocks that are visited together
	piece     int        // neighbours of these that are visited in a row
	loaded    []int32    // the blocks' places in active, but for records that rest
	order     []int32    // these in the order of visits

	// blocks are the ends of blocks, by number of record. Nil: blocks are coordinateBlock active records.
	blocks []int
	// load makes the records of some blocks, in ascending order, those that can be visited.
	load  func(ctx context.Context, blocks []int) error
	after func(records int) // is called with the number of records of these, when they have been visited; may be nil
	// prefetch asks for what a visit of a record will read, so that the misses of several records overlap; may be nil.
	prefetch func(i int)
}

func newVisits(n int, every []int32, seed uint64) *visits {
	v := &visits{
		every: every, shrunk: make([]bool, len(every)), source: rand.NewPCG(seed, uint64(len(every))),
		rests: make([]uint8, n), together: 1, piece: coordinateBlock,
		load: func(ctx context.Context, _ []int) error { return ctx.Err() },
	}
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
	clear(v.rests)
	v.threshold = math.Inf(1)
}

// pass calls visit once for every active record that does not rest, and leaves those out of the next pass for which it
// returned true.
func (v *visits) pass(ctx context.Context, visit func(i int) (shrunk bool)) error {
	count := len(v.blocks)
	if v.blocks == nil {
		count = (len(v.active) + coordinateBlock - 1) / coordinateBlock
	}
	for some := range slices.Chunk(v.random.Perm(count), v.together) {
		slices.Sort(some)
		if err := v.passBlocks(ctx, some, visit); err != nil {
			return err
		}
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

// passBlocks visits the active records of some blocks.
func (v *visits) passBlocks(ctx context.Context, blocks []int, visit func(i int) (shrunk bool)) error {
	kept := blocks[:0]
	v.loaded = v.loaded[:0]
	for _, b := range blocks {
		lo, hi := v.bounds(b)
		before := len(v.loaded)
		for at := lo; at < hi; at++ {
			if rest := &v.rests[v.active[at]]; *rest > 0 {
				*rest--
				v.shrunk[at] = false
			} else {
				v.loaded = append(v.loaded, int32(at))
			}
		}
		if len(v.loaded) > before {
			kept = append(kept, b)
		}
	}
	if len(kept) == 0 {
		return nil
	}
	if err := v.load(ctx, kept); err != nil {
		return err
	}
	v.arrange()
	for some := range slices.Chunk(v.order, loadedPiece) {
		if v.prefetch != nil {
			for _, at := range some {
				v.prefetch(int(v.active[at]))
			}
		}
		for _, at := range some {
			v.shrunk[at] = visit(int(v.active[at]))
		}
	}
	if v.after != nil {
		v.after(len(v.loaded))
	}
	return nil
}

// arrange fills order: pieces of loaded neighbours in random order, and each piece in random order.
func (v *visits) arrange() {
	pieces := v.random.Perm((len(v.loaded) + v.piece - 1) / v.piece)
	v.order = v.order[:0]
	for _, p := range pieces {
		v.order = v.shuffled(v.order, v.loaded[p*v.piece:min((p+1)*v.piece, len(v.loaded))])
	}
}

// bounds returns where the active records of a block are.
func (v *visits) bounds(block int) (lo, hi int) {
	if v.blocks == nil {
		return block * coordinateBlock, min((block+1)*coordinateBlock, len(v.active))
	}
	before := func(i int) int {
		at, _ := slices.BinarySearch(v.active, int32(i))
		return at
	}
	if block > 0 {
		lo = before(v.blocks[block-1])
	}
	return lo, before(v.blocks[block])
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
