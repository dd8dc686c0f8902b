package tree

import "math"

// Numbering gives distinct values numbers in order of their first appearance. The values come in runs and cycles: a
// small cache before the map answers nearly always.
type Numbering struct {
	Values []float64 // by number
	known  map[float64]int32
	recent [256]struct {
		value float64
		n     int32 // 1 + number
	}
}

// Number returns the number of a value.
func (t *Numbering) Number(x float64) int32 {
	slot := &t.recent[math.Float64bits(x)*0x9e3779b97f4a7c15>>56]
	if slot.n > 0 && slot.value == x {
		return slot.n - 1
	}
	n, found := t.known[x]
	if !found {
		if t.known == nil {
			t.known = map[float64]int32{}
		}
		n = int32(len(t.Values))
		t.known[x] = n
		t.Values = append(t.Values, x)
	}
	slot.value, slot.n = x, n+1
	return n
}
