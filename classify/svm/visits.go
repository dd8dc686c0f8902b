package svm

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seqsvm/seqsvm/internal/parallel"
)

// coordinateBlock is the number of neighbouring records that are visited together.
const coordinateBlock = 256

// loadedBlocks is how many blocks of a [Walk] are loaded at a time, and piece how many active neighbours of these are
// visited together. Measured on 300,000 records of two classes, shuffled and class by class: 54 and 119 passes with
// pieces of 256, 53 and 65 with these.
const (
	loadedBlocks = 16
	piece        = 32
)

// mostPause is the greatest number of passes that a record sits out before it is visited again. It halves every
// pausedPasses, so that a long descent is a plain one in the end, and so is one on the records of a block.
const (
	mostPause    = 3
	pausedPasses = 32
)

// visits are the records that passes of a descent visit, in blocks of neighbours, blocks and the records of a block in
// random order. The order depends only on the seed, the number of records and what was left out.
type visits struct {
	active    []int32 // records to visit, ascending
	shrunk    []bool  // of these, which the pass leaves out of the next
	pause     []uint8 // of all records, how many passes they sit out each time
	left      []uint8 // and how many more they sit out now
	passes    int
	threshold float64 // greatest violation of the last pass: a record further than that from moving may be left out
	source    *rand.PCG
	random    *rand.Rand // of source
	pieces    [][2]int   // of blocks that are screened together: active records, from one up to another
	awake     []int32    // of these, which do not rest
	order     []int32    // of the visits of a block, or of those that are loaded

	// blocks are the ends of blocks, by number of record, and load makes the records of some, in ascending order, those
	// that can be visited. Nil: blocks are coordinateBlock active records, and all can be visited at any time.
	blocks []int
	load   func(ctx context.Context, blocks []int) error
	after  func(records int) // is called when the records of these have been visited; nil: nothing is
	// prefetch asks for what a visit of a record will read: misses of the caches overlap so, and do not between visits.
	// Nil: nothing does.
	prefetch func(i int)
	halves   *halves // nil: records are visited one by one

	// screen reports whether a record, which it does not move, will not move soon, and whether it may be left out. Nil
	// is never.
	screen func(i int) (still, leaves bool)
}

// A pass has stages. Before each, records that are likely not to move, in the first pass those of later stages and then
// those that rested, are screened on all processors: only what moves is visited one by one.
const (
	stages        = 8
	leastScreened = 1024 // records; fewer are visited
	leftOut       = 255  // of visits.left, in place of passes: the record may be left out
)

func newVisits(n int, seed uint64) *visits {
	v := &visits{
		active: make([]int32, 0, n), shrunk: make([]bool, n), pause: make([]uint8, n), left: make([]uint8, n),
		source: rand.NewPCG(seed, uint64(n)),
	}
	v.random = rand.New(v.source)
	v.all()
	return v
}

// all makes the next pass visit every record.
func (v *visits) all() {
	v.active = v.active[:len(v.shrunk)]
	for i := range v.active {
		v.active[i] = int32(i)
	}
	v.threshold = math.Inf(1)
}

// rest has a record that did not move, and will not soon, sit out some passes: the more, the more often in a row that
// was so. Any other record will be visited in the next.
func (v *visits) rest(i int, still bool) {
	if !still || len(v.shrunk) <= coordinateBlock {
		v.pause[i] = 0
		return
	}
	v.pause[i] = min(2*v.pause[i]+1, mostPause>>(v.passes/pausedPasses))
	v.left[i] = v.pause[i]
}

// sitOut has a record that will not move soon rest from the present pass on, before that visits it.
func (v *visits) sitOut(i int) {
	if len(v.shrunk) > coordinateBlock {
		v.rest(i, true)
		v.left[i]++
	}
}

// pass calls visit once for every active record that does not rest and is not screened out, and leaves those out of the
// next pass for which it returned true.
func (v *visits) pass(ctx context.Context, visit func(i int) (shrunk bool)) error {
	if v.blocks != nil {
		if err := v.passBlocks(ctx, visit); err != nil {
			return err
		}
	} else if err := v.passStages(ctx, visit); err != nil {
		return err
	}
	v.passes++
	kept := v.active[:0]
	for j, i := range v.active {
		if !v.shrunk[j] {
			kept = append(kept, i)
		}
	}
	v.active = kept
	return nil
}

// passStages is a pass over records that can be visited at any time.
func (v *visits) passStages(ctx context.Context, visit func(i int) (shrunk bool)) error {
	blocks := v.random.Perm((len(v.active) + coordinateBlock - 1) / coordinateBlock)
	for stage := range stages {
		some := blocks[stage*len(blocks)/stages : (stage+1)*len(blocks)/stages]
		v.pieces = v.pieces[:0]
		for _, b := range some {
			v.pieces = append(v.pieces, [2]int{b * coordinateBlock, min((b+1)*coordinateBlock, len(v.active))})
		}
		v.screenOut(stage > 0 && v.passes == 0)
		for _, p := range v.pieces {
			if err := ctx.Err(); err != nil {
				return err
			}
			v.block(p[0], p[1], visit)
		}
	}
	return nil
}

// passBlocks is a pass over records that have to be loaded, some blocks at a time, in short pieces: neighbours may be
// alike, such as of one class.
func (v *visits) passBlocks(ctx context.Context, visit func(i int) (shrunk bool)) error {
	blocks := v.random.Perm(len(v.blocks))
	for first := true; len(blocks) > 0; {
		loaded := blocks[:min(loadedBlocks, len(blocks))]
		blocks = blocks[len(loaded):]
		slices.Sort(loaded)
		awake, records := loaded[:0], 0
		v.pieces = v.pieces[:0]
		for _, b := range loaded {
			lo, hi := v.bounds(b)
			if v.rested(lo, hi) {
				continue
			}
			awake = append(awake, b)
			records += hi - lo
			v.pieces = append(v.pieces, [2]int{lo, hi})
		}
		if len(awake) == 0 {
			continue
		}
		if err := v.load(ctx, awake); err != nil {
			return err
		}
		v.screenOut(!first && v.passes == 0)
		first = false
		v.arrange()
		if err := v.visitLoaded(ctx, records, visit); err != nil {
			return err
		}
		if v.after != nil {
			v.after(records)
		}
	}
	return nil
}

// arrange makes order the active records of the pieces that do not rest, cut into pieces anew, these and the records of
// each in random order.
func (v *visits) arrange() {
	v.awake = v.awake[:0]
	for _, p := range v.pieces {
		for at := p[0]; at < p[1]; at++ {
			if !v.rests(at) {
				v.awake = append(v.awake, int32(at))
			}
		}
	}
	pieces := v.random.Perm((len(v.awake) + piece - 1) / piece)
	v.order = v.order[:0]
	for _, p := range pieces {
		v.order = v.shuffled(v.order, v.awake[p*piece:min((p+1)*piece, len(v.awake))])
	}
}

// visitLoaded visits the records of the order, in rounds of two halves at a time if the blocks have enough.
func (v *visits) visitLoaded(ctx context.Context, records int, visit func(i int) bool) error {
	h := v.halves
	if h == nil || records < 2*h.records {
		v.visitAll(v.order, visit)
		return nil
	}
	h.joined = false
	rounds := (records + 2*h.records - 1) / (2 * h.records)
	for round := range rounds {
		some := v.order[round*len(v.order)/rounds : (round+1)*len(v.order)/rounds]
		if err := h.round(ctx, v, some); err != nil {
			return err
		}
	}
	return nil
}

// visitAll visits records that have been loaded, in this order.
func (v *visits) visitAll(order []int32, visit func(i int) bool) {
	for some := range slices.Chunk(order, piece) {
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

// rested has the active records lo … hi−1 sit out a pass if all of them rest.
func (v *visits) rested(lo, hi int) bool {
	for _, i := range v.active[lo:hi] {
		if v.left[i] == 0 {
			return false
		}
	}
	for at, i := range v.active[lo:hi] {
		v.left[i]--
		v.shrunk[lo+at] = false
	}
	return true
}

// screenOut screens the records of the pieces that rested, or all.
func (v *visits) screenOut(all bool) {
	if v.screen == nil {
		return
	}
	var list []int32
	for _, p := range v.pieces {
		for _, i := range v.active[p[0]:p[1]] {
			if v.left[i] == 0 && (all || v.pause[i] > 0) {
				list = append(list, i)
			}
		}
	}
	if len(list) < leastScreened {
		return
	}
	parallel.Each(len(list), func(k int) {
		i := int(list[k])
		switch still, leaves := v.screen(i); {
		case still:
			v.sitOut(i)
			if leaves {
				v.left[i] = leftOut
			}
		default:
			v.rest(i, false)
		}
	})
}

// block visits the active records lo … hi−1, coordinateBlock at most, in random order.
func (v *visits) block(lo, hi int, visit func(i int) bool) {
	v.awake = v.awake[:0]
	for at := lo; at < hi; at++ {
		v.awake = append(v.awake, int32(at))
	}
	v.order = v.shuffled(v.order[:0], v.awake)
	for k, at := range v.order {
		if k+1 < len(v.order) && v.prefetch != nil {
			if next := v.active[v.order[k+1]]; v.left[next] == 0 {
				v.prefetch(int(next))
			}
		}
		if !v.rests(int(at)) {
			v.shrunk[at] = visit(int(v.active[at]))
		}
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

// rests reports whether an active record sits out the pass, and takes note of that.
func (v *visits) rests(at int) bool {
	i := v.active[at]
	left := v.left[i]
	switch left {
	case 0:
		return false
	case leftOut:
		v.left[i] = 0
	default:
		v.left[i]--
	}
	v.shrunk[at] = left == leftOut
	return true
}
