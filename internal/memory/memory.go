// Package memory is the one limit on allocations whose size is controlled by the input: structures whose size is a
// product of two figures of the data, as classes × records or features × outputs, which a wrong label column makes
// larger than any machine, and records read from a compressed file, of which a few bytes may expand to more than any
// machine holds. They are refused before they are allocated, because a Go program cannot recover from running out of
// memory.
package memory

import (
	"fmt"
	"io/fs"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
)

// unknown is the limit on machines whose memory is not known.
const unknown = 8 << 30

// limit is what SetLimit was given last, 0 for the default.
var limit atomic.Int64

// byDefault is half of what this process may have, 0 before it is first asked for.
var byDefault atomic.Int64

// half returns half of the least of some sizes, of which 0 are not known.
func half(sizes ...int64) int64 {
	least := int64(2 * unknown)
	known := slices.DeleteFunc(sizes, func(size int64) bool { return size <= 0 })
	if len(known) > 0 {
		least = slices.Min(known)
	}
	return least / 2
}

// Limit returns how many bytes one such structure may take: what [SetLimit] was given, by default half of what this
// process may have, the least of the machine's memory, the limits of its control groups (Linux) and what the limit
// on its addresses (ulimit -v) leaves when it is first asked for; 8 GiB where none is known.
func Limit() int64 {
	if set := limit.Load(); set > 0 {
		return set
	}
	if known := byDefault.Load(); known > 0 {
		return known
	}
	byDefault.Store(half(physical(), Addresses()))
	return byDefault.Load()
}

// SetLimit sets the limit of the process in bytes, 0 for the default, and returns the previous setting.
func SetLimit(bytes int64) (before int64) { return limit.Swap(bytes) }

// ParseSize reads a size such as 4G, 512M, 1.5G or 65536: a positive number and a binary unit K, M, G or T, bytes
// without one.
func ParseSize(text string) (int64, error) {
	number, unit := text, 1.0
	if n := len(text) - 1; n >= 0 {
		if power := strings.IndexByte("KMGT", text[n]); power >= 0 {
			number, unit = text[:n], math.Ldexp(1, 10*(power+1))
		}
	}
	value, err := strconv.ParseFloat(number, 64)
	if bytes := value * unit; err == nil && bytes >= 1 && bytes < math.MaxInt64 {
		return int64(bytes), nil
	}
	return 0, fmt.Errorf("%.40q, want a size such as 4G or 512M", text)
}

// Error reports how much memory something would need.
type Error struct {
	Bytes, Limit float64
}

// Error says how much is needed, how much is allowed, and which option allows more.
func (e *Error) Error() string {
	needed, allowed := text(e.Bytes), text(e.Limit)
	if needed == allowed {
		return fmt.Sprintf("more memory than the %s that --max-memory allows", allowed)
	}
	return fmt.Sprintf("about %s of memory, more than the %s that --max-memory allows", needed, allowed)
}

// Check returns an [*Error] for more bytes than [Limit]. The number is a float64 because products of sizes need not fit
// an int.
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

// groupLimit returns the least limit on memory of the control groups of this process, in either version of Linux's
// cgroups, 0 if there is none. The files are those of root. A container may see its own group as the root of the tree.
func groupLimit(root fs.FS) (least int64) {
	groups, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(groups)) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3) // number, controllers, group
		if len(fields) < 3 {
			continue
		}
		folder, file := "sys/fs/cgroup", "memory.max"
		if fields[0] != "0" {
			folder, file = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
			if fields[1] != "memory" {
				continue
			}
		}
		for group := path.Clean("/" + fields[2]); ; group = path.Dir(group) {
			if limit := readLimit(root, path.Join(folder, group, file)); limit > 0 && (least == 0 || limit < least) {
				least = limit
			}
			if group == "/" {
				break
			}
		}
	}
	return least
}

// readLimit returns the number in a file; 0 if there is none, as in "max".
func readLimit(root fs.FS, name string) int64 {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return 0
	}
	limit, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil || limit < 0 {
		return 0
	}
	return limit
}
