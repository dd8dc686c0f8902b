package atomicfile

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

// Hidden files are named .seqsvm-HOST-PROCESS-RANDOM.tmp.
const hiddenPrefix, hiddenSuffix = ".seqsvm-", ".tmp"

// host names the machine and, on Linux, the name space that numbers its processes, since containers may share a folder.
var host = sync.OnceValue(func() string {
	name, _ := os.Hostname()
	space, _ := os.Readlink("/proc/self/ns/pid") // such as pid:[4026531836]
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.':
			return r
		}
		return '_'
	}, name+space)
})

// hiddenName returns a new name of a hidden file of this process.
func hiddenName() string {
	parts := []string{host(), strconv.Itoa(os.Getpid()), strconv.FormatUint(rand.Uint64(), 36)}
	return hiddenPrefix + strings.Join(parts, "-") + hiddenSuffix
}

// processOf returns the process of this host that has made a hidden file; ok is false for any other file.
func processOf(name string) (process int, ok bool) {
	name, hidden := strings.CutPrefix(name, hiddenPrefix+host()+"-")
	number, _, more := strings.Cut(name, "-")
	process, err := strconv.Atoi(number)
	return process, hidden && more && err == nil && strings.HasSuffix(name, hiddenSuffix)
}

// removeStale removes the hidden files of processes of this host that have ended: they were killed while they wrote.
// What cannot be read or removed stays.
func removeStale(folder string) {
	f, err := os.Open(folder)
	if err != nil {
		return
	}
	defer f.Close()
	names, _ := f.Readdirnames(-1)
	for _, name := range names {
		if process, ok := processOf(name); ok && ended(process) {
			os.Remove(filepath.Join(folder, name))
		}
	}
}

// ended reports whether no process has that number any more. If that is not known, it is false.
func ended(process int) bool {
	p, err := os.FindProcess(process)
	if err != nil { // on Windows
		return true
	}
	defer p.Release()
	return errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}

// syncFolder writes the names in a folder to the disk, where the system can.
func syncFolder(folder string) error {
	f, err := os.Open(folder)
	if err != nil {
		return nil // a folder may be written and not read
	}
	defer f.Close()
	if err := f.Sync(); errors.Is(err, syscall.EIO) || errors.Is(err, syscall.ENOSPC) {
		return err
	}
	return nil
}
