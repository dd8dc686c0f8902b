package table

import "testing"

// Records have their places, whether they are short or long: in lists of 2³² entries and more, too.
func TestPlacesOfRecords(t *testing.T) {
	for _, unit := range []int{0, 1, 10, 1000, 1023, 1024, 40_000, 1 << 30} {
		l, sizes, want := new(List), make([]int, 200), 0
		for j := range sizes {
			sizes[j] = (j*j%64 + 1) * unit
		}
		places := append([]int(nil), sizes...)
		l.arrange(places)
		for j, size := range sizes {
			if lo, hi := l.Bounds(j); lo != want || hi != want+size || places[j] != want {
				t.Errorf("record %d: %d–%d from %d, want %d–%d", j, lo, hi, places[j], want, want+size)
			}
			want += size
		}
	}
}

// Lists of few features and of more than 16 bits number spread and gather the values of weights.
func TestWeightsOfManyFeatures(t *testing.T) {
	for _, features := range []int{100, 70_000} {
		last := uint32(features - 1)
		l := Collect(features, 2, true, func(add func(j int, feature, weight uint32)) {
			add(0, 3, 2)
			add(0, last, 5)
			add(1, last, 1)
		})
		l.Weigh(func(weight uint32) float64 { return float64(weight * weight) })
		sums := make([]float64, features)
		l.Scatter(sums, 0, 2)
		if sums[3] != 8 || sums[last] != 50 || l.Gather(sums, 1) != 50 || l.Gather(sums, 0) != 8*4+50*25 {
			t.Errorf("%d features: sums %v and %v, gathered %v and %v", features, sums[3], sums[last], l.Gather(sums, 0),
				l.Gather(sums, 1))
		}
	}
}
