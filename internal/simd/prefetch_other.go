//go:build !amd64 || purego

package simd

// Prefetch does nothing.
func Prefetch[T any](p *T) {}
