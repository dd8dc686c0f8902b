package usage

import (
	"os"
	"regexp"
	"strconv"
)

var highWater = regexp.MustCompile(`(?m)^VmHWM:\s*(\d+) kB$`)

// now takes the peak from /proc where that is mounted: getrusage's is at least that of the process which started this
// one.
func now() Usage {
	u, most := resources()
	u.Peak = most << 10
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return u
	}
	if found := highWater.FindSubmatch(status); found != nil {
		if kilobytes, err := strconv.ParseInt(string(found[1]), 10, 64); err == nil {
			u.Peak = kilobytes << 10
		}
	}
	return u
}
