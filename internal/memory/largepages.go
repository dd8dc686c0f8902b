package memory

import "unsafe"

// largePage is the size of a large page of most systems.
const largePage = 2 << 20

// InLargePages returns a new vector of n entries that are 0, for which the system is asked for large pages where it
// gives them on request: memory that is touched for the first time then costs an interrupt per 2 MB in place of 4 KB,
// and look-ups in any order find their addresses faster. It is for long vectors that are filled at once.
func InLargePages[T any](n int) []T {
	v := make([]T, n)
	Advise(unsafe.Pointer(unsafe.SliceData(v)), n*int(unsafe.Sizeof(*new(T))))
	return v
}

// Grow returns a slice with room for n more entries: slices.Grow for long ones, in large pages. That clears new memory
// at one go, for which a collection of garbage has to wait, and all processors with it.
func Grow[T any](s []T, n int) []T {
	if cap(s)-len(s) >= n {
		return s
	}
	return append(InLargePages[T](len(s) + n)[:0], s...)
}

// Advise asks for large pages for size bytes that have not been touched, as [InLargePages] does.
func Advise(begin unsafe.Pointer, size int) {
	if size >= largePage {
		adviseBytes(unsafe.Slice((*byte)(begin), size))
	}
}

// wholePages returns the large pages that lie within a piece of memory.
func wholePages(b []byte) []byte {
	begin := -int(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) & (largePage - 1)
	if begin >= len(b) {
		return nil
	}
	return b[begin : begin+(len(b)-begin)&^(largePage-1)]
}
