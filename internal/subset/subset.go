// Package subset picks some of the records of a data set, which a list of their indices names. A list that is nil names
// all records where a function says so.
package subset

// At returns the entries with the given indices, in that order.
func At[T any](entries []T, index []int) []T {
	out := make([]T, len(index))
	for j, i := range index {
		out[j] = entries[i]
	}
	return out
}

// Of returns the entries of the records rows, or all entries if that is nil.
func Of[T any](entries []T, rows []int) []T {
	if rows == nil {
		return entries
	}
	return At(entries, rows)
}

// Whole lists 0 … n − 1.
func Whole(n int) []int { return Numbers[int](n) }

// Numbers is Whole in numbers of a type.
func Numbers[N int | int32](n int) []N {
	list := make([]N, n)
	for i := range list {
		list[i] = N(i)
	}
	return list
}

// Each calls f with the records of rows, or with 0 … n − 1 if that is nil.
func Each(n int, rows []int, f func(i int)) {
	if rows == nil {
		for i := range n {
			f(i)
		}
		return
	}
	for _, i := range rows {
		f(i)
	}
}

// Distinct returns the entries of lists, each once, in the order in which they come first.
func Distinct[T comparable](lists ...[]T) (once []T) {
	given := map[T]bool{}
	for _, list := range lists {
		for _, entry := range list {
			if !given[entry] {
				given[entry], once = true, append(once, entry)
			}
		}
	}
	return once
}
