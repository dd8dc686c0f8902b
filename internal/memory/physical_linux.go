package memory

import "syscall"

// physical returns the bytes of memory of the machine, 0 if unknown.
func physical() int64 {
	var info syscall.Sysinfo_t
	if syscall.Sysinfo(&info) != nil {
		return 0
	}
	return int64(info.Totalram) * int64(info.Unit)
}
