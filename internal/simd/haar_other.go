//go:build !amd64 || purego

package simd

// haar are the loops of this processor.
var haar = goHaar
