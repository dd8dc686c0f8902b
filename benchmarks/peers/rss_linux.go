package main

import (
	"os"
	"syscall"
)

// peakMegabytes returns the largest resident set of a process that has ended; ok tells whether the system says.
func peakMegabytes(state *os.ProcessState) (megabytes float64, ok bool) {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0, false
	}
	return float64(usage.Maxrss) / 1024, true
}
