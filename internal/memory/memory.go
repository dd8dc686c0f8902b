// Package memory bounds what is allocated at the wish of data: structures whose size is a product of two of its figures, as classes times records or features times
// outputs, which a wrong column of labels makes larger than any machine, and records of which a small compressed file may hold more than any machine. They are
// refused before they are allocated, because a Go program cannot recover from running out of memory.
package memory

import (
	"fmt"
	"math"
	"runtime/debug"
)

const (
	most  = 4 << 30 // where there is as much
	share = 4       // of physical memory; two such structures are alive at a time, besides what else a run needs
)

// Limit returns how many bytes one such structure may take: half of GOMEMLIMIT if that is set (see [debug.SetMemoryLimit]); else 4 GiB, or a quarter of the
// physical memory where that is known to be less.
func Limit() int64 {
	if set := debug.SetMemoryLimit(-1); set != math.MaxInt64 {
		return set / 2
	}
	if installed := physical(); installed > 0 {
		return min(most, installed/share)
	}
	return most
}

// Half returns half of GOMEMLIMIT if that is set, else of the physical memory, and 0 where neither is known: what input that is held whole may take.
func Half() int64 {
	if set := debug.SetMemoryLimit(-1); set != math.MaxInt64 {
		return set / 2
	}
	return physical() / 2
}

// Error says how much memory something would need.
type Error struct {
	Bytes, Limit float64
}

// Error says how much is needed, how much is granted, and how to grant more.
func (e *Error) Error() string {
	return fmt.Sprintf("about %s of memory, more than the %s granted; the environment variable GOMEMLIMIT grants half of what it says", text(e.Bytes), text(e.Limit))
}

// Check returns an [Error] for more bytes than Limit. The number is a float64 because products of sizes need not fit an int.
func Check(bytes float64) error {
	if limit := float64(Limit()); !(bytes <= limit) {
		return &Error{bytes, limit}
	}
	return nil
}

// text writes a number of bytes for people.
func text(bytes float64) string {
	const three = 999.5 // from here on a number has four digits
	for _, unit := range []string{"bytes", "KiB", "MiB"} {
		if bytes < three {
			return fmt.Sprintf("%.3g %s", bytes, unit)
		}
		bytes /= 1024
	}
	if bytes < three {
		return fmt.Sprintf("%.3g GiB", bytes)
	}
	return fmt.Sprintf("%.0f GiB", bytes)
}
