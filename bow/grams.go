package bow

import "github.com/seqsvm/seqsvm/internal/intern"

// grams walks the n-grams of a sequence of tokens and counts them. A term is its own node; the node of an n-gram is the
// number of its pair.
type grams struct {
	shortest, longest, skip int
	pairs                   *intern.Pairs
	open                    bool // new n-grams are added to pairs
	ids                     []int32

	level   []int32 // scratch for count
	path    []int   // positions of the tokens of the n-gram visited
	tallies []int32 // of all nodes, zero between texts
	touched []int32 // nodes of the text, in order of first occurrence
	counts  []int32 // of these
}

// count lists the n-grams of ids with their counts.
func (g *grams) count(ids []int32) {
	g.touched, g.counts = g.touched[:0], g.counts[:0]
	g.tally(ids)
	for _, node := range g.touched {
		g.counts = append(g.counts, g.tallies[node])
		g.tallies[node] = 0
	}
}

// tally counts the n-grams of ids. Without skips it goes length by length, so that successive look-ups are independent
// of each other.
func (g *grams) tally(ids []int32) {
	if g.skip > 0 {
		g.each(ids, g.add)
		return
	}
	g.level = append(g.level[:0], ids...) // the n-gram that begins at each position
	for length := 1; ; length++ {
		if length >= g.shortest {
			for _, node := range g.level {
				if node != intern.None {
					g.add(node)
				}
			}
		}
		if length >= min(g.longest, len(ids)) {
			return
		}
		g.lengthen(ids[length:])
	}
}

// lengthen replaces the n-gram at each position by the one with one more term.
func (g *grams) lengthen(next []int32) {
	g.level = g.level[:len(next)]
	for i, node := range g.level {
		if node != intern.None {
			g.level[i] = g.join(node, next[i])
		}
	}
}

func (g *grams) add(node int32) {
	if int(node) >= len(g.tallies) {
		g.tallies = append(g.tallies, make([]int32, max(int(node)+1-len(g.tallies), len(g.tallies)))...)
	}
	if g.tallies[node] == 0 {
		g.touched = append(g.touched, node)
	}
	g.tallies[node]++
}

// each calls visit for every n-gram that is in the tables, with the positions of its tokens in g.path. O(tokens ·
// lengths) without skips, times the number of ways to place them with skips.
func (g *grams) each(ids []int32, visit func(node int32)) {
	g.ids = ids
	for at, id := range ids {
		if id != intern.None {
			g.extend(id, at, g.skip, visit)
		}
	}
}

// extend visits the n-gram node, whose last token is at a position, and its extensions.
func (g *grams) extend(node int32, at, skips int, visit func(int32)) {
	g.path = append(g.path, at)
	if len(g.path) >= g.shortest {
		visit(node)
	}
	if len(g.path) < g.longest {
		for next := at + 1; next <= at+1+skips && next < len(g.ids); next++ {
			if longer := g.join(node, g.ids[next]); longer != intern.None {
				g.extend(longer, next, skips-(next-at-1), visit)
			}
		}
	}
	g.path = g.path[:len(g.path)-1]
}

func (g *grams) join(node, id int32) int32 {
	if id == intern.None {
		return id
	}
	return g.pairs.Number(intern.Pair(node, id), g.open)
}
