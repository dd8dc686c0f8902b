//go:build !linux && !darwin && !freebsd

package memory

// addressable returns the limit on the addresses of this process, 0 if there is none.
func addressable() int64 { return 0 }
