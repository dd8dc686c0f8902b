package treekernel

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/seqsvm/seqsvm/internal/intern"
	"github.com/seqsvm/seqsvm/internal/scratch"
)

// sorting brings trees to canonical order: children sorted by their tags, which are
//
//	tag(node) = [label tag(c_1) … tag(c_m)]   with tag(c_1) ≤ … ≤ tag(c_m)
//
// compared symbol by symbol, labels by their bytes and ] before [ (Vishwanathan & Smola 2002). No tag is built.
// Siblings are on one level, so each level is ranked separately, from the deepest up: nodes of a level are sorted by
// their label, then by the ranks of their children, which are in order because they are given to their parents in
// order. A comparison costs no more than the children of one of the two nodes, so a level with m nodes and their
// children takes O(m log m) comparisons of O(1) on average, and a record of l nodes O(l log l), without recursion.
type sorting struct {
	old     trees
	rank    []int32 // of each node among those of its level; equal tags have equal ranks
	labels  []int32 // rank of each label
	kids    []int32 // children of node i, sorted, from kidsAt[i] on, kidsNum[i] of them
	kidsAt  []int32
	kidsNum []int32
	levels  []int32 // nodes by depth
	starts  []int32 // of each level in levels
	depth   []int32
	place   []int32 // new number of each node
}

// sort reorders t, whose labels are numbers in table.
func (s *sorting) sort(t *trees, table *intern.Terms) {
	s.rankLabels(table)
	s.findLevels(t)
	for d := len(s.starts) - 2; d >= 0; d-- {
		level := s.levels[s.starts[d]:s.starts[d+1]]
		s.sortLevel(t, level)
		for _, i := range level {
			if p := t.parent[i]; p >= 0 {
				s.kids[s.kidsAt[p]+s.kidsNum[p]] = i
				s.kidsNum[p]++
			}
		}
	}
	s.rearrange(t)
}

func (s *sorting) rankLabels(table *intern.Terms) {
	var order []int32
	s.labels = rankBy(s.labels, table.Len(), &order, func(a, b int32) int {
		return bytes.Compare(table.At(int(a)), table.At(int(b)))
	})
}

// findLevels sorts the nodes by depth and lays out their lists of children.
func (s *sorting) findLevels(t *trees) {
	n := t.len()
	s.depth, s.kidsAt, s.kidsNum = zeros(s.depth, n), zeros(s.kidsAt, n), zeros(s.kidsNum, n)
	s.kids, s.rank = zeros(s.kids, n), zeros(s.rank, n)
	deepest := int32(-1)
	for i, p := range t.parent {
		if p >= 0 {
			s.depth[i] = s.depth[p] + 1
			s.kidsAt[p]++ // counts, made places below
		}
		deepest = max(deepest, s.depth[i])
	}
	at := int32(0)
	for i, num := range s.kidsAt {
		s.kidsAt[i] = at
		at += num
	}
	s.starts = zeros(s.starts, int(deepest)+2)
	for _, d := range s.depth {
		s.starts[d+1]++
	}
	for d := range deepest + 1 {
		s.starts[d+1] += s.starts[d]
	}
	s.levels = zeros(s.levels, n)
	next := slices.Clone(s.starts)
	for i, d := range s.depth {
		s.levels[next[d]] = int32(i)
		next[d]++
	}
}

// sortLevel sorts the nodes of a level by their tags and ranks them.
func (s *sorting) sortLevel(t *trees, level []int32) {
	slices.SortFunc(level, func(a, b int32) int { return cmp.Or(s.compare(t, a, b), cmp.Compare(a, b)) })
	for j, i := range level {
		if j > 0 && s.compare(t, level[j-1], i) == 0 {
			s.rank[i] = s.rank[level[j-1]]
		} else {
			s.rank[i] = int32(j)
		}
	}
}

func (s *sorting) compare(t *trees, a, b int32) int {
	if c := cmp.Compare(s.labels[t.label[a]], s.labels[t.label[b]]); c != 0 {
		return c
	}
	left, right := s.children(a), s.children(b)
	for j := range min(len(left), len(right)) {
		if c := cmp.Compare(s.rank[left[j]], s.rank[right[j]]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(left), len(right))
}

func (s *sorting) children(i int32) []int32 { return s.kids[s.kidsAt[i] : s.kidsAt[i]+s.kidsNum[i]] }

// rearrange writes the nodes in the preorder of sorted children. Roots keep their order.
func (s *sorting) rearrange(t *trees) {
	s.old, *t = *t, s.old
	old := &s.old
	n := old.len()
	t.label, t.end, t.parent = zeros(t.label, n), zeros(t.end, n), zeros(t.parent, n)
	t.source, s.place = zeros(t.source, n), zeros(s.place, n)
	for _, i := range s.levels { // parents before children
		p := old.parent[i]
		to := i
		if p >= 0 {
			to = s.place[i]
		}
		t.label[to], t.source[to] = old.label[i], old.source[i]
		t.end[to] = to + old.end[i] - i
		t.parent[to] = -1
		if p >= 0 {
			t.parent[to] = s.place[p]
		}
		s.place[i] = to
		next := to + 1
		for _, c := range s.children(i) {
			s.place[c] = next
			next += old.end[c] - c
		}
	}
}

// zeros returns n zeros, in v's memory where that suffices.
func zeros[T int32 | float64](v []T, n int) []T {
	v = scratch.Resize(v, n)
	clear(v)
	return v
}
