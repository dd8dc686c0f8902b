//go:build !amd64 || purego

package simd

// Prefetch does nothing.
func Prefetch[T any](p *T) {}

// PrefetchRows does nothing.
func PrefetchRows(table []float64, width int, ids []uint32) {}
