package treekernel

import (
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/rows"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// WL is the subtree kernel of Weisfeiler and Lehman on graphs (Shervashidze et al. 2011),
//
//	k(x, y) = Σ_t Σ_u #_{t,u}(x) #_{t,u}(y),   t = 0 … Rounds,
//
// where #_{t,u}(x) counts the vertices of x that after t rounds have the colour u: first their label, and in each round
// their colour so far with the multiset of those of their neighbours, and of the labels of the edges to them. Such a
// colour is a tree, the graph unfolded from the vertex t edges deep. A record is a graph in the notation of package
// graph; time is O(Rounds · edges · log), memory of training 12 bytes per distinct colour of each record.
type WL struct {
	Rounds int `json:"h" doc:"rounds, the number of edges from a vertex that its colour sees"`
}

// mostRounds bounds Rounds: colours of molecules and RNA are nearly all different after five.
const mostRounds = 50

// colourBytes is the memory of a vertex in a round, for its colour and the fragments it is made of.
const colourBytes = 100

// Check returns an error that names the parameter out of range.
func (k WL) Check() error {
	if k.Rounds < 0 || k.Rounds > mostRounds {
		return fmt.Errorf("wl: h = %d, want 0 to %d", k.Rounds, mostRounds)
	}
	return nil
}

// Traits says that records are graphs.
func (k WL) Traits() stringkernel.Traits {
	return stringkernel.Traits{CheckRecord: checkGraph, Compare: k.kernel().Compare}
}

// Eval returns k(x, y). A record that is not a graph has no features.
func (k WL) Eval(x, y []byte) float64 { return k.kernel().Eval(x, y) }

// SelfEval returns k(x, x).
func (k WL) SelfEval(x []byte) float64 { return k.kernel().SelfEval(x) }

// Gram indexes a corpus: time and memory are linear in its colours. The error is a [stringkernel.RecordError] of the
// first record that is not a graph.
func (k WL) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	return k.kernel().Gram(ctx, c)
}

// Merge folds support vectors into a weight per colour and output.
func (k WL) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	return k.kernel().Merge(ctx, sv, c)
}

// Restorer stores a weight per colour and output.
func (k WL) Restorer() stringkernel.Restorer { return stringkernel.RestorerOf(k.kernel()) }

func (k WL) kernel() rows.Kernel {
	return (&features{graphs: true,
		count: func(p *profile) { p.countColours(k.Rounds) },
		spread: func(p *profile, shares, nodes []float64) {
			for i, fragment := range p.nodes {
				nodes[i%len(nodes)] += shares[fragment]
			}
		},
		worth: func(shape) float64 { return 1 },
	}).kernel("wl", k)
}

// countColours finds the colours of all vertices, round by round. Contributions are those of the vertices that have
// the colours, so that fragments count as one node.
func (p *profile) countColours(rounds int) {
	g, n := p.graph, p.graph.len()
	if err := memory.Check(colourBytes * float64(1+rounds) * float64(n+len(g.Ends))); err != nil {
		p.excess = &stringkernel.IndexError{Letters: n, Err: err}
		return
	}
	p.nodes = zeros(p.nodes, (1+rounds)*n)
	for v := range n {
		p.nodes[v] = p.alone(g.label[v])
		p.count(p.nodes[v], 1)
	}
	g.start()
	for t := 1; t <= rounds; t++ {
		before, after := p.nodes[(t-1)*n:t*n], p.nodes[t*n:(t+1)*n]
		g.sortEnds()
		for v := range n {
			after[v] = p.colour(before, int32(v))
			p.count(after[v], 1)
		}
		g.refine()
	}
}

// colour returns the colour of a vertex after a round: its label with the colours around it before. An isolated vertex
// has one empty neighbour more after each round.
func (p *profile) colour(before []int32, v int32) int32 {
	g := p.graph
	around := g.around(v)
	if len(around) == 0 {
		return p.withCentre(before[v], labelMark|uint32(g.table.Add(nil)))
	}
	colour := p.alone(g.label[v])
	for _, i := range around {
		neighbour := before[g.Ends[i].Vertex]
		if label := g.Ends[i].Label; len(label) > 0 {
			neighbour = p.withCentre(p.alone(g.bonded(label)), uint32(neighbour))
		}
		colour = p.withCentre(colour, uint32(neighbour))
	}
	return colour
}

// withCentre adds a child, a label or a fragment, to a fragment whose contribution is that of one vertex.
func (p *profile) withCentre(fragment int32, child uint32) int32 {
	return p.fragment(uint64(fragment)<<32|uint64(child), 1)
}
