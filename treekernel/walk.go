package treekernel

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/internal/elementary"
	"github.com/seqsvm/seqsvm/internal/rows"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Walk is the kernel of common walks on graphs (Gärtner, Flach & Wrobel 2003), those of bounded length,
//
//	k(x, y) = Σ_s λ^|s| #_s(x) #_s(y),
//
// where s is the labels of the vertices and edges of a walk of |s| = 0 … Length edges, and #_s(x) counts the walks of x
// with these labels, each from both of its ends. A walk may go back. A record is a graph in the notation of package
// graph. Time and memory are O(edges · Length · s) for s different walks that end at a vertex: a few on RNA and
// molecules, which have few labels. A record with more than 4,194,304 in all is an error.
type Walk struct {
	Length int     `json:"length" doc:"edges of the longest walks, 0…16"`
	Lambda float64 `json:"lambda" doc:"λ, the factor per edge, above 0 and at most 1"`
}

// mostWalkLength bounds Length, so that squares of numbers of walks stay finite.
const mostWalkLength = 16

// Check returns an error that names the first parameter out of range.
func (k Walk) Check() error {
	var err error
	if k.Length < 0 || k.Length > mostWalkLength {
		err = fmt.Errorf("length = %d, want 0 to %d", k.Length, mostWalkLength)
	}
	return named("walk", cmp.Or(err, checkDecay("lambda", k.Lambda)))
}

// Traits says that records are graphs.
func (k Walk) Traits() stringkernel.Traits {
	return stringkernel.Traits{CheckRecord: checkGraph, Compare: k.kernel().Compare}
}

// Eval returns k(x, y). A record that is not a graph, or has too many walks, has no features.
func (k Walk) Eval(x, y []byte) float64 { return k.kernel().Eval(x, y) }

// SelfEval returns k(x, x).
func (k Walk) SelfEval(x []byte) float64 { return k.kernel().SelfEval(x) }

// Gram indexes a corpus: time and memory are linear in its walks. The error is a [stringkernel.RecordError] of the
// first record that is not a graph or has too many walks.
func (k Walk) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	return k.kernel().Gram(ctx, c)
}

// Merge folds support vectors into a weight per walk and output.
func (k Walk) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	return k.kernel().Merge(ctx, sv, c)
}

// Restorer stores a weight per walk and output.
func (k Walk) Restorer() stringkernel.Restorer { return stringkernel.RestorerOf(k.kernel()) }

func (k Walk) kernel() rows.Kernel {
	root := math.Sqrt(k.Lambda)
	return (&features{graphs: true,
		count: func(p *profile) { p.countWalks(k.Length, root) },
		spread: func(p *profile, shares, nodes []float64) {
			for i, s := range p.walks.list {
				nodes[p.walks.end[i]] += float64(shares[s.fragment] * s.value(root))
			}
		},
		worth: func(s shape) float64 { return elementary.Power(root, s.nodes-1) },
	}).kernel("walk", k)
}

// walks is the walks of a graph with their numbers, those of a length after the shorter ones.
type walks struct {
	list []walkTo
	end  []int32 // the vertex where each ends
	at   []int32 // of each fragment, its last place in the list
}

// walkTo is the walks to a vertex that have the same labels.
type walkTo struct {
	fragment, length int32
	number           float64
}

// value returns φ of the walks.
func (w walkTo) value(root float64) float64 {
	return float64(w.number * elementary.Power(root, w.length))
}

// mostWalks bounds the list of a record.
const mostWalks = 1 << 22

// countWalks counts walks from the shortest to the longest: those to a vertex are those to its neighbours with one more
// edge. Contributions are those of the vertices where walks end, so that fragments count as one node.
func (p *profile) countWalks(length int, root float64) {
	g, w := p.graph, &p.walks
	w.list, w.end = w.list[:0], w.end[:0]
	steps := make([]int32, len(g.Ends)) // labels of edge and vertex of each step from a neighbour
	last := make([]span, len(g.Labels)) // of the walks to each vertex that are one edge shorter
	for v, label := range g.label {
		w.list, w.end = append(w.list, walkTo{p.alone(label), 0, 1}), append(w.end, int32(v))
		last[v] = span{int32(v), int32(v) + 1}
		for i := g.First[v]; i < g.First[v+1]; i++ {
			steps[i] = g.step(i, int32(v))
		}
	}
	for edges := range int32(length) {
		next := make([]span, len(g.Labels))
		for v := range g.label {
			lo := len(w.list)
			for i := g.First[v]; i < g.First[v+1]; i++ {
				from := last[g.Ends[i].Vertex]
				for _, s := range w.list[from.lo:from.hi] {
					fragment := p.withCentre(s.fragment, labelMark|uint32(steps[i]))
					w.join(lo, int32(v), walkTo{fragment, edges + 1, s.number})
				}
				if len(w.list) > mostWalks {
					p.excess = fmt.Errorf("more than %d walks with different labels, want a smaller length", mostWalks)
					w.list, w.end = w.list[:0], w.end[:0]
					return
				}
			}
			next[v] = span{int32(lo), int32(len(w.list))}
		}
		last = next
	}
	for _, s := range w.list {
		p.values[s.fragment] += s.value(root)
		p.counts[s.fragment] = int32(min(float64(p.counts[s.fragment])+s.number, math.MaxInt32))
	}
}

// join adds walks to a vertex, whose list begins at lo, to those with the same labels.
func (w *walks) join(lo int, v int32, s walkTo) {
	for len(w.at) <= int(s.fragment) {
		w.at = append(w.at, 0)
	}
	if i := int(w.at[s.fragment]); i >= lo && i < len(w.list) && w.list[i].fragment == s.fragment {
		w.list[i].number += s.number
		return
	}
	w.at[s.fragment] = int32(len(w.list))
	w.list, w.end = append(w.list, s), append(w.end, v)
}
