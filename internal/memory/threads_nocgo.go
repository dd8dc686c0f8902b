//go:build (linux || darwin || freebsd) && !cgo

package memory

// threads is how many bytes of addresses threads that are still to start will map: stacks are of the heap.
const threads = 0
