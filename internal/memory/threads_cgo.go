//go:build (linux || darwin || freebsd) && cgo

package memory

// threads is how many bytes of addresses threads that are still to start will map: a thread of the C library has a
// stack of 8 MiB, and 64 MiB for its malloc.
const threads = 128 << 20
