package usage

import (
	"syscall"
	"time"
	"unsafe"
)

var processMemoryInfo = syscall.NewLazyDLL("kernel32.dll").NewProc("K32GetProcessMemoryInfo")

// memoryCounters is PROCESS_MEMORY_COUNTERS.
type memoryCounters struct {
	size       uint32
	pageFaults uint32
	peak       uintptr // PeakWorkingSetSize
	others     [7]uintptr
}

func now() (u Usage) {
	process, err := syscall.GetCurrentProcess()
	if err != nil {
		return u
	}
	var begun, ended, kernel, user syscall.Filetime
	if syscall.GetProcessTimes(process, &begun, &ended, &kernel, &user) == nil {
		u.CPU = span(kernel) + span(user)
	}
	counters := memoryCounters{size: uint32(unsafe.Sizeof(memoryCounters{}))}
	if ok, _, _ := processMemoryInfo.Call(uintptr(process), uintptr(unsafe.Pointer(&counters)),
		uintptr(counters.size)); ok != 0 {
		u.Peak = int64(counters.peak)
	}
	return u
}

// span is a length of time, which Windows counts in units of 100 ns.
func span(t syscall.Filetime) time.Duration {
	return 100 * time.Duration(uint64(t.HighDateTime)<<32|uint64(t.LowDateTime))
}

func processorTime() time.Duration { return now().CPU }
