package suffix_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/suffix"
)

// brokenText draws documents of few letters, with breaks, some of them empty or equal.
func brokenText(rng *rand.Rand, sigma, docs, longest int) *suffix.Text[uint8] {
	lists := make([][]uint8, docs)
	for d := range lists {
		if d > 0 && rng.IntN(4) == 0 {
			lists[d] = lists[rng.IntN(d)]
			continue
		}
		for range rng.IntN(longest + 1) {
			x := uint8(rng.IntN(sigma))
			if x == 0 && rng.IntN(3) > 0 {
				x = 1
			}
			lists[d] = append(lists[d], x)
		}
	}
	return must(newText(lists, sigma))
}

// TestCompactByDefinition compares with all substrings of small texts.
func TestCompactByDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 400 {
		sigma, depth, least := 2+rng.IntN(4), []int{0, 0, 1, 2, 5}[rng.IntN(5)], 2+rng.IntN(5)
		if rng.IntN(5) == 0 {
			sigma = 30 + rng.IntN(227)
		}
		text := brokenText(rng, sigma, 1+rng.IntN(6), 30)
		c := must(suffix.NewStored(ctx, must(suffix.NewCompact(ctx, text, depth, least)).Stored))
		at := occurrences(text.Symbols, depth)
		for _, query := range [][]uint8{text.Symbols, brokenText(rng, sigma+1, 3, 20).Symbols} {
			wantCompactMatches(t, c, at, query)
		}
		wantSums(t, c, text, depth)
		wantParts(t, c.Text(), text)
	}
}

// wantCompactMatches compares the matches of a query, and the nodes above them, with the occurrences of substrings.
func wantCompactMatches(t *testing.T, c *suffix.Compact, at map[string][]int32, query []uint8) {
	t.Helper()
	var got []int
	for m := c.Begin(query); c.Next(&m); {
		start, length, span := m.Match()
		word := query[start:][:length]
		if found := len(at[letters(word)]); found != span.Len() || found == 0 {
			t.Fatalf("%v occurs %d times, found %d times", word, found, span.Len())
		}
		if start+len(word) < len(query) && len(at[letters(query[start:][:length+1])]) > 0 {
			t.Fatalf("%v is not the longest match of %v", word, query[start:])
		}
		depth, above := int(length)-1, 0
		for ; depth > 0; depth-- {
			if above = len(at[letters(word[:depth])]); above > span.Len() {
				break
			}
		}
		if depth == 0 {
			above = c.Ranks()
		}
		if up, found := c.Up(&m); int(found) != depth || up.Len() != above || up.Lo > span.Lo || up.Hi < span.Hi {
			t.Fatalf("above %v in %v: %v at depth %d, want %d ranks at depth %d", word, span, up, found, above, depth)
		}
		got = append(got, start)
	}
	var want []int
	for i := len(query) - 1; i >= 0; i-- {
		if len(at[letters(query[i:i+1])]) > 0 {
			want = append(want, i)
		}
	}
	if !slices.Equal(got, want) {
		t.Fatalf("matches at %v, want %v", got, want)
	}
}

// wantSums compares the nodes with those of the Tree, whole numbers being their documents' weights.
func wantSums(t *testing.T, c *suffix.Compact, text *suffix.Text[uint8], depth int) {
	t.Helper()
	tree := must(suffix.NewTree(ctx, text, depth))
	weight, sums := make([]float64, text.NumDocs()), make([]float64, tree.Len())
	for d := range weight {
		weight[d] = float64(d*d + 1)
	}
	tree.SumDocs(sums, weight)
	number := func(v int32) int32 {
		if v == 0 || tree.Depth[v] == 0 {
			return -1
		}
		return c.Number(suffix.Span{tree.Lo[v], tree.Hi[v]})
	}
	want, wantNodes := map[int32]float64{}, map[int32]suffix.Node{}
	for v := int32(1); int(v) < tree.Len(); v++ {
		if int(tree.Hi[v]-tree.Lo[v]) >= c.Least {
			n := number(v)
			if _, taken := want[n]; taken || n < 0 || int(n) >= c.Numbers() {
				t.Fatalf("node %d has number %d of %d, or another has", v, n, c.Numbers())
			}
			want[n] = sums[v]
			wantNodes[n] = suffix.Node{n, number(tree.Parent[v]), tree.Depth[tree.Parent[v]]}
		} else if n := number(v); n != -1 {
			t.Fatalf("small node %d has number %d", v, n)
		}
	}
	first, freqs := text.NumDocs()/2, make([]int32, tree.Len())
	tree.DocFreqAmong(freqs, first, text.NumDocs())
	found := map[int32]float64{}
	c.DocFreqs(ctx, first, func(n int32, docs float64) { found[n] = docs })
	for v := int32(1); int(v) < tree.Len(); v++ {
		span := suffix.Span{tree.Lo[v], tree.Hi[v]}
		docs, known := found[number(v)]
		if !known && span.Len() < 100 {
			docs = float64(c.CountDocs(span, first))
		}
		if int32(docs) != freqs[v] {
			t.Fatalf("%v documents at node %d, want %d", docs, v, freqs[v])
		}
	}
	met := map[int32]bool{}
	c.SumDocs(ctx, weight, func(n int32, sum float64) {
		if w, known := want[n]; !known || w != sum {
			t.Fatalf("sum of number %d is %v, want %v", n, sum, w)
		}
		delete(want, n)
	}, func(v suffix.Node) {
		if wantNodes[v.Number] != v || v.Parent >= 0 && !met[v.Parent] {
			t.Fatalf("node %+v, want %+v after the one above", v, wantNodes[v.Number])
		}
		met[v.Number] = true
	})
	if len(want) > 0 || len(met) != len(wantNodes) {
		t.Fatalf("%d sums and %d nodes are missing", len(want), len(wantNodes)-len(met))
	}
}

func symbolsOf(text *suffix.Text[uint8], d int) []uint8 {
	start := int32(0)
	if d > 0 {
		start = text.Ends[d-1] + 1
	}
	return text.Symbols[start:text.Ends[d]]
}

// wantParts compares the parts of documents between breaks, in any order.
func wantParts(t *testing.T, got, want *suffix.Text[uint8]) {
	t.Helper()
	if err := got.Check(); err != nil || got.NumDocs() != want.NumDocs() {
		t.Fatalf("%d documents, want %d: %v", got.NumDocs(), want.NumDocs(), err)
	}
	parts := func(text *suffix.Text[uint8], d int) [][]uint8 {
		list := slices.DeleteFunc(bytes.Split(symbolsOf(text, d), []byte{0}), func(x []byte) bool { return len(x) == 0 })
		slices.SortFunc(list, bytes.Compare)
		return list
	}
	for d := range want.NumDocs() {
		if !slices.EqualFunc(parts(got, d), parts(want, d), bytes.Equal) {
			t.Fatalf("document %d is %v, want %v", d, symbolsOf(got, d), symbolsOf(want, d))
		}
	}
}

// TestCompactOfManyRanks passes the bounds of groups, blocks and levels of minima, with common prefixes and documents
// of one to three bytes.
func TestCompactOfManyRanks(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	run := bytes.Repeat([]uint8{1}, 3000)
	for _, docs := range [][][]uint8{{run, run[:2000]}, manyDocs(rng, 300, 40, 4), manyDocs(rng, 70000, 1, 3),
		manyDocs(rng, 3, 5000, 255)} {
		sigma := 2
		for _, doc := range docs {
			sigma = max(sigma, 1+int(slices.Max(doc)))
		}
		text := must(newText(docs, sigma))
		c := must(suffix.NewCompact(ctx, text, 0, 4))
		wantSums(t, c, text, 0)
		wantParts(t, c.Text(), text)
		ix := must(suffix.NewIndex(ctx, text, 0))
		query := append(bytes.Clone(text.Symbols[:min(4000, len(text.Symbols))]), docs[0]...)
		lengths := make([]int32, len(query))
		m := ix.NewMatcher()
		m.Feed(query, func(at suffix.Match) { lengths[at.Start] = at.Length })
		m.Flush(func(at suffix.Match) { lengths[at.Start] = at.Length })
		for m := c.Begin(query); c.Next(&m); {
			start, length, at := m.Match()
			if up, depth := c.Up(&m); length != lengths[start] || depth >= length || up.Len() < at.Len() {
				t.Fatalf("match of %d letters at %d, want %d; above %d", length, start, lengths[start], depth)
			}
			c.Fetch(&m)
		}
	}
}

func manyDocs(rng *rand.Rand, n, length, letters int) [][]uint8 {
	docs := make([][]uint8, n)
	for d := range docs {
		docs[d] = make([]uint8, length)
		for i := range docs[d] {
			docs[d][i] = uint8(1 + rng.IntN(letters))
		}
	}
	return docs
}

// TestForgedCounts changes counts of symbols and of branches in a form whose blocks are checked in several runs: errors
// name the first block, wherever it is. With four letters and few documents a block is one group of 192 bytes: numbers
// of the letters, three words of symbols and one of branches, the number of branches.
func TestForgedCounts(t *testing.T) {
	const size, branches = 192, 4*4 + 3*8 + 8
	rng := rand.New(rand.NewPCG(17, 18))
	c := must(suffix.NewCompact(ctx, must(newText(manyDocs(rng, 4, 40_000, 4), 5)), 0, 8))
	blocks := len(c.Blocks) / size
	for _, block := range []int{1, 2, blocks / 2, blocks - 2} {
		for at, want := range map[int]string{0: "block %d: ", branches: "group %d: "} {
			s := c.Stored
			s.Blocks = bytes.Clone(s.Blocks)
			for b := block; b < blocks; b++ { // as if there were one more before
				s.Blocks[b*size+at]++
			}
			_, err := suffix.NewStored(ctx, s)
			if want = fmt.Sprintf(want, block); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("byte %d of block %d: error %v, want %q", at, block, err, want)
			}
		}
	}
}

// FuzzStored changes a stored form: the result is an error, or a Compact that comes to an end.
func FuzzStored(f *testing.F) {
	f.Add([]byte{}, uint8(0), uint16(0), uint8(0))
	f.Add([]byte{1, 2, 3, 0, 1, 2}, uint8(1), uint16(3), uint8(77))
	f.Add(bytes.Repeat([]byte{1, 1, 2}, 100), uint8(3), uint16(7), uint8(255))
	f.Add(bytes.Repeat([]byte{1, 1, 2}, 100), uint8(8), uint16(7), uint8(1))
	f.Fuzz(func(t *testing.T, letters []byte, which uint8, place uint16, value uint8) {
		text := textOf(slices.Clone(letters), 256, func(i int) bool { return i%50 == 49 || i == len(letters)-1 })
		c, err := suffix.NewCompact(ctx, text, int(which>>4), 2+int(which>>6))
		if err != nil {
			return
		}
		s := c.Stored
		switch s.Blocks, s.Starts = bytes.Clone(s.Blocks), slices.Clone(s.Starts); which & 7 {
		case 0:
			s.Starts[int(place)%len(s.Starts)] = int32(int8(value))
		case 1:
			s.NumDocs = int(value)
		case 2:
			s.MaxDepth = int(value)
		case 3:
			s.Least = int(value)
		default:
			s.Blocks[int(place)%len(s.Blocks)] ^= value
		}
		forged, err := suffix.NewStored(ctx, s)
		if err != nil {
			return
		}
		for m := forged.Begin(letters); forged.Next(&m); {
			forged.Up(&m)
			_, _, at := m.Match()
			for depth := int32(1); depth > 0; at, depth = forged.Parent(at) {
				if n := forged.Number(at); int(n) >= forged.Numbers() {
					t.Fatalf("number %d of %d", n, forged.Numbers())
				}
			}
		}
		forged.SumDocs(ctx, make([]float64, s.NumDocs), func(n int32, _ float64) {
			if n < 0 || int(n) >= forged.Numbers() {
				t.Fatalf("number %d of %d", n, forged.Numbers())
			}
		}, func(suffix.Node) {})
		if err := forged.Text().Check(); err != nil {
			t.Fatal(err)
		}
	})
}
