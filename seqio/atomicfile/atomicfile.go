// Package atomicfile writes output files that appear under their names only when they are complete.
package atomicfile

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// File is an output file that appears under its name only when it is complete. What is written goes to a hidden file in
// the same folder, .seqsvm-….tmp, which exists from the first full buffer on; Commit renames it, Abort
// removes it. So a failed run leaves neither half a file nor a damaged older one; only a process that is killed while
// it writes leaves the hidden file.
//
//	f, err := atomicfile.Create(path)
//	if err != nil { … }
//	defer f.Abort() // does nothing after Commit
//	… write to f …
//	return f.Commit()
//
// A path that exists and is not a regular file (a terminal, a pipe, /dev/null) is written directly. It is not safe for
// concurrent use.
type File struct {
	path   string      // as given
	target string      // path with symbolic links resolved
	old    fs.FileInfo // of the file to replace, nil if there is none
	file   *os.File    // nil before anything is written
	direct bool        // file is the target itself
	closed bool
	out    *bufio.Writer
}

// Create begins a file. It is an error, before anything is written, if path is a directory, an existing file that may
// not be written, or in a folder that does not exist or may not be written. An existing file keeps its permissions.
func Create(path string) (*File, error) {
	if path == "" {
		return nil, errors.New("atomicfile: cannot write: the file name is empty")
	}
	f := &File{path: path, target: resolveLinks(path)}
	info, err := os.Stat(f.target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = f.probe()
	case err != nil:
		err = lines.BareError(err)
	case info.IsDir():
		err = errors.New("is a directory, want a file")
	case info.Mode().IsRegular():
		f.old = info
		err = f.probe()
	default:
		f.direct = true
		f.file, err = os.OpenFile(f.target, os.O_WRONLY, 0)
	}
	if err != nil {
		return nil, &lines.Error{File: path, Err: fmt.Errorf("cannot write: %w", lines.BareError(err))}
	}
	f.out = bufio.NewWriterSize(lazyFile{f}, 64<<10)
	return f, nil
}

// WriteTo writes a file with write, which must leave an incomplete one with an error.
func WriteTo(path string, write func(w io.Writer) error) error {
	f, err := Create(path)
	if err != nil {
		return err
	}
	defer f.Abort() // does nothing after Commit
	if err := write(f); err != nil {
		return err
	}
	return f.Commit()
}

// resolveLinks returns the target of a path, which need not exist yet.
func resolveLinks(path string) string {
	const most = 40 // as the kernel follows
	for range most {
		if target, err := filepath.EvalSymlinks(path); err == nil {
			return target
		}
		next, err := os.Readlink(path)
		if err != nil {
			break // not a link
		}
		if !filepath.IsAbs(next) {
			next = filepath.Join(filepath.Dir(path), next)
		}
		path = next
	}
	return path
}

// probe checks whether the hidden file can be created by creating it. It is removed again, so that a process that
// ends before it writes leaves nothing.
func (f *File) probe() error {
	if f.old != nil {
		// A rename would replace a file that its owner has protected.
		file, err := os.OpenFile(f.target, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		file.Close()
	}
	if err := f.createBeside(); err != nil {
		return err
	}
	name := f.file.Name()
	f.file.Close()
	f.file = nil
	return os.Remove(name)
}

// lazyFile creates the hidden file at the first write.
type lazyFile struct{ *File }

func (f lazyFile) Write(p []byte) (int, error) {
	if f.file == nil {
		if err := f.createBeside(); err != nil {
			return 0, err
		}
	}
	return f.file.Write(p)
}

// createBeside creates the hidden file, with the permissions of the file it is to replace, if there is one.
func (f *File) createBeside() error {
	folder, base := filepath.Split(f.target)
	if base == "" {
		return errors.New("is a directory, want a file")
	}
	var err error
	hidden := filepath.Join(folder, fmt.Sprintf(".seqsvm-%x.tmp", rand.Uint64()))
	f.file, err = os.OpenFile(hidden, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if _, missing := os.Stat(folder); errors.Is(missing, fs.ErrNotExist) && folder != "" {
		return missingFolder(filepath.Clean(folder))
	}
	if err != nil {
		f.file = nil
		return err
	}
	if f.old != nil {
		if err := f.file.Chmod(f.old.Mode().Perm()); err != nil {
			f.file.Close()
			os.Remove(f.file.Name())
			f.file = nil
			return err
		}
	}
	return nil
}

// missingFolder is the error of a folder that does not exist: fs.ErrNotExist with its name.
type missingFolder string

func (e missingFolder) Error() string { return "the folder " + string(e) + " does not exist" }

func (e missingFolder) Is(target error) bool { return target == fs.ErrNotExist }

// Write implements io.Writer, buffered. After an error every further Write and Commit returns it.
func (f *File) Write(p []byte) (int, error) {
	if f.closed {
		return 0, f.fail(fs.ErrClosed)
	}
	n, err := f.out.Write(p)
	if err != nil {
		err = f.fail(err)
	}
	return n, err
}

// WriteAt writes over what has been written, as io.WriterAt does. A file that is written directly must be one that can
// be read at any place, which a terminal and a pipe are not.
func (f *File) WriteAt(p []byte, at int64) (int, error) {
	if f.closed {
		return 0, f.fail(fs.ErrClosed)
	}
	if err := f.out.Flush(); err != nil || f.file == nil {
		return 0, f.fail(cmp.Or(err, io.ErrShortWrite))
	}
	n, err := f.file.WriteAt(p, at)
	return n, f.fail(err)
}

// Flush writes out what is buffered, to the disk. So, of several files that belong together, none is renamed before all
// of them are complete.
func (f *File) Flush() error {
	if f.closed {
		return f.fail(fs.ErrClosed)
	}
	return f.fail(f.flush())
}

func (f *File) flush() error {
	err := f.out.Flush()
	if err == nil && f.file == nil { // nothing was written
		err = f.createBeside()
	}
	if err == nil && !f.direct {
		err = f.file.Sync()
	}
	return err
}

// Commit writes out what is buffered, gives the file its name and makes that last on the disk. If the file cannot be
// named, the hidden file is removed and the error returned.
func (f *File) Commit() error {
	if f.closed {
		return f.fail(fs.ErrClosed)
	}
	f.closed = true
	err := f.flush()
	if f.file == nil {
		return f.fail(err)
	}
	if closeErr := f.file.Close(); err == nil {
		err = closeErr
	}
	if f.direct {
		return f.fail(err)
	}
	if err == nil {
		err = os.Rename(f.file.Name(), f.target)
	}
	if err != nil {
		os.Remove(f.file.Name())
		return f.fail(err)
	}
	return f.fail(syncFolder(filepath.Dir(f.target)))
}

// Abort removes the hidden file. It does nothing after Commit or Abort.
func (f *File) Abort() error {
	if f.closed {
		return nil
	}
	f.closed = true
	if f.file == nil {
		return nil
	}
	err := f.file.Close()
	if !f.direct {
		if removeErr := os.Remove(f.file.Name()); err == nil {
			err = removeErr
		}
	}
	return f.fail(err)
}

// fail gives an error the file's name; nil stays nil.
func (f *File) fail(err error) error {
	if err == nil {
		return nil
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		err = link.Err
	}
	return &lines.Error{File: f.path, Err: fmt.Errorf("cannot write: %w", lines.BareError(err))}
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
