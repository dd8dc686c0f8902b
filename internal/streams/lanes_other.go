//go:build !amd64 || purego

package streams

// lanePasses are those of this processor.
var lanePasses = goPasses
