//go:build !linux

package main

import "os"

// peakMegabytes has no answer: other systems count in other units, or not at all.
func peakMegabytes(*os.ProcessState) (megabytes float64, ok bool) { return 0, false }
