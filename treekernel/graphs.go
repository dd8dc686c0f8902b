package treekernel

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/seqsvm/seqsvm/internal/intern"
	"github.com/seqsvm/seqsvm/treekernel/graph"
)

// graphs reads records as graphs. It is for one goroutine; the graph is valid until the next call.
type graphs struct {
	graph.Graph
	table *intern.Terms
	label []int32 // of each vertex, its number in the table
	text  []byte  // scratch

	// For rounds of unfolding:
	rank    []int32 // of each vertex among the unfoldings of all of the round before
	next    []int32
	bond    []int32 // of each end, the rank of its label among those of all edges
	sorted  []int32 // the ends of each vertex, as numbers in Ends, sorted by bond and rank
	byWorth []int32 // vertices by rank
}

func (g *graphs) len() int { return len(g.Labels) }

// read parses a record and numbers the labels of its vertices.
func (g *graphs) read(x []byte) error {
	g.label = g.label[:0]
	if err := g.Parse(x); err != nil {
		return notGraph(err)
	}
	for _, label := range g.Labels {
		g.label = append(g.label, g.table.Add(label))
	}
	return nil
}

func notGraph(err error) error { return fmt.Errorf("not a graph: %w", err) }

// checkGraph returns an error that says where x is not a graph, if so.
func checkGraph(x []byte) error {
	err := new(graph.Graph).Parse(x)
	switch {
	case err == nil:
		return nil
	case bytes.HasPrefix(x, []byte{'('}) && checkRecord(x) == nil:
		return errors.New("a tree in brackets, want a graph; tree=graph reads dot-bracket so")
	}
	return notGraph(err)
}

// spread distributes the contributions of vertices over the bytes of their labels.
func (g *graphs) spread(dst, nodes []float64) {
	for v, value := range nodes {
		lo, length := int(g.Start[v]), len(g.Labels[v])
		for at := range dst[lo : lo+length] {
			dst[lo+at] += value / float64(length)
		}
	}
}

// bonded numbers the label of an edge in the table. A colon before it keeps it apart from those of vertices.
func (g *graphs) bonded(edge []byte) int32 {
	g.text = append(append(g.text[:0], ':'), edge...)
	return g.table.Add(g.text)
}

// step numbers the labels of an edge and of the vertex v that a walk takes it to, together, as :EDGE VERTEX.
func (g *graphs) step(end, v int32) int32 {
	edge := g.Ends[end].Label
	if len(edge) == 0 {
		return g.label[v]
	}
	g.text = append(append(append(append(g.text[:0], ':'), edge...), ' '), g.Labels[v]...)
	return g.table.Add(g.text)
}

// start ranks vertices by their labels, and edges by theirs: byte for byte, so that ranks compare alike in all records.
func (g *graphs) start() {
	g.rank = rankBy(g.rank, len(g.Labels), &g.byWorth, func(a, b int32) int {
		return bytes.Compare(g.Labels[a], g.Labels[b])
	})
	g.bond = rankBy(g.bond, len(g.Ends), &g.sorted, func(a, b int32) int {
		return bytes.Compare(g.Ends[a].Label, g.Ends[b].Label)
	})
	for i := range g.sorted {
		g.sorted[i] = int32(i)
	}
}

// rankBy returns the ranks of 0 … n−1, equal ones for what compares equal.
func rankBy(rank []int32, n int, order *[]int32, compare func(a, b int32) int) []int32 {
	*order = (*order)[:0]
	for i := range n {
		*order = append(*order, int32(i))
	}
	slices.SortFunc(*order, compare)
	rank = append(rank[:0], *order...)
	last := int32(0)
	for i, item := range *order {
		if i > 0 && compare((*order)[i-1], item) != 0 {
			last++
		}
		rank[item] = last
	}
	return rank
}

// around returns the ends of a vertex.
func (g *graphs) around(v int32) []int32 { return g.sorted[g.First[v]:g.First[v+1]] }

// compareEnds compares ends by their edges' labels and by the unfoldings they lead to.
func (g *graphs) compareEnds(a, b int32) int {
	return cmp.Or(cmp.Compare(g.bond[a], g.bond[b]), cmp.Compare(g.rank[g.Ends[a].Vertex], g.rank[g.Ends[b].Vertex]))
}

// sortEnds sorts the ends of all vertices.
func (g *graphs) sortEnds() {
	for v := range int32(g.len()) {
		slices.SortFunc(g.around(v), g.compareEnds)
	}
}

// refine ranks vertices by their unfoldings with one more round. The ends are sorted.
func (g *graphs) refine() {
	g.next = rankBy(g.next, g.len(), &g.byWorth, func(a, b int32) int {
		return cmp.Or(cmp.Compare(g.rank[a], g.rank[b]), slices.CompareFunc(g.around(a), g.around(b), g.compareEnds))
	})
	g.rank, g.next = g.next, g.rank
}
