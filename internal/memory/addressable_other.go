//go:build !linux && !darwin && !freebsd

package memory

// Addresses returns how many bytes the limit on the addresses of this process leaves, 0 if there is none.
func Addresses() int64 { return 0 }
