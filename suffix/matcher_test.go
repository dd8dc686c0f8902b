package suffix_test

import (
	"bytes"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/seqsvm/seqsvm/suffix"
)

// TestTreeRandom: letters drawn from few or many, queries that are pieces of the text with changes, breaks and unknown
// letters; small and large alphabets.
func TestTreeRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for round := range 100 {
		sigma := []int{2, 3, 5, 33, 200}[round%5]
		text := randomText(rng, 1+rng.IntN(12), 1+rng.IntN(40), sigma)
		maxDepth := []int{0, 0, 1, 4, 9}[rng.IntN(5)]
		wide := &suffix.Text[int32]{widen(text.Symbols), text.Ends, sigma + 100000}
		some, others := mutatedPieces(rng, text.Symbols, 150, sigma), mutatedPieces(rng, text.Symbols, 150, sigma)
		wantAll(t, text, maxDepth, some, others)
		wantAll(t, wide, maxDepth, widen(others))
	}
}

// mutatedPieces strings together pieces of s, some with changed or unknown letters.
func mutatedPieces(rng *rand.Rand, s []byte, n, sigma int) []byte {
	var q []byte
	for len(q) < n {
		i := rng.IntN(len(s))
		q = append(q, s[i:min(len(s), i+1+rng.IntN(30))]...)
		if rng.IntN(2) == 0 {
			q[rng.IntN(len(q))] = byte(rng.IntN(min(256, sigma+2)))
		}
	}
	return q
}

// TestMatcherWide uses symbols far apart and nodes of many edges.
func TestMatcherWide(t *testing.T) {
	const sigma = 1 << 20
	rng := rand.New(rand.NewPCG(17, 18))
	docs := make([][]int32, 20)
	for d := range docs {
		for range 30 {
			docs[d] = append(docs[d], int32(rng.IntN(60))*17000+1)
		}
	}
	text := must(newText(docs, sigma))
	for _, maxDepth := range []int{0, 2} {
		query := slices.Concat(docs[3][5:25], []int32{sigma, -5, 1 << 30}, docs[1], []int32{17, 0}, docs[7][:9])
		wantAll(t, text, maxDepth, query)
	}
}

func TestMatcherReuse(t *testing.T) {
	text := textOf([]byte{1, 2, 1, 2, 2, 0, 2, 1, 1}, 3, always)
	ix := must(suffix.NewIndex(ctx, text, 0))
	query := []byte{2, 1, 2, 2, 1, 1, 0, 1}
	collect := func(m *suffix.Matcher[byte]) (all []suffix.Match) {
		m.Feed(query, func(x suffix.Match) { all = append(all, x) })
		m.Flush(func(x suffix.Match) { all = append(all, x) })
		return all
	}
	m := ix.NewMatcher()
	want := collect(m)
	if again := collect(m); !slices.Equal(again, want) {
		t.Errorf("after Flush: %v, want %v", again, want)
	}
	sum := 0
	visit := func(x suffix.Match) { sum += int(x.Length) }
	if n := testing.AllocsPerRun(10, func() { m.Feed(query, visit); m.Flush(visit) }); n != 0 {
		t.Errorf("%g allocations per query, want 0", n)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				if got := collect(ix.NewMatcher()); !slices.Equal(got, want) {
					t.Errorf("concurrently: %v, want %v", got, want)
				}
			}
		})
	}
	wg.Wait()
}

// FuzzAgainstDefinition: any bytes are a text and a query over a few letters.
func FuzzAgainstDefinition(f *testing.F) {
	f.Add([]byte("banana"), []byte("ananas"), 0)
	f.Add([]byte("\x00\x01\x01\x00\x00\x02"), []byte("\x01\x02\x01"), 2)
	f.Add([]byte{}, []byte{}, 1)
	f.Fuzz(func(t *testing.T, s, q []byte, maxDepth int) {
		if len(s) > 80 || len(q) > 80 || maxDepth < 0 {
			return
		}
		s, q = slices.Clone(s), slices.Clone(q)
		for i := range s {
			s[i] %= 5
		}
		for i := range q {
			q[i] %= 6
		}
		wantArray(t, s, 5)
		wantAll(t, textOf(s, 5, func(i int) bool { return i%3 > 0 }), maxDepth, q, q)
	})
}

// The links of a level with many nodes: each is the string without its first symbol, on any number of processors.
func TestLinksOfManyNodes(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	text := benchText(dnaText(60_000), 5)
	ix := must(suffix.NewIndex(ctx, text, 0))
	tree := ix.Tree()
	for v := int32(1); v < int32(tree.Len()); v++ {
		u, depth := ix.Link(v), tree.Depth[v]-1
		a, b := tree.SA[tree.Lo[v]]+1, tree.SA[tree.Lo[u]]
		if tree.Depth[u] != depth || !bytes.Equal(text.Symbols[a:a+depth], text.Symbols[b:b+depth]) {
			t.Fatalf("node %d of depth %d has the link %d of depth %d", v, tree.Depth[v], u, tree.Depth[u])
		}
	}
}
