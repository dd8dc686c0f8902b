//go:build !purego

package simd

import "unsafe"

// Prefetch asks for the line of memory that holds a value, which will be read soon.
func Prefetch[T any](p *T) { prefetch(unsafe.Pointer(p)) }

//go:noescape
func prefetch(p unsafe.Pointer)

// PrefetchLines asks for the lines of memory that hold a list, which will be read soon.
func PrefetchLines[T any](list []T) {
	if n := len(list); n > 0 {
		prefetchLines(unsafe.Pointer(&list[0]), n*int(unsafe.Sizeof(list[0])))
	}
}

//go:noescape
func prefetchLines(p unsafe.Pointer, bytes int)
