package memory

import (
	"os"
	"strconv"
	"strings"
)

// mapped returns how many bytes of addresses this process has, 0 if unknown.
func mapped() int64 {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	first, _, _ := strings.Cut(string(text), " ")
	pages, err := strconv.ParseInt(first, 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}
