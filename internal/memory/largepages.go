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
