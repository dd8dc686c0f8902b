package memory

import (
	"bufio"
	"os"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// ForgetProgram gives back the pages of the program's own file that are in memory, its code and constants: most of them
// only the start of the program has touched. What is needed again is mapped again, from the system's cache. A mapping
// with pages that are not those of the file, such as addresses that were relocated, stays as it is.
func ForgetProgram() {
	for _, m := range ofProgram() {
		// an address that Go knows nothing of, thus no unsafe.Pointer
		_, _, _ = unix.Syscall(unix.SYS_MADVISE, m.from, m.to-m.from, unix.MADV_DONTNEED)
	}
}

// ofProgram returns the mappings that ForgetProgram gives back. It asks once, since they stay the same, and the system
// looks at each page of the process for the answer: a millisecond or two with a hundred megabytes.
var ofProgram = sync.OnceValue(func() (found []mapping) {
	program, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return nil
	}
	file, err := os.Open("/proc/self/smaps")
	if err != nil {
		return nil
	}
	defer file.Close()
	var m mapping
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if next, is := mappingOf(lines.Text()); is {
			m = next
		} else if m.readOnly && m.file == program && unchanged(lines.Text()) {
			found = append(found, m)
		}
	}
	return found
})

// mapping is addresses that belong to a file.
type mapping struct {
	from, to uintptr
	readOnly bool
	file     string // its path, if there is one
}

// mappingOf reads the first of the lines that smaps has for a mapping: its addresses, what may be done with it, the
// offset in the file, device, number and name of the file.
func mappingOf(line string) (m mapping, is bool) {
	fields := strings.Fields(line)
	if len(fields) < 5 {
		return m, false
	}
	from, to, found := strings.Cut(fields[0], "-")
	if !found {
		return m, false
	}
	begin, errFrom := strconv.ParseUint(from, 16, 64)
	end, errTo := strconv.ParseUint(to, 16, 64)
	if errFrom != nil || errTo != nil {
		return m, false
	}
	m = mapping{from: uintptr(begin), to: uintptr(end), readOnly: !strings.Contains(fields[1], "w")}
	if at := strings.IndexByte(line, '/'); at >= 0 {
		m.file = line[at:]
	}
	return m, true
}

// unchanged reports whether a line says that all pages of a mapping are those of its file.
func unchanged(line string) bool {
	size, found := strings.CutPrefix(line, "Anonymous:")
	return found && strings.TrimSpace(size) == "0 kB"
}
