package atomicfile

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
)

// A file that is begun removes the hidden files of processes of this host that have ended, and no others.
func TestStaleHiddenFilesAreRemoved(t *testing.T) {
	gone := exec.Command(os.Args[0], "-test.run", "^$")
	if err := gone.Run(); err != nil {
		t.Skipf("the test cannot be started as another process, as under emulation: %v", err)
	}
	folder := t.TempDir()
	file := func(format string, args ...any) string {
		path := filepath.Join(folder, fmt.Sprintf(format, args...))
		must.Succeed(t, os.WriteFile(path, []byte("half"), 0o644))
		return path
	}
	stale := file(".seqsvm-%s-%d-abc.tmp", host(), gone.Process.Pid)
	kept := []string{
		file(".seqsvm-%s-%d-abc.tmp", host(), os.Getpid()),
		file(".seqsvm-%s-%d-abc.tmp", host(), os.Getppid()),
		file(".seqsvm-elsewhere-%d-abc.tmp", gone.Process.Pid),
		file(".seqsvm-%s-%d-abc.txt", host(), gone.Process.Pid),
		file(".seqsvm-%s-%d.tmp", host(), gone.Process.Pid),
		file("seqsvm-%s-%d-abc.tmp", host(), gone.Process.Pid),
		file(".seqsvm-1x2y3z.tmp"),
	}
	must.Succeed(t, create(t, filepath.Join(folder, "out"), "new").Commit())
	if _, err := os.Stat(stale); err == nil {
		t.Errorf("%s is left", stale)
	}
	for _, path := range kept {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
}

// The name of a hidden file says which process of which host made it.
func TestHiddenName(t *testing.T) {
	name := hiddenName()
	if process, ok := processOf(name); !ok || process != os.Getpid() {
		t.Errorf("%s is of process %d, %v, want %d", name, process, ok, os.Getpid())
	}
	if ended(os.Getpid()) {
		t.Error("this process has ended")
	}
}
