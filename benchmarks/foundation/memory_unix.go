//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peakOf returns the bytes of memory of a process at its peak.
func peakOf(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	switch {
	case !ok:
		return 0
	case runtime.GOOS == "darwin":
		return int64(usage.Maxrss)
	}
	return int64(usage.Maxrss) << 10
}
