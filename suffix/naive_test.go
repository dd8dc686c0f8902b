package suffix_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/suffix"
)

// ctx never ends.
var ctx = context.Background()

// The definitions, by brute force: what the tests compare with.

// naiveArray sorts the suffixes by comparing them.
func naiveArray[S suffix.Symbol](text []S) []int32 {
	sa := make([]int32, len(text))
	for i := range sa {
		sa[i] = int32(i)
	}
	slices.SortFunc(sa, func(i, j int32) int { return slices.Compare(text[i:], text[j:]) })
	return sa
}

// naiveLCP compares neighbours of sa; 0 matches nothing.
func naiveLCP[S suffix.Symbol](text []S, sa []int32, maxDepth int) []int32 {
	lcp := make([]int32, len(sa))
	for r := 1; r < len(sa); r++ {
		a, b := text[sa[r-1]:], text[sa[r]:]
		for l := 0; l < len(a) && l < len(b) && a[l] == b[l] && a[l] != 0 && (maxDepth == 0 || l < maxDepth); l++ {
			lcp[r]++
		}
	}
	return lcp
}

// letters is the byte string of symbols, as a key.
func letters[S suffix.Symbol](s []S) string {
	b := make([]byte, 0, 4*len(s))
	for _, c := range s {
		b = append(b, byte(c), byte(int32(c)>>8), byte(int32(c)>>16), byte(int32(c)>>24))
	}
	return string(b)
}

// occurrences lists where each substring without a 0, of length 1 to maxDepth, occurs.
func occurrences[S suffix.Symbol](text []S, maxDepth int) map[string][]int32 {
	at := map[string][]int32{}
	for i := range text {
		for j := i; j < len(text) && text[j] != 0 && (maxDepth == 0 || j-i < maxDepth); j++ {
			k := letters(text[i : j+1])
			at[k] = append(at[k], int32(i))
		}
	}
	return at
}

// naiveNodes keeps the substrings that are nodes of the tree: those that occur at
// least twice and are followed by two different things (an end differs from
// everything), or have length maxDepth.
func naiveNodes[S suffix.Symbol](text []S, at map[string][]int32, maxDepth int) map[string][]int32 {
	nodes := map[string][]int32{}
	for k, where := range at {
		if len(where) < 2 {
			continue
		}
		length := len(k) / 4
		branching := length == maxDepth
		first := text[int(where[0])+length]
		for _, p := range where {
			if next := text[int(p)+length]; next == 0 || next != first {
				branching = true
			}
		}
		if branching {
			nodes[k] = where
		}
	}
	return nodes
}

// docOf is the document of a position.
func docOf(ends []int32, p int32) int32 {
	d := int32(0)
	for ends[d] < p {
		d++
	}
	return d
}

// wantArray fails unless Array(text) sorts the suffixes.
func wantArray[S suffix.Symbol](t *testing.T, text []S, sigma int) []int32 {
	t.Helper()
	sa := must(suffix.Array(ctx, text, sigma))
	if want := naiveArray(text); !slices.Equal(sa, want) {
		t.Fatalf("text %v: suffix array %v, want %v", text, sa, want)
	}
	return sa
}

// wantSorted fails unless sa is the suffix array of text, in linear time: a
// permutation whose neighbours are in order by first symbol and then by the ranks of the rest.
func wantSorted[S suffix.Symbol](t *testing.T, text []S, sa []int32) {
	t.Helper()
	n := len(text)
	rank := make([]int, n+1)
	for i := range rank {
		rank[i] = -2
	}
	rank[n] = -1
	for r, p := range sa {
		if rank[p] != -2 {
			t.Fatalf("position %d twice", p)
		}
		rank[p] = r
	}
	for r := 1; r < len(sa); r++ {
		i, j := sa[r-1], sa[r]
		if cmp.Or(cmp.Compare(text[i], text[j]), cmp.Compare(rank[i+1], rank[j+1])) >= 0 {
			t.Fatalf("ranks %d and %d: suffixes at %d and %d out of order", r-1, r, i, j)
		}
	}
	if len(sa) != n {
		t.Fatalf("%d ranks for %d symbols", len(sa), n)
	}
}

// wantTree fails unless the tree is that of the text by definition.
func wantTree[S suffix.Symbol](t *testing.T, text *suffix.Text[S], maxDepth int) *suffix.Tree {
	t.Helper()
	tree := must(suffix.NewTree(ctx, text, maxDepth))
	fail := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("text %v maxDepth %d: %s", text.Symbols, maxDepth, fmt.Sprintf(format, args...))
	}
	wantInvariants(fail, text, tree)
	at := occurrences(text.Symbols, maxDepth)
	nodes := naiveNodes(text.Symbols, at, maxDepth)
	if tree.Len() != len(nodes)+1 {
		fail("%d nodes, want %d", tree.Len(), len(nodes)+1)
	}
	df := make([]int32, tree.Len())
	tree.DocFreq(df)
	half, dfHalf := tree.NumDocs/2, make([]int32, tree.Len())
	tree.DocFreqAmong(dfHalf, half, tree.NumDocs)
	weight, sums := make([]float64, tree.NumDocs), make([]float64, tree.Len())
	for d := range weight {
		weight[d] = float64(d*d + 1) // integers: sums are exact in any order
	}
	tree.SumDocs(sums, weight)
	for v := 1; v < tree.Len(); v++ {
		word := text.Symbols[tree.SA[tree.Lo[v]]:][:tree.Depth[v]]
		where, ok := nodes[letters(word)]
		if !ok {
			fail("node %d, string %v, is not branching", v, word)
		}
		under := slices.Clone(tree.SA[tree.Lo[v]:tree.Hi[v]])
		slices.Sort(under)
		if !slices.Equal(under, where) {
			fail("node %d, string %v: suffixes %v, want %v", v, word, under, where)
		}
		docs, sum := map[int32]bool{}, 0.0
		for _, p := range where {
			d := docOf(text.Ends, p)
			docs[d] = true
			sum += weight[d]
		}
		if sums[v] != sum {
			fail("node %d, string %v: its documents' weights sum to %v, want %v", v, word, sums[v], sum)
		}
		if int(df[v]) != len(docs) {
			fail("node %d, string %v: in %d documents, want %d", v, word, df[v], len(docs))
		}
		for d := range docs {
			if int(d) < half {
				delete(docs, d)
			}
		}
		if int(dfHalf[v]) != len(docs) {
			fail("node %d, string %v: in %d documents from %d on, want %d", v, word, dfHalf[v], half, len(docs))
		}
	}
	return tree
}

// wantInvariants checks what holds between the arrays of any tree.
func wantInvariants[S suffix.Symbol](fail func(string, ...any), text *suffix.Text[S], tree *suffix.Tree) {
	m, ranks := tree.Len(), tree.Ranks()
	count := 0
	for _, c := range text.Symbols {
		if c != 0 {
			count++
		}
	}
	if ranks != count || len(tree.Leaf) != ranks || len(tree.Docs) != ranks {
		fail("%d ranks, %d leaves, %d documents, want %d", ranks, len(tree.Leaf), len(tree.Docs), count)
	}
	if tree.Parent[0] != 0 || tree.Depth[0] != 0 || tree.Lo[0] != 0 || int(tree.Hi[0]) != ranks {
		fail("root: parent %d depth %d bounds %d, %d", tree.Parent[0], tree.Depth[0], tree.Lo[0], tree.Hi[0])
	}
	level := make([]int, m)
	for v := 1; v < m; v++ {
		p := tree.Parent[v]
		level[v] = level[p] + 1
		switch {
		case int(p) >= v || tree.Parent[v-1] > p || level[v-1] > level[v]:
			fail("node %d is not in level order", v)
		case tree.Depth[v] <= tree.Depth[p]:
			fail("node %d is no deeper than its parent %d", v, p)
		case tree.Lo[v] < tree.Lo[p] || tree.Hi[v] > tree.Hi[p] || tree.Hi[v]-tree.Lo[v] < 2:
			fail("node %d: bounds %d, %d under %d, %d", v, tree.Lo[v], tree.Hi[v], tree.Lo[p], tree.Hi[p])
		case level[v] == level[v-1] && tree.Lo[v] < tree.Hi[v-1]:
			fail("nodes %d and %d of one level overlap", v-1, v)
		}
	}
	deepest := make([]int32, ranks)
	for v := 0; v < m; v++ { // parents first
		for r := tree.Lo[v]; r < tree.Hi[v]; r++ {
			deepest[r] = int32(v)
		}
	}
	rest := make([]int32, ranks)
	text.RestTo(rest, tree.SA)
	for r, p := range tree.SA {
		if tree.Leaf[r] != deepest[r] {
			fail("rank %d: leaf of %d, want %d", r, tree.Leaf[r], deepest[r])
		}
		if want := docOf(text.Ends, p); tree.Docs[r] != want {
			fail("rank %d: document %d, want %d", r, tree.Docs[r], want)
		}
		n := int32(0)
		for text.Symbols[p+n] != 0 {
			n++
		}
		if rest[r] != n {
			fail("rank %d: %d symbols to the next break, want %d", r, rest[r], n)
		}
	}
}

// wantIndex fails unless links and edges are those of the text by definition.
func wantIndex[S suffix.Symbol](t *testing.T, text *suffix.Text[S], maxDepth int) *suffix.Index[S] {
	t.Helper()
	ix := must(suffix.NewIndex(ctx, text, maxDepth))
	tree := ix.Tree()
	ids := map[string]int32{}
	word := func(v int32) []S { return text.Symbols[tree.SA[tree.Lo[v]]:][:tree.Depth[v]] }
	for v := int32(1); v < int32(tree.Len()); v++ {
		ids[letters(word(v))] = v
	}
	if ix.Link(0) != 0 {
		t.Fatalf("link of the root is %d", ix.Link(0))
	}
	for v := int32(0); v < int32(tree.Len()); v++ {
		if v == 0 {
			continue
		}
		w, want := word(v)[1:], int32(0)
		for l := len(w); l > 0; l-- {
			if id, ok := ids[letters(w[:l])]; ok {
				want = id
				break
			}
		}
		if ix.Link(v) != want {
			t.Fatalf("text %v maxDepth %d: link of %v is %d, want %d",
				text.Symbols, maxDepth, word(v), ix.Link(v), want)
		}
		if int(tree.Depth[want]) != len(w) && len(w)+1 != maxDepth {
			t.Fatalf("text %v maxDepth %d: link of %v is not a node", text.Symbols, maxDepth, word(v))
		}
	}
	for p := range text.Symbols {
		want := slices.IndexFunc(text.Ends, func(end int32) bool { return int(end) >= p })
		if got := ix.DocAt(int32(p)); int(got) != want {
			t.Fatalf("text %v: position %d is in document %d, want %d", text.Symbols, p, got, want)
		}
	}
	return ix
}

// wantMatches feeds query in pieces of the given size and compares every match with the definition.
func wantMatches[S suffix.Symbol](t *testing.T, ix *suffix.Index[S], at map[string][]int32, query []S, piece int) {
	t.Helper()
	var got []suffix.Match
	visit := func(m suffix.Match) { got = append(got, m) }
	m := ix.NewMatcher()
	for i := 0; i < len(query); i += piece {
		m.Feed(query[i:min(i+piece, len(query))], visit)
	}
	m.Flush(visit)
	if len(got) != len(query) {
		t.Fatalf("text %v query %v: %d matches, want %d", ix.Text().Symbols, query, len(got), len(query))
	}
	for i, m := range got {
		want := 0
		for i+want < len(query) && query[i+want] != 0 && at[letters(query[i:i+want+1])] != nil {
			want++
		}
		if m.Start != i || int(m.Length) != want {
			t.Fatalf("text %v maxDepth %d query %v: match %d is %+v, want length %d",
				ix.Text().Symbols, ix.Tree().MaxDepth, query, i, m, want)
		}
		wantPlace(t, ix, query[i:i+want], m)
	}
}

// wantPlace checks that the node and the edge of a match are those of word.
func wantPlace[S suffix.Symbol](t *testing.T, ix *suffix.Index[S], word []S, m suffix.Match) {
	t.Helper()
	tree, text := ix.Tree(), ix.Text().Symbols
	spell := func(rank, length int32) []S { return text[tree.SA[rank]:][:length] }
	ok := tree.Depth[m.Node] <= m.Length
	switch {
	case !ok:
	case m.Length == 0:
		ok = m.Node == 0 && m.Below == 0
	case tree.Depth[m.Node] == m.Length:
		ok = m.Below == m.Node && slices.Equal(spell(tree.Lo[m.Node], m.Length), word)
	case m.Below >= 0:
		ok = tree.Parent[m.Below] == m.Node && tree.Depth[m.Below] > m.Length &&
			slices.Equal(spell(tree.Lo[m.Below], m.Length), word)
	default:
		ok = tree.Leaf[^m.Below] == m.Node && slices.Equal(spell(^m.Below, m.Length), word)
	}
	if m.Length > 0 {
		ok = ok && slices.Equal(text[m.Pos:][:m.Length], word) && (m.Below >= 0 || m.Pos == tree.SA[^m.Below])
	}
	if !ok {
		t.Fatalf("text %v maxDepth %d: match %+v is not the place of %v", text, tree.MaxDepth, m, word)
	}
}

// eachString calls f with every string of length n over the symbols lo … hi; f must not keep it.
func eachString(n int, lo, hi byte, f func([]byte)) {
	s := bytes.Repeat([]byte{lo}, n)
	for {
		f(s)
		i := n - 1
		for ; i >= 0 && s[i] == hi; i-- {
			s[i] = lo
		}
		if i < 0 {
			return
		}
		s[i]++
	}
}

// widen turns bytes into int32 symbols.
func widen(s []byte) []int32 {
	w := make([]int32, len(s))
	for i, c := range s {
		w[i] = int32(c)
	}
	return w
}

// textOf takes symbols with a final 0 added; every 0 that ends marks closes a document.
func textOf[S suffix.Symbol](symbols []S, sigma int, closes func(i int) bool) *suffix.Text[S] {
	text := &suffix.Text[S]{Symbols: append(slices.Clone(symbols), 0), Sigma: sigma}
	for i, c := range text.Symbols {
		if c == 0 && (i == len(symbols) || closes(i)) {
			text.Ends = append(text.Ends, int32(i))
		}
	}
	return text
}

// newText lays docs end to end.
func newText[S suffix.Symbol](docs [][]S, sigma int) (*suffix.Text[S], error) {
	b := suffix.NewBuilder[S](sigma)
	for i, d := range docs {
		if err := b.Append(d); err != nil {
			return nil, fmt.Errorf("document %d: %w", i, err)
		}
	}
	return b.Text()
}
