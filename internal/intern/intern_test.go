package intern_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/internal/intern"
)

// Both tables number what they meet as a map does, also after Reset.
func TestTablesAgreeWithMaps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var terms intern.Terms
		for range 3 {
			known := map[string]int32{}
			for _, w := range rapid.SliceOfN(rapid.StringMatching(`[ab]{0,4}`), 0, 80).Draw(t, "terms") {
				want, there := known[w]
				if !there {
					want = intern.None
				}
				if got := terms.Find([]byte(w)); got != want {
					t.Fatalf("Find(%q) = %d, want %d", w, got, want)
				}
				if !there {
					known[w] = int32(len(known))
				}
				if got := terms.Add([]byte(w)); got != known[w] || string(terms.At(int(got))) != w {
					t.Fatalf("Add(%q) = %d, want %d", w, got, known[w])
				}
			}
			terms.Reset()
		}
		pairs := intern.Pairs{First: rapid.IntRange(0, 9).Draw(t, "first")}
		for range 3 {
			numbers := map[uint64]int32{}
			side := rapid.Int32Range(0, rapid.Int32Range(1, 200).Draw(t, "range"))
			for range rapid.IntRange(0, 120).Draw(t, "count") {
				key := intern.Pair(side.Draw(t, "prefix"), side.Draw(t, "term"))
				want, there := numbers[key]
				if !there {
					want = intern.None
				}
				if got := pairs.Find(key); got != want {
					t.Fatalf("Find(%x) = %d, want %d", key, got, want)
				}
				if !there {
					numbers[key] = int32(pairs.First + len(numbers))
				}
				if got := pairs.Add(key); got != numbers[key] || pairs.Keys[int(got)-pairs.First] != key {
					t.Fatalf("Add(%x) = %d, want %d", key, got, numbers[key])
				}
			}
			pairs.Reset()
		}
	})
}

// Tables joined have what one table would have met, with the same numbers.
func TestJoinAgreesWithOneTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all, joined intern.Terms
		for range rapid.IntRange(1, 4).Draw(t, "parts") {
			var part intern.Terms
			var want []int32
			for _, w := range rapid.SliceOfNDistinct(rapid.StringMatching(`[ab]{0,5}`), 0, 60, rapid.ID).Draw(t, "terms") {
				part.Add([]byte(w))
				want = append(want, all.Add([]byte(w)))
			}
			if got := joined.Join(&part); !slices.Equal(got, want) {
				t.Fatalf("terms joined as %v, want %v", got, want)
			}
		}
		if joined.Len() != all.Len() {
			t.Fatalf("%d terms, want %d", joined.Len(), all.Len())
		}

		const terms = 3
		one, pairs := intern.Pairs{First: terms}, intern.Pairs{First: terms}
		for range rapid.IntRange(1, 4).Draw(t, "parts of pairs") {
			part := intern.Pairs{First: terms}
			var want []int32
			for _, gram := range rapid.SliceOfN(rapid.SliceOfN(rapid.Int32Range(0, terms-1), 2, 4), 0, 60).Draw(t, "grams") {
				here, there := gram[0], gram[0]
				for _, term := range gram[1:] {
					here, there = part.Add(intern.Pair(here, term)), one.Add(intern.Pair(there, term))
					if int(here)-terms == len(want) {
						want = append(want, there)
					}
				}
			}
			if got := pairs.Join(&part); !slices.Equal(got, want) {
				t.Fatalf("pairs joined as %v, want %v", got, want)
			}
		}
		if !slices.Equal(pairs.Keys, one.Keys) {
			t.Fatalf("pairs %x, want %x", pairs.Keys, one.Keys)
		}
		pairs.Index()
		for i, key := range one.Keys {
			if got := pairs.Find(key); int(got) != terms+i {
				t.Fatalf("Find(%x) = %d, want %d", key, got, terms+i)
			}
		}
	})
}
