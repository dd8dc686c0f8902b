package memory

import (
	"math"
	"os"
	"syscall"
)

// physical returns the bytes of memory of the machine, or of the container if that has less, 0 if unknown.
func physical() int64 {
	least := int64(math.MaxInt64)
	var info syscall.Sysinfo_t
	if syscall.Sysinfo(&info) == nil {
		least = int64(info.Totalram) * int64(info.Unit)
	}
	if group := groupLimit(os.DirFS("/")); group > 0 {
		least = min(least, group)
	}
	if least == math.MaxInt64 {
		return 0
	}
	return least
}
