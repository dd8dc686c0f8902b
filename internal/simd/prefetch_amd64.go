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

// PrefetchRows asks for rows of a table, which [GatherRows] will read soon. Ids beyond the table do no harm.
func PrefetchRows(table []float64, width int, ids []uint32) {
	if len(table) > 0 && len(ids) > 0 {
		prefetchRows(&table[0], 8*width, &ids[0], len(ids))
	}
}

//go:noescape
func prefetchRows(table *float64, bytes int, ids *uint32, n int)
