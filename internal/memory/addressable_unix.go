//go:build linux || darwin || freebsd

package memory

import (
	"math"
	"runtime/metrics"
	"syscall"
)

// Addresses returns how many bytes the limit on the addresses of this process, as ulimit -v sets it, leaves for more
// data, at least 1; 0 if there is no limit.
func Addresses() int64 {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_AS, &limit) != nil || limit.Cur > math.MaxInt64 {
		return 0
	}
	if limit.Cur == math.MaxInt64 { // no limit, on darwin and freebsd
		return 0
	}
	spare := []metrics.Sample{{Name: "/memory/classes/heap/free:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(spare)
	return leftOf(int64(limit.Cur), mapped(), int64(spare[0].Value.Uint64()+spare[1].Value.Uint64()))
}

// leftOf returns how much a heap can hold beside what it holds, given the limit on addresses, how many are mapped, and
// how many of these are spare in the heap. Go's runtime maps a gigabyte before anything is stored, and more for its
// heap in arenas of 64 MiB.
func leftOf(limit, mapped, spare int64) int64 {
	const (
		arena = 64 << 20
		notes = 64 << 20 // of the runtime, of the heap
	)
	return max(1, spare+(limit-mapped-notes-threads)/arena*arena)
}
