package suffix

import (
	"fmt"
	"index/suffixarray"
	"math/rand/v2"
	"testing"
)

// dnaText draws n symbols 1 … 4 from a Markov chain of order 3, a third of it
// being copies of earlier pieces with 5 % of the letters changed. No breaks.
func dnaText(n int) []byte {
	rng := rand.New(rand.NewPCG(19, 20))
	var chain [64][4]float64
	for i := range chain {
		sum := 0.0
		for j := range chain[i] {
			sum += 0.3 + rng.Float64()
			chain[i][j] = sum
		}
	}
	s := make([]byte, 0, n)
	context := 0
	for len(s) < n {
		if len(s) > 1000 && rng.IntN(600) == 0 {
			from := rng.IntN(len(s) - 400)
			for _, c := range s[from : from+300] {
				if rng.IntN(20) == 0 {
					c = byte(1 + rng.IntN(4))
				}
				s = append(s, c)
			}
			continue
		}
		x, c := rng.Float64()*chain[context][3], 0
		for x > chain[context][c] {
			c++
		}
		context = (context*4 + c) % 64
		s = append(s, byte(1+c))
	}
	return s[:n]
}

// proseText draws words of a made-up language by Zipf's law, some in set phrases, in bytes
// as in English text.
func proseText(n int) []byte {
	rng := rand.New(rand.NewPCG(21, 22))
	const vowels, consonants = "eaoiu", "tnshrdlcmfpgwybvk"
	words := make([]string, 20000)
	for i := range words {
		for range 1 + rng.IntN(2) + rng.IntN(3)*(i/(i+200)) + rng.IntN(2) {
			words[i] += consonants[rng.IntN(rng.IntN(len(consonants))+1):][:1] + vowels[rng.IntN(rng.IntN(5)+1):][:1]
			if rng.IntN(3) == 0 {
				words[i] += consonants[rng.IntN(len(consonants)):][:1]
			}
		}
	}
	zipf := rand.NewZipf(rng, 1.1, 3, uint64(len(words)-1))
	phrase := make([]int, 3000)
	for i := range phrase {
		phrase[i] = int(zipf.Uint64())
	}
	s := make([]byte, 0, n+100)
	for len(s) < n {
		if rng.IntN(4) == 0 {
			from := rng.IntN(len(phrase) - 5)
			for _, w := range phrase[from : from+2+rng.IntN(4)] {
				s = append(append(s, words[w]...), ' ')
			}
			continue
		}
		s = append(s, words[zipf.Uint64()]...)
		if rng.IntN(9) == 0 {
			s = append(s, ",.;"[rng.IntN(3)])
		}
		s = append(s, ' ')
	}
	return s[:n]
}

// benchText cuts symbols into documents of 500.
func benchText(symbols []byte, sigma int) *Text[byte] {
	b := NewBuilder[byte](sigma)
	b.Grow(len(symbols)/500+1, len(symbols))
	for i := 0; i < len(symbols); i += 500 {
		if err := b.Append(symbols[i:min(i+500, len(symbols))]); err != nil {
			panic(err)
		}
	}
	text, err := b.Text()
	if err != nil {
		panic(err)
	}
	return text
}

var benchTexts = map[string]*Text[byte]{}

// eachText runs a benchmark on DNA and prose of 10⁶ and, unless -short, 10⁷ letters and reports ns per letter.
func eachText(b *testing.B, f func(b *testing.B, text *Text[byte])) {
	sizes := []int{1e6, 1e7}
	if testing.Short() {
		sizes = sizes[:1]
	}
	for _, n := range sizes {
		for _, kind := range []string{"dna", "prose"} {
			name := fmt.Sprintf("%s/%.0e", kind, float64(n))
			b.Run(name, func(b *testing.B) {
				text := benchTexts[name]
				if text == nil {
					if kind == "dna" {
						text = benchText(dnaText(n), 5)
					} else {
						text = benchText(proseText(n), 256)
					}
					benchTexts[name] = text
				}
				b.SetBytes(int64(n))
				b.ReportAllocs()
				b.ResetTimer()
				f(b, text)
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/letter")
			})
		}
	}
}

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

func BenchmarkArray(b *testing.B) {
	eachText(b, func(b *testing.B, text *Text[byte]) {
		for b.Loop() {
			must(Array(ctx, text.Symbols, text.Sigma))
		}
	})
}

func BenchmarkArrayStandardLibrary(b *testing.B) {
	eachText(b, func(b *testing.B, text *Text[byte]) {
		for b.Loop() {
			suffixarray.New(text.Symbols)
		}
	})
}

func BenchmarkLCP(b *testing.B) {
	eachText(b, func(b *testing.B, text *Text[byte]) {
		sa := must(Array(ctx, text.Symbols, text.Sigma))
		plcp, lcp := make([]int32, len(sa)), make([]int32, len(sa))
		limit, _ := depthLimit(0)
		for b.Loop() {
			lcpRanks(ctx, text.Symbols, sa, limit, plcp, lcp)
		}
	})
}

func BenchmarkIntervals(b *testing.B) {
	eachText(b, func(b *testing.B, text *Text[byte]) {
		tree := must(NewTree(ctx, text, 0))
		lcp := make([]int32, tree.Ranks())
		limit, _ := depthLimit(0)
		lcpRanks(ctx, text.Symbols, tree.SA, limit, make([]int32, len(text.Symbols)), lcp)
		for b.Loop() {
			(&Tree{}).buildIntervals(ctx, lcp, make([]int32, len(lcp)))
		}
	})
}

// BenchmarkSorted is what trees are built from: suffixes and the common prefixes of neighbours.
func BenchmarkSorted(b *testing.B) {
	eachText(b, func(b *testing.B, text *Text[byte]) {
		for b.Loop() {
			if _, err := sorted(ctx, text, 0); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkTree(b *testing.B) {
	eachText(b, func(b *testing.B, text *Text[byte]) {
		var tree *Tree
		for b.Loop() {
			tree = must(NewTree(ctx, text, 0))
		}
		b.ReportMetric(float64(tree.Len())/float64(tree.Ranks()), "nodes/letter")
		b.ReportMetric(float64(treeBytes(tree))/float64(tree.Ranks()), "kept-B/letter")
	})
}

func treeBytes(t *Tree) int { return 12*t.Ranks() + 16*t.Len() }

func indexBytes(ix *Index[byte]) int {
	return treeBytes(ix.tree) + len(ix.text.Symbols) + 16*len(ix.nodes) + 8*cap(ix.edges) + cap(ix.syms) +
		4*len(ix.ranks) + 16*len(ix.jumps.words)
}

func BenchmarkIndexOfTree(b *testing.B) {
	eachText(b, func(b *testing.B, text *Text[byte]) {
		tree := must(NewTree(ctx, text, 0))
		var ix *Index[byte]
		for b.Loop() {
			ix = newIndex(ctx, text, tree)
		}
		b.ReportMetric(float64(indexBytes(ix))/float64(tree.Ranks()), "kept-B/letter")
	})
}

func BenchmarkPasses(b *testing.B) {
	for _, pass := range []string{"SumDocs", "DocFreq"} {
		b.Run(pass, func(b *testing.B) {
			eachText(b, func(b *testing.B, text *Text[byte]) {
				tree := must(NewTree(ctx, text, 0))
				weight, sum, df := make([]float64, tree.NumDocs), make([]float64, tree.Len()), make([]int32, tree.Len())
				for b.Loop() {
					if pass == "SumDocs" {
						tree.SumDocs(sum, weight)
					} else {
						tree.DocFreq(df)
					}
				}
			})
		})
	}
}

// BenchmarkMatcher feeds 10⁶ letters: a quarter pieces of the text with changes, or all
// drawn letter by letter as frequent as in the text.
func BenchmarkMatcher(b *testing.B) {
	for _, mixed := range []bool{true, false} {
		b.Run(map[bool]string{true: "quarter-copied", false: "shuffled"}[mixed], func(b *testing.B) {
			eachText(b, func(b *testing.B, text *Text[byte]) {
				query := benchQuery(text, 1e6, mixed)
				m := must(NewIndex(ctx, text, 0)).NewMatcher()
				total := 0
				visit := func(x Match) { total += int(x.Length) }
				b.SetBytes(int64(len(query)))
				for b.Loop() {
					m.Feed(query, visit)
					m.Flush(visit)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(query)), "ns/query-letter")
				b.ReportMetric(float64(total)/float64(b.N+1)/float64(len(query)), "mean-match")
			})
		})
	}
}

// benchQuery draws n letters as frequent as in the text, or, mixed, a quarter as pieces of 200 letters with one in 20
// changed.
func benchQuery(text *Text[byte], n int, mixed bool) []byte {
	rng := rand.New(rand.NewPCG(23, 24))
	letter := func() byte {
		for {
			if c := text.Symbols[rng.IntN(len(text.Symbols))]; c != 0 {
				return c
			}
		}
	}
	q := make([]byte, 0, n+200)
	for len(q) < n {
		if mixed && rng.IntN(600) == 0 {
			from := rng.IntN(len(text.Symbols) - 200)
			for _, c := range text.Symbols[from : from+200] {
				if rng.IntN(20) == 0 {
					c = letter()
				}
				q = append(q, c)
			}
			continue
		}
		q = append(q, letter())
	}
	return q[:n]
}
