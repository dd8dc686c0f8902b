package memory

import "unsafe"

// largePage is the size of a large page of most systems.
const largePage = 2 << 20

// InLargePages returns a new vector of n entries that are 0, for which Linux is asked for large pages: memory that is
// touched for the first time then costs an interrupt per 2 MB in place of 4 KB, and virtual machines take long for one.
func InLargePages[T any](n int) []T {
	v := make([]T, n)
	begin, size := unsafe.Pointer(unsafe.SliceData(v)), n*int(unsafe.Sizeof(*new(T)))
	if before := -int(uintptr(begin)) & (largePage - 1); size-before >= largePage {
		advise(unsafe.Slice((*byte)(begin), size)[before : before+(size-before)&^(largePage-1)])
	}
	return v
}
