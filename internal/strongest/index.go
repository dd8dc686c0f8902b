package strongest

import "cmp"

// Index returns the index of the greatest entry, the first of several.
func Index[T cmp.Ordered](v []T) int {
	best := 0
	for i, x := range v {
		if x > v[best] {
			best = i
		}
	}
	return best
}
