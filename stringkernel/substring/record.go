package substring

import (
	"cmp"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/internal/strongest"
	"github.com/seqsvm/seqsvm/internal/subset"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/suffix"
)

// stretch is substrings of a sequence x that begin at the same places of it and of the support vectors: those of
// lengths from < l ≤ to at x[start:], where start is their first place in x. The strings on an edge of the index are
// one stretch, or several if matches of x end on the edge.
type stretch struct {
	end    place
	from   int32
	start  int
	count  int     // occurrences in x
	found  int32   // occurrences in the support vectors
	omega  float64 // Ω_to − Ω_from
	longer int     // the stretch of the same strings with the letter that always precedes them; −1 if there is none
}

// place is where strings of a length end in the index: at a node or, before its depth, on the edge to it; or on the
// edge to the leaf ^edge.
type place struct {
	edge, length int32
}

// FeaturesOf lists classes of substrings of x that occur at the same places, in x and in the support vectors, each
// under its longest string: see TopFeatures. It takes the time of ExplainTo, and sorts the nodes passed.
func (s *scorer[S]) FeaturesOf(mix []float64, x []byte, n int) []stringkernel.Feature {
	matches := make([]suffix.Match, 0, len(x))
	s.match(x, func(at suffix.Match) { matches = append(matches, at) })
	list := s.stretches(matches)
	s.joinClasses(list, matches)
	moveToLongest(list)
	kept := strongest.NewList(min(n, len(list)))
	weights := make([]float64, len(list))
	for i := range list {
		t := &list[i]
		weights[i] = float64(s.slopeAt(t, matches, mix) * t.omega)
		if contribution := float64(weights[i] * float64(t.count)); contribution != 0 {
			kept.Offer(i, math.Abs(contribution))
		}
	}
	var features []stringkernel.Feature
	// Texts are made for these alone: those of all features may have the square of x's length together.
	for _, item := range kept.Items() {
		t, weight := &list[item.Number], weights[item.Number]
		features = append(features, stringkernel.Feature{
			Text: s.text(matches[t.start].Pos, t.end.length), Weight: weight, Support: s.supportAt(t, matches),
			Count: t.count, Contribution: float64(weight * float64(t.count)),
		})
	}
	return features
}

// stretches returns those of a sequence with the given matches, by edge and from the longest to the shortest.
func (s *scorer[S]) stretches(matches []suffix.Match) []stretch {
	var list []stretch
	number := map[place]int{}
	end := func(p place, start int) {
		at, known := number[p]
		if !known {
			at = len(list)
			number[p] = at
			list = append(list, stretch{end: p, start: start, longer: -1})
		}
		list[at].count++
	}
	for i, at := range matches {
		if at.Below != at.Node {
			end(place{at.Below, at.Length}, i)
		}
		for v := at.Node; v != 0; v = s.tree.Parent[v] {
			end(place{v, s.tree.Depth[v]}, i)
		}
	}
	slices.SortFunc(list, func(a, b stretch) int {
		return cmp.Or(cmp.Compare(a.end.edge, b.end.edge), cmp.Compare(b.end.length, a.end.length))
	})
	for i := range list {
		t := &list[i]
		above := int32(0)
		if t.found = 1; t.end.edge < 0 {
			above = s.tree.Leaf[^t.end.edge]
		} else {
			t.found, above = s.tree.Hi[t.end.edge]-s.tree.Lo[t.end.edge], s.tree.Parent[t.end.edge]
		}
		t.from = s.tree.Depth[above]
		if i+1 < len(list) && list[i+1].end.edge == t.end.edge {
			t.from = list[i+1].end.length
			list[i+1].count += t.count // what goes on along the edge has passed there
			list[i+1].start = min(list[i+1].start, t.start)
		}
		t.omega = s.weights.upTo(t.end.length) - s.weights.upTo(t.from)
	}
	return list
}

// joinClasses finds for each stretch the one with a letter in front, if that occurs as often in x and in the support
// vectors.
func (s *scorer[S]) joinClasses(list []stretch, matches []suffix.Match) {
	number := make(map[place]int, len(list))
	for i := range list {
		number[list[i].end] = i
	}
	for i := range list {
		t := &list[i]
		length := t.end.length + 1
		if t.start == 0 || matches[t.start-1].Length < length {
			continue
		}
		at, ends := number[place{s.edgeAt(matches[t.start-1], length), length}]
		if ends && list[at].count == t.count && list[at].found == t.found {
			t.longer = at
		}
	}
}

// moveToLongest gives the weight of each class to its longest stretch.
func moveToLongest(list []stretch) {
	order := subset.Whole(len(list))
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(list[a].end.length, list[b].end.length), cmp.Compare(a, b))
	})
	for _, i := range order {
		if t := &list[i]; t.longer >= 0 {
			list[t.longer].omega += t.omega
			t.omega = 0
		}
	}
}

// edgeAt returns the edge on which the first length letters of a match end.
func (s *scorer[S]) edgeAt(at suffix.Match, length int32) int32 {
	v := at.Below
	if v < 0 {
		if s.tree.Depth[at.Node] < length {
			return v
		}
		v = at.Node
	}
	for s.tree.Depth[s.tree.Parent[v]] >= length {
		v = s.tree.Parent[v]
	}
	return v
}

// slopeAt returns what a unit of length weight of a stretch adds to a mixture of outputs.
func (s *scorer[S]) slopeAt(t *stretch, matches []suffix.Match, mix []float64) float64 {
	if t.end.edge >= 0 {
		return s.slope(t.end.edge, mix)
	}
	return stringkernel.Mix(mix, s.leaf[int(s.index.DocAt(matches[t.start].Pos))*s.outputs:])
}

// supportAt returns the number of support vectors that hold the strings of a stretch.
func (s *scorer[S]) supportAt(t *stretch, matches []suffix.Match) int {
	if t.end.edge >= 0 {
		return int(s.supports()[t.end.edge])
	}
	if int(s.index.DocAt(matches[t.start].Pos)) < s.vectors {
		return 1
	}
	return 0
}
