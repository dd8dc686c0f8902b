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
