package suffix

import (
	"fmt"
	"sort"
)

// SumDocs stores in dst[v] the sum of weight[Docs[r]] over the ranks r under node v: the number of occurrences of every
// node's string, each counted with the weight of its document. weight has one value per document, dst one per node,
// else it panics. The order of additions is fixed. O(n).
func (t *Tree) SumDocs(dst, weight []float64) {
	t.wantNodes("SumDocs", len(dst))
	if len(weight) != t.NumDocs {
		panic(fmt.Sprintf("suffix: SumDocs: %d weights, want %d, one per document", len(weight), t.NumDocs))
	}
	clear(dst)
	docs := t.Docs[:len(t.Leaf)]
	for r, v := range t.Leaf {
		dst[v] += weight[docs[r]]
	}
	for v := len(dst) - 1; v > 0; v-- {
		dst[t.Parent[v]] += dst[v]
	}
}

// DocFreq stores in dst[v] the number of distinct documents in which node v's
// string occurs. dst has one entry per node, else it panics.
//
// It counts suffixes and subtracts one at the lowest common ancestor of every two
// neighbouring suffixes of the same document (L. C. K. Hui, "Color set size
// problem", CPM 1992, doi:10.1007/3-540-56024-6_19). The ancestor is found by
// binary search among the open nodes: O(n log h) time at worst for a tree of height h, near
// linear in practice; 4 bytes per document and per level of the tree.
func (t *Tree) DocFreq(dst []int32) { t.DocFreqAmong(dst, 0, t.NumDocs) }

// DocFreqAmong is DocFreq counting only the documents lo ≤ d < hi.
func (t *Tree) DocFreqAmong(dst []int32, lo, hi int) {
	t.wantNodes("DocFreq", len(dst))
	clear(dst)
	t.EachJoin(lo, hi, func(rank, _, join int32) {
		dst[t.Leaf[rank]]++
		if join >= 0 {
			dst[join]--
		}
	})
	for v := len(dst) - 1; v > 0; v-- {
		dst[t.Parent[v]] += dst[v]
	}
}

// EachJoin calls visit, by rank, for the suffixes of the documents lo ≤ d < hi: with the rank, the document, and the
// lowest common ancestor of the suffix and the one before it of the same document, −1 for the first. Time as DocFreq.
func (t *Tree) EachJoin(lo, hi int, visit func(rank, doc, join int32)) {
	last := make([]int32, t.NumDocs) // 1 + the last rank of a document
	var open []int32                 // the nodes above the current rank, root first
	for r, leaf := range t.Leaf {
		doc := t.Docs[r]
		if int(doc) < lo || int(doc) >= hi {
			continue
		}
		open = t.openTo(open, int32(r), leaf)
		join := int32(-1)
		if previous := last[doc] - 1; previous >= 0 {
			deeper := sort.Search(len(open)-1, func(i int) bool { return t.Lo[open[i+1]] > previous })
			join = open[deeper]
		}
		visit(int32(r), doc, join)
		last[doc] = int32(r) + 1
	}
}

// openTo closes the nodes that end at or before rank r and opens those down to
// the node leaf: open becomes the path from the root to leaf.
func (t *Tree) openTo(open []int32, r, leaf int32) []int32 {
	for len(open) > 0 && t.Hi[open[len(open)-1]] <= r {
		open = open[:len(open)-1]
	}
	known := len(open)
	for v := leaf; known == 0 || v != open[known-1]; v = t.Parent[v] {
		open = append(open, v)
		if v == 0 {
			break
		}
	}
	for i, j := known, len(open)-1; i < j; i, j = i+1, j-1 {
		open[i], open[j] = open[j], open[i]
	}
	return open
}

// wantNodes panics unless a slice has one entry per node.
func (t *Tree) wantNodes(method string, n int) {
	if n != t.Len() {
		panic(fmt.Sprintf("suffix: %s: dst of length %d, want %d, one per node", method, n, t.Len()))
	}
}
