package memory

import (
	"io/fs"
	"path"
	"strconv"
	"strings"
)

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
