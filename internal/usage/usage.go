// Package usage tells what this process has taken of the machine so far.
package usage

import "time"

// Usage is what a process has taken since it began.
type Usage struct {
	CPU  time.Duration // of all threads, in user and system mode; 0 if it is not known
	Peak int64         // largest resident set in bytes; 0 if it is not known
}

// Now returns the usage of this process.
func Now() Usage { return now() }

// CPU returns [Usage.CPU] alone, for a fraction of the time.
func CPU() time.Duration { return processorTime() }
