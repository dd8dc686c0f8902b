//go:build !amd64 || purego

package simd

// lanes are the loops of this processor.
var lanes = goLanes
