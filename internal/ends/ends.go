// Package ends divides an array into consecutive lists.
package ends

// Bounds returns the range lo ≤ j < hi of list i, where ends[i] is one past the end of list i and each list begins
// where the one before it ends.
func Bounds[T int | int32 | uint32](ends []T, i int) (lo, hi T) {
	if i > 0 {
		lo = ends[i-1]
	}
	return lo, ends[i]
}
