//go:build !amd64 || purego

package simd

var (
	haarSets = map[string]haarLoops{"go": goHaar}
	rowSets  = map[string]rowLoops{"go": goRows}
)
