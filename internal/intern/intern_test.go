package intern

import (
	"testing"

	"pgregory.net/rapid"
)

// Both tables number what they meet as a map does, also after Reset.
func TestTablesAgreeWithMaps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var terms Terms
		for range 3 {
			known := map[string]int32{}
			for _, w := range rapid.SliceOfN(rapid.StringMatching(`[ab]{0,4}`), 0, 80).Draw(t, "terms") {
				want, there := known[w]
				if !there {
					want = None
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
		pairs := Pairs{First: rapid.IntRange(0, 9).Draw(t, "first")}
		for range 3 {
			numbers := map[uint64]int32{}
			side := rapid.Int32Range(0, rapid.Int32Range(1, 200).Draw(t, "range"))
			for range rapid.IntRange(0, 120).Draw(t, "count") {
				key := Pair(side.Draw(t, "prefix"), side.Draw(t, "term"))
				want, there := numbers[key]
				if !there {
					want = None
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
