package graph

import (
	"bytes"
	"fmt"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/internal/plural"
)

// Graph is a parsed record. Its labels are valid as long as the record is.
type Graph struct {
	Labels [][]byte // of the vertices
	Start  []int32  // where the label of each vertex is in the record, from 0
	// The neighbours of vertex v, from 0, are Ends[First[v]] to Ends[First[v+1]−1], ascending; each edge is there
	// twice.
	First []int32
	Ends  []End
	edges []edge
	opens [256][]int32 // positions of open brackets
}

// End is the end of an edge, seen from the other one.
type End struct {
	Vertex int32  // from 0
	Label  []byte // of the edge; empty if it has none
}

type edge struct {
	from, to int32
	label    []byte
	offset   int // in the record
}

// Parse reads a record in O(length + vertices·log) time and memory of 60 bytes per edge; it reuses the memory of the
// graph. The error says at which byte, from 1, what was found and what was expected.
func (g *Graph) Parse(record []byte) error {
	g.Labels, g.Start, g.edges = g.Labels[:0], g.Start[:0], g.edges[:0]
	if len(record) > math.MaxInt32/2 {
		return fmt.Errorf("a record of %d bytes, want at most %d", len(record), math.MaxInt32/2)
	}
	var err error
	if split := bytes.IndexByte(record, ';'); split >= 0 {
		err = g.parseEdges(record, split)
	} else {
		err = g.parseStructure(record)
	}
	if err == nil {
		err = g.join()
	}
	if err != nil {
		g.Labels, g.Start, g.edges = g.Labels[:0], g.Start[:0], g.edges[:0]
		_ = g.join() // of no edges
	}
	return err
}

// at is an error about the byte at an offset.
func at(offset int, format string, args ...any) error {
	return fmt.Errorf("byte %d: %s", offset+1, fmt.Sprintf(format, args...))
}

// word returns the bounds of the first word of record[at:], an empty one at the end if there is none.
func word(record []byte, at int) (lo, hi int) {
	for at < len(record) && blank(record[at]) {
		at++
	}
	lo = at
	for at < len(record) && !blank(record[at]) {
		at++
	}
	return lo, at
}

func blank(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// parseEdges reads the form with a semicolon.
func (g *Graph) parseEdges(record []byte, split int) error {
	vertices := record[:split]
	for lo, hi := word(vertices, 0); lo < hi; lo, hi = word(vertices, hi) {
		if vertices[lo] == ':' {
			return at(lo, "the vertex %s, want a label that does not begin with a colon, as those of edges do",
				plural.Beginning(vertices[lo:hi]))
		}
		g.Labels, g.Start = append(g.Labels, vertices[lo:hi]), append(g.Start, int32(lo))
	}
	for lo, hi := word(record, split+1); lo < hi; lo, hi = word(record, hi) {
		e, ok := parseEdge(record[lo:hi])
		switch n := len(g.Labels); {
		case !ok:
			return at(lo, "%s, want an edge such as 1-2 or 1-2:double", plural.Beginning(record[lo:hi]))
		case int(e.from) >= n || int(e.to) >= n || e.from < 0 || e.to < 0:
			return at(lo, "the edge %s, want numbers from 1 to %d, that of the last vertex", plural.Beginning(record[lo:hi]), n)
		case e.from == e.to:
			return at(lo, "the edge %s of a vertex with itself, want two vertices", plural.Beginning(record[lo:hi]))
		}
		e.offset = lo
		g.edges = append(g.edges, e)
	}
	return nil
}

// parseEdge reads FROM-TO or FROM-TO:LABEL. Numbers too large for a record are −1.
func parseEdge(text []byte) (e edge, ok bool) {
	ends, label, labelled := bytes.Cut(text, []byte{':'})
	from, to, ok := bytes.Cut(ends, []byte{'-'})
	if !ok || labelled && len(label) == 0 {
		return e, false
	}
	e.label = label
	var first, second bool
	e.from, first = number(from)
	e.to, second = number(to)
	return e, first && second
}

// number reads a vertex's number and returns it from 0.
func number(digits []byte) (n int32, ok bool) {
	value := int64(0)
	for _, c := range digits {
		if c < '0' || c > '9' {
			return 0, false
		}
		value = min(10*value+int64(c-'0'), math.MaxInt32)
	}
	if value == math.MaxInt32 {
		value = 0 // no record has as many vertices
	}
	return int32(value) - 1, len(digits) > 0
}

// upper has each letter in upper case, every other byte as it is.
var upper = func() (bytes [256]byte) {
	for i := range bytes {
		bytes[i] = byte(i)
		if i >= 'a' && i <= 'z' {
			bytes[i] -= 'a' - 'A'
		}
	}
	return bytes
}()

var pair = []byte("pair")

// parseStructure reads a sequence and its structure.
func (g *Graph) parseStructure(record []byte) error {
	lo, hi := word(record, 0)
	from, to := word(record, hi)
	extra, end := word(record, to)
	switch {
	case lo == hi:
		return nil // a graph without vertices
	case from == to:
		return at(from, "unexpected end, want a semicolon between vertices and edges, or a structure after a sequence")
	case extra < end:
		return at(extra, "%s after a sequence and its structure, want the end; or a semicolon between vertices and edges",
			plural.Beginning(record[extra:end]))
	case to-from != hi-lo:
		return at(from, "a structure of %d positions for a sequence of %d letters; or a semicolon is missing between "+
			"vertices and edges", to-from, hi-lo)
	}
	for i := lo; i < hi; i++ {
		c := upper[record[i]]
		if c < 'A' || c > 'Z' {
			return at(i, "%q in a sequence, want letters", record[i])
		}
		g.Labels, g.Start = append(g.Labels, upper[c:c+1:c+1]), append(g.Start, int32(i))
		if i > lo {
			g.edges = append(g.edges, edge{int32(i - lo - 1), int32(i - lo), nil, i})
		}
	}
	return g.parsePairs(record[from:to], from)
}

// opening is the bracket that each closing one closes, 0 for other bytes.
var opening = func() (of [256]byte) {
	of[')'], of[']'], of['}'], of['>'] = '(', '[', '{', '<'
	for c := byte('a'); c <= 'z'; c++ {
		of[c] = upper[c]
	}
	return of
}()

// parsePairs adds the pairs of a structure, which begins at an offset of the record.
func (g *Graph) parsePairs(structure []byte, offset int) error {
	for c := range g.opens {
		g.opens[c] = g.opens[c][:0]
	}
	for i, c := range structure {
		switch {
		case bytes.IndexByte([]byte(".,:_-~"), c) >= 0:
		case opening[c] != 0:
			stack := &g.opens[opening[c]]
			if len(*stack) == 0 {
				return at(offset+i, "%c without its opening %c", c, opening[c])
			}
			last := (*stack)[len(*stack)-1]
			*stack = (*stack)[:len(*stack)-1]
			if int(last) == i-1 {
				return at(offset+i, "a pair of neighbours, want an unpaired base between them")
			}
			g.edges = append(g.edges, edge{last, int32(i), pair, offset + i})
		case c != 0 && slices.Contains(opening[:], c):
			g.opens[c] = append(g.opens[c], int32(i))
		default:
			return at(offset+i, "%q in a structure, want dots and brackets", c)
		}
	}
	for c, stack := range g.opens {
		if len(stack) > 0 {
			return at(offset+int(stack[len(stack)-1]), "%c is not closed", c)
		}
	}
	return nil
}

// join lists the neighbours of each vertex. An edge that is there twice is an error.
func (g *Graph) join() error {
	n := len(g.Labels)
	g.First = append(g.First[:0], make([]int32, n+1)...)
	for _, e := range g.edges {
		g.First[e.from]++
		g.First[e.to]++
	}
	sum := int32(0)
	for v, degree := range g.First {
		sum += degree
		g.First[v] = sum // where the vertex ends, until its edges are placed from there back
	}
	g.Ends = slices.Grow(g.Ends[:0], int(sum))[:sum]
	for _, e := range g.edges {
		g.First[e.from]--
		g.Ends[g.First[e.from]] = End{e.to, e.label}
		g.First[e.to]--
		g.Ends[g.First[e.to]] = End{e.from, e.label}
	}
	for v := range n {
		ends := g.Ends[g.First[v]:g.First[v+1]]
		slices.SortFunc(ends, func(a, b End) int { return int(a.Vertex) - int(b.Vertex) })
		for i := 1; i < len(ends); i++ {
			if ends[i].Vertex == ends[i-1].Vertex {
				return g.twice(int32(v), ends[i].Vertex)
			}
		}
	}
	return nil
}

// twice is the error about the second edge between two vertices.
func (g *Graph) twice(a, b int32) error {
	found := false
	for _, e := range g.edges {
		if e.from == a && e.to == b || e.from == b && e.to == a {
			if found {
				return at(e.offset, "a second edge between the vertices %d and %d, want one", e.from+1, e.to+1)
			}
			found = true
		}
	}
	panic("graph: an edge is there once")
}
