//go:build !purego

package simd

import "unsafe"

// Prefetch asks for the line of memory that holds a value, which will be read soon.
func Prefetch[T any](p *T) { prefetch(unsafe.Pointer(p)) }

//go:noescape
func prefetch(p unsafe.Pointer)
