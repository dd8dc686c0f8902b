//go:build linux || darwin || freebsd

package memory

import (
	"math"
	"syscall"
)

// addressable returns the limit on the addresses of this process, as ulimit -v sets it, 0 if there is none.
func addressable() int64 {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_AS, &limit) != nil || limit.Cur > math.MaxInt64 {
		return 0
	}
	if limit.Cur == math.MaxInt64 { // no limit, on darwin and freebsd
		return 0
	}
	return int64(limit.Cur)
}
