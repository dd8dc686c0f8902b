//go:build unix

package usage

import (
	"syscall"
	"time"
)

// resources returns the processor time, and the largest resident set in the system's unit.
func resources() (u Usage, most int64) {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		return u, 0
	}
	return Usage{CPU: time.Duration(r.Utime.Nano() + r.Stime.Nano())}, int64(r.Maxrss)
}

func processorTime() time.Duration {
	u, _ := resources()
	return u.CPU
}
