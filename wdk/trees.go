package wdk

import (
	"context"
	"math"
	"runtime"

	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/streams"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/suffix"
)

// The product K·v is a sum over positions p of products on the tree of the words that begin there, weighted with their position's weight T_pp: P_p. A
// pair of positions p < q, s apart, has a tree of the words at both, every window with two leaves: J_pq. That counts the matches of each position with
// itself, too, so
//
//	K = unit · ( Σ_p T_pp P_p + Σ_{p<q} T_pq (J_pq − P_p − P_q) ) = unit · ( Σ_p (T_pp − Σ_{q≠p} T_pq) P_p + Σ_{p<q} T_pq J_pq ).

// newOperator builds the trees of all positions and shifts: O(n L (S + 1)) time.
func newOperator(k Kernel, c *stringkernel.Corpus, length int) *streams.Operator {
	b := &treeBuilder{kernel: k, corpus: c, length: length, own: make([]float64, c.Len())}
	b.add(0, func(p int) float64 { return k.alone(p, length) })
	for s := 1; s <= min(k.Shift, length-1); s++ {
		b.add(s, func(p int) float64 { return k.pair(p, s) })
	}
	return &streams.Operator{Own: b.own, Trees: b.trees}
}

// alone returns T_pp − Σ_{q≠p} T_pq.
func (k Kernel) alone(p, length int) float64 {
	weight := k.pair(p, 0)
	for s := 1; s <= min(k.Shift, length-1); s++ {
		if p+s < length {
			weight -= k.pair(p, s)
		}
		if p-s >= 0 {
			weight -= k.pair(p-s, s)
		}
	}
	return weight
}

// treeBuilder makes trees, and sums up what a window has for itself.
type treeBuilder struct {
	kernel Kernel
	corpus *stringkernel.Corpus
	length int
	trees  []*streams.Tree
	own    []float64
}

// sorted is the order at one position.
type sorted struct {
	weight     float64
	ranks, lcp []int32
	runs       []int32 // per sequence: letters before the next one outside the alphabet, up to d
}

// built is a tree with what is on the diagonal only.
type built struct {
	tree *streams.Tree
	own  []float64
}

// add makes the trees of a shift from right to left, some positions at a time in parallel; weight gives those of the positions p with p + s.
func (b *treeBuilder) add(s int, weight func(p int) float64) {
	batch := 2 * runtime.GOMAXPROCS(0)
	words := newWords(b.kernel, b.corpus, s)
	var waiting []sorted
	flush := func() {
		done := make([]built, len(waiting))
		_ = parallel.Do(context.Background(), len(waiting), func(i int) error { // never fails
			done[i] = b.build(waiting[i])
			return nil
		})
		for _, d := range done { // one after the other, from right to left: the sum does not depend on the batches
			b.trees = append(b.trees, d.tree)
			for i, own := range d.own {
				b.own[i] += own
			}
		}
		waiting = waiting[:0]
	}
	for p := b.length - 1; p >= 0; p-- {
		words.prepend(p)
		if w := weight(p) * b.kernel.unit(); p+s < b.length && w != 0 {
			waiting = append(waiting, words.sorted(w))
		}
		if len(waiting) == batch {
			flush()
		}
	}
	flush()
}

// build makes the tree of the words at one position, or at two: word i and word n + i are then those of window i.
func (b *treeBuilder) build(at sorted) built {
	n := b.corpus.Len()
	t := suffix.NewLCPTree(at.lcp)
	omega := make([]float64, t.Len())
	for v := 1; v < len(omega); v++ {
		omega[v] = float64(at.weight * float64(b.kernel.upTo(int(t.Depth[v]))-b.kernel.upTo(int(t.Depth[t.Parent[v]]))))
	}
	own, leaf := make([]float64, n), make([]int32, len(at.ranks)) // leaf: per sequence
	for r, i := range at.ranks {
		leaf[i] = t.Leaf[r]
		above := b.kernel.upTo(int(t.Depth[t.Leaf[r]]))
		own[int(i)%n] += float64(at.weight * float64(b.kernel.upTo(int(at.runs[i]))-above))
	}
	node, doc := make([]int32, len(leaf)), make([]int32, len(leaf))
	places := len(leaf) / n
	for i := range n {
		for place := range places {
			node[i*places+place], doc[i*places+place] = leaf[place*n+i], int32(i)
		}
	}
	return built{streams.NewTree(t.Parent, omega, node, doc), own}
}

// words is the order of the words of all windows at a position p, and with a shift s > 0 those at p + s, too.
type words struct {
	order  *order
	corpus *stringkernel.Corpus
	codes  *[256]int16
	shift  int
	letter []uint16
	runs   []int32
	most   int32
}

func newWords(k Kernel, c *stringkernel.Corpus, shift int) *words {
	n := c.Len()
	if shift > 0 {
		n *= 2
	}
	most := int32(min(k.D, math.MaxInt32))
	return &words{
		order: newOrder(n, k.Alphabet.Size(), int(most)), corpus: c, codes: k.Alphabet.Codes(), shift: shift,
		letter: make([]uint16, n), runs: make([]int32, n), most: most,
	}
}

// prepend moves to position p.
func (w *words) prepend(p int) {
	n := w.corpus.Len()
	w.column(w.letter[:n], p)
	if w.shift > 0 {
		w.column(w.letter[n:], p+w.shift)
	}
	outside := w.order.outside()
	for i, c := range w.letter {
		if w.runs[i] = min(w.runs[i]+1, w.most); c == outside {
			w.runs[i] = 0
		}
	}
	w.order.prepend(w.letter)
}

// column writes the codes at a position of all windows.
func (w *words) column(dst []uint16, p int) {
	outside := w.order.outside()
	for i := range dst {
		dst[i] = outside
		if x := w.corpus.Seq(i); p < len(x) {
			if code := w.codes[x[p]]; code != stringkernel.Outside {
				dst[i] = uint16(code)
			}
		}
	}
}

// sorted returns a copy of the order for a weight.
func (w *words) sorted(weight float64) sorted {
	ranks, lcp := w.order.snapshot()
	return sorted{weight: weight, ranks: ranks, lcp: lcp, runs: append([]int32(nil), w.runs...)}
}
