package hash_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/internal/hash"
)

// A table counts and numbers as maps do, also after Reset, and grows with it.
func TestTableAgreesWithMaps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var counts, numbers hash.Table
		for range 4 {
			code := rapid.Uint64Range(0, rapid.SampledFrom([]uint64{3, 40, 1<<64 - 1}).Draw(t, "greatest"))
			codes := rapid.SliceOfN(code, 0, 200).Draw(t, "codes")
			counts.Reset(len(codes))
			numbers.Reset(len(codes))
			count, number := map[uint64]uint32{}, map[uint64]uint32{}
			for _, c := range codes {
				if got := counts.Find(c); got != count[c] {
					t.Fatalf("Find(%x) = %d, want %d", c, got, count[c])
				}
				count[c]++
				counts.At(c).Value++
				if _, known := number[c]; !known {
					number[c] = uint32(len(number))
				}
				if got := numbers.Number(c); got != number[c] || numbers.Len() != len(number) {
					t.Fatalf("Number(%x) = %d of %d, want %d of %d", c, got, numbers.Len(), number[c], len(number))
				}
			}
		}
	})
}

// Codes that Golden maps to small numbers would all belong to a few slots without a seed, and take minutes.
func TestCollisionsAreSeeded(t *testing.T) {
	const n = 300_000
	inverse := uint64(1)
	for range 6 { // Newton's iteration doubles the bits that are right
		inverse *= 2 - inverse*hash.Golden
	}
	if inverse*hash.Golden != 1 {
		t.Fatal("no inverse")
	}
	var table hash.Table
	table.Reset(2 * n)
	for i := range uint64(n) {
		if got := table.Number(i * inverse); got != uint32(i) {
			t.Fatalf("number %d, want %d", got, i)
		}
	}
}
