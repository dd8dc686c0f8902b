package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
)

// names lists a folder.
func names(t *testing.T, folder string) string {
	t.Helper()
	entries := must.Get(os.ReadDir(folder))(t)
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return strings.Join(out, " ")
}

func content(t *testing.T, path string) string {
	t.Helper()
	data := must.Get(os.ReadFile(path))(t)
	return string(data)
}

func create(t *testing.T, path, text string) *File {
	t.Helper()
	f := must.Get(Create(path))(t)
	if n, err := f.Write([]byte(text)); n != len(text) || err != nil {
		t.Fatal(n, err)
	}
	return f
}

func TestAtomicFile(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "out")

	f := create(t, path, "new")
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the file has its name before Commit")
	}
	must.Succeed(t, f.Commit())
	if err := f.Abort(); err != nil || content(t, path) != "new" || names(t, folder) != "out" {
		t.Errorf("%v, %q in %s", err, content(t, path), names(t, folder))
	}
	for _, err := range []error{f.Commit(), func() error { _, err := f.Write(nil); return err }()} {
		if !errors.Is(err, fs.ErrClosed) || !strings.HasPrefix(err.Error(), path+": cannot write: ") {
			t.Error(err)
		}
	}

	f = create(t, path, strings.Repeat("newer", 1<<16))
	for range 2 {
		if err := f.Abort(); err != nil {
			t.Error(err)
		}
	}
	if content(t, path) != "new" || names(t, folder) != "out" {
		t.Errorf("%q in %s", content(t, path), names(t, folder))
	}

	must.Succeed(t, os.Chmod(path, 0o640))
	must.Succeed(t, create(t, path, "newest").Commit())
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o640 || content(t, path) != "newest" {
		t.Errorf("%v, mode %v, %q", err, info.Mode(), content(t, path))
	}
}

// Before anything is written, nothing is there that a killed process could leave. An empty file is one, too.
func TestAtomicFileIsMadeLate(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "out")
	f := create(t, path, "little")
	if got := names(t, folder); got != "" {
		t.Errorf("before the first buffer is full: %s", got)
	}
	must.Get(f.Write(make([]byte, 1<<17)))(t)
	if got := names(t, folder); !strings.HasPrefix(got, ".seqsvm-") {
		t.Errorf("while it is written: %q", got)
	}
	if err := f.Abort(); err != nil || names(t, folder) != "" {
		t.Errorf("%v, left behind: %s", err, names(t, folder))
	}
	if err := create(t, path, "").Commit(); err != nil || content(t, path) != "" || names(t, folder) != "out" {
		t.Errorf("an empty file: %v, %s", err, names(t, folder))
	}
	f = create(t, path, "")
	if err := f.Abort(); err != nil || names(t, folder) != "out" {
		t.Errorf("%v, %s", err, names(t, folder))
	}
}

// A link to a file, there already or not, stays a link, and leads to the file.
func TestAtomicFileBehindLinks(t *testing.T) {
	folder := t.TempDir()
	must.Succeed(t, os.MkdirAll(filepath.Join(folder, "a", "b"), 0o777))
	link, middle := filepath.Join(folder, "link"), filepath.Join(folder, "a", "middle")
	if err := errors.Join(os.Symlink(filepath.Join("a", "middle"), link),
		os.Symlink(filepath.Join(folder, "a", "b", "file"), middle)); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	for _, text := range []string{"new", "newer"} {
		must.Succeed(t, create(t, link, text).Commit())
		for _, path := range []string{link, middle} {
			if info, err := os.Lstat(path); err != nil || info.Mode()&fs.ModeSymlink == 0 || content(t, path) != text {
				t.Errorf("%s is not a link to the file (%v)", path, err)
			}
		}
	}
}

func TestAtomicFileErrors(t *testing.T) {
	folder := t.TempDir()
	plain := filepath.Join(folder, "plain")
	must.Succeed(t, os.WriteFile(plain, nil, 0o600))
	for path, want := range map[string]string{
		folder: folder + ": cannot write: is a directory, want a file",
		filepath.Join(folder, "no", "f"): ": cannot write: the folder " + filepath.Join(folder, "no") +
			" does not exist",
		filepath.Join(plain, "f"):         ": cannot write: not a directory",
		filepath.Join(folder, "no") + "/": ": cannot write: ",
	} {
		f, err := Create(path)
		if err == nil {
			f.Abort()
		}
		if err == nil || !strings.Contains(err.Error(), want) || strings.Count(err.Error(), path) != 1 &&
			!strings.HasSuffix(path, "/") {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
	if _, err := Create(""); err == nil || err.Error() != "atomicfile: cannot write: the file name is empty" {
		t.Error(err)
	}
	if got := names(t, folder); got != "plain" {
		t.Errorf("left behind: %s", got)
	}

	// The folder goes away while the file is being written.
	gone := filepath.Join(folder, "gone")
	must.Succeed(t, os.Mkdir(gone, 0o700))
	f := create(t, filepath.Join(gone, "f"), "x")
	must.Succeed(t, os.RemoveAll(gone))
	if err := f.Commit(); !errors.Is(err, fs.ErrNotExist) || strings.Contains(err.Error(), ".tmp") {
		t.Error(err)
	}
}

func TestAtomicFilePermissions(t *testing.T) {
	if runtime.GOOS == "windows" || os.Geteuid() == 0 {
		t.Skip("permissions do not bind this user")
	}
	folder := t.TempDir()
	path := filepath.Join(folder, "f")
	must.Succeed(t, os.WriteFile(path, nil, 0o400))
	if _, err := Create(path); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("protected file: %v", err)
	}
	must.Succeed(t, os.Chmod(folder, 0o500))
	defer os.Chmod(folder, 0o700)
	if _, err := Create(filepath.Join(folder, "g")); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("protected folder: %v", err)
	}
}

// A device is written, not replaced.
func TestAtomicFileDevice(t *testing.T) {
	before, err := os.Stat(os.DevNull)
	if err != nil || before.Mode().IsRegular() {
		t.Skip("no null device here")
	}
	if err := create(t, os.DevNull, "x").Commit(); err != nil {
		t.Error(err)
	}
	if err := create(t, os.DevNull, "x").Abort(); err != nil {
		t.Error(err)
	}
	if after, err := os.Stat(os.DevNull); err != nil || after.Mode() != before.Mode() {
		t.Errorf("the null device was replaced: %v", err)
	}
}
