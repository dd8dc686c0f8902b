package table

import "testing"

// Records have their places in lists of 2³² entries and more, too.
func TestManyEntries(t *testing.T) {
	const unit = 1 << 30
	l, want := new(List), 0
	sizes := [...]int{2 * unit, 2 * unit, 0, 3, 9 * unit, 1, 4*unit - 4, 5}
	places := sizes
	l.arrange(places[:])
	for j, size := range sizes {
		if lo, hi := l.Bounds(j); lo != want || hi != want+size || places[j] != want {
			t.Errorf("record %d: %d–%d from %d, want %d–%d", j, lo, hi, places[j], want, want+size)
		}
		want += size
	}
}
