package search

import (
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/classify/dataset"
)

// TestSamples draws growing samples: each has the records of the one before, every class in proportion, none too few.
func TestSamples(t *testing.T) {
	d := &dataset.Dataset{Classes: []string{"a", "b", "c"}, Y: make([]int, 5000)}
	for i := range d.Y {
		switch {
		case i%500 == 0:
			d.Y[i] = 2
		case i%4 == 0:
			d.Y[i] = 1
		}
	}
	r := &race{Halving: &Halving{Folds: 4, Seed: 3}, data: d}
	counts := d.Counts()
	var before []int
	for _, share := range []int{1, 10, 100, 1000, 2048, grain} {
		records := r.part(share)
		taken := make([]int, 3)
		for _, i := range records {
			taken[d.Y[i]]++
		}
		for c, n := range taken {
			want := max(8, float64(counts[c])*float64(share)/grain)
			if float64(n) < want || float64(n) >= want+1 {
				t.Errorf("share %d of %d: %d of class %d, of %d", share, grain, n, c, counts[c])
			}
		}
		for _, i := range before {
			if _, found := slices.BinarySearch(records, i); !found {
				t.Fatalf("share %d lacks record %d of the smaller one", share, i)
			}
		}
		before = records
	}
	if len(before) != 5000 {
		t.Errorf("all are %d of 5000", len(before))
	}
	r.Seed = 4
	if slices.Equal(r.part(100), (&race{Halving: &Halving{Folds: 4, Seed: 3}, data: d}).part(100)) {
		t.Error("another seed has the same sample")
	}
}
