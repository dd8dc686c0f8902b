package suffix

// Match is the longest match of a query from one start: its longest prefix there
// that occurs in the indexed text (without a separator or break in it, and of at most MaxDepth
// symbols).
type Match struct {
	Start  int   // 0-based position in the whole stream of queries since the last Flush
	Length int32 // number of symbols, possibly 0
	Node   int32 // deepest node at or above the end of the match: Depth[Node] ≤ Length
	// where the match ends: Node itself if Length = Depth[Node]; else the target of the edge on which it ends, a node
	// or ^rank of a leaf
	Below int32
	// 0-based position in the text of an occurrence, the leaf's own on the edge of a leaf; nothing if Length = 0
	Pos int32
}

// Matcher computes matching statistics: the longest match from every start of a
// query that arrives in pieces,
//
//	W. I. Chang & E. L. Lawler, "Sublinear approximate string matching and
//	biological applications", Algorithmica 12 (1994) 327–344,
//	doi:10.1007/BF01185431.
//
// The match of a start is extended symbol by symbol. When it ends, that of the
// next start is at least one shorter: a suffix link leads near its end and the few edges to
// it are skipped by their first symbols. Amortised O(1) steps per symbol, for
// alphabets of bounded size (O(log sigma) otherwise); no allocation.
//
// A Matcher belongs to one goroutine; make as many of an Index as needed.
type Matcher[S Symbol] struct {
	ix    *Index[S]
	start int // of the match being extended, in the stream
	at    place
}

// place is a string of the tree: the path to it ends at a node (below = node) or on
// the edge from node to below.
type place struct {
	length int32 // of the string
	node   int32 // deepest node at or above
	below  int32 // node, or the target of the edge
	pos    int32 // position in the text of an occurrence, of the whole edge if on one
	end    int32 // length at which the edge ends (below = node: the same as length)
}

// NewMatcher returns a matcher at the start of an empty stream.
func (ix *Index[S]) NewMatcher() *Matcher[S] { return &Matcher[S]{ix: ix} }

// Feed continues the stream with query and calls visit for every start whose match
// has come to its end, in order. A symbol that is 0 or not below the text's Sigma
// ends all matches before it and has a match of length 0 itself. The
// same stream in other pieces gives the same matches.
func (m *Matcher[S]) Feed(query []S, visit func(Match)) {
	ix := m.ix
	sigma, leafEnd := uint(ix.text.Sigma), ix.leafEnd()
	for i := 0; i < len(query); {
		c := query[i]
		if c != 0 && uint(c) < sigma && ix.extend(&m.at, c, leafEnd) {
			i++
			continue
		}
		visit(Match{m.start, m.at.length, m.at.node, m.at.below, m.at.pos})
		m.start++
		if m.at.length == 0 {
			i++
			continue
		}
		m.at = ix.dropFirst(m.at, leafEnd)
	}
}

// extend appends c, a letter, to the string at; if it then occurs nowhere, at stays and the
// result is false.
func (ix *Index[S]) extend(at *place, c S, leafEnd int32) bool {
	if at.below != at.node {
		if at.length == at.end || ix.text.Symbols[at.pos+at.length] != c {
			return false
		}
		at.length++
		if at.length == at.end && at.below >= 0 {
			at.node = at.below
		}
		return true
	}
	e := ix.child(at.node, c)
	if e < 0 {
		return false
	}
	at.length++
	at.below, at.pos, at.end = ix.edges[e].target, ix.edges[e].pos, leafEnd
	if at.below >= 0 {
		if at.end = ix.nodes[at.below].depth; at.end == at.length {
			at.node = at.below
		}
	}
	return true
}

// Flush ends the stream: it calls visit for the starts whose matches reach the end,
// in order, and resets the matcher.
func (m *Matcher[S]) Flush(visit func(Match)) {
	leafEnd := m.ix.leafEnd()
	for m.at.length > 0 {
		visit(Match{m.start, m.at.length, m.at.node, m.at.below, m.at.pos})
		m.start++
		m.at = m.ix.dropFirst(m.at, leafEnd)
	}
	m.start, m.at = 0, place{}
}

// dropFirst returns the place of the string at, which is not empty, without its
// first symbol. If that string occurs only once as well, it is on the edge of the leaf at the
// next position; else it is below the node's suffix link, by the edges whose first symbols it spells.
func (ix *Index[S]) dropFirst(at place, leafEnd int32) place {
	at.length--
	at.pos++
	if at.below < 0 && at.length > 0 {
		r := ix.ranks[at.pos]
		if v := ix.tree.Leaf[r]; ix.nodes[v].depth < at.length {
			at.node, at.below = v, ^r
			return at
		}
	}
	v := ix.nodes[at.node].link
	depth := ix.nodes[v].depth
	at.below, at.end = v, depth
	for depth < at.length {
		e := ix.edges[ix.child(v, ix.text.Symbols[at.pos+depth])]
		at.below, at.end = e.target, leafEnd
		if e.target >= 0 {
			at.end = ix.nodes[e.target].depth
		}
		if e.target < 0 || at.end > at.length {
			at.pos = e.pos
			break
		}
		v, depth = e.target, at.end
	}
	at.node = v
	return at
}
