package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/seqsvm/seqsvm/seqio"
)

// StandardInput is the name of standard input in messages.
const StandardInput = "standard input"

// InputName returns the name of an input in messages.
func InputName(path string) string {
	if path == "-" {
		return StandardInput
	}
	return path
}

// OperandNames lists the names of the operands in messages.
func (c *Call) OperandNames() string {
	names := make([]string, len(c.Args))
	for i, path := range c.Args {
		names[i] = InputName(path)
	}
	return strings.Join(names, ", ")
}

// SizeOf returns the bytes of files and of the files in folders, 0 if that is not known, as of standard input.
func SizeOf(paths []string) (bytes int64) {
	for _, path := range paths {
		if path == "-" {
			return 0
		}
		// A file that cannot be read is an error when it is.
		_ = filepath.WalkDir(path, func(_ string, entry fs.DirEntry, err error) error {
			if err != nil {
				return nil
			}
			if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
				bytes += info.Size()
			}
			return nil
		})
	}
	return bytes
}

// InFile adds a file's name to an error that does not name a file; nil stays nil.
func InFile(path string, err error) error {
	var located *seqio.Error
	if err == nil || errors.As(err, &located) {
		return err
	}
	return &seqio.Error{File: path, Err: err}
}

// Open returns a reader of an input that no path of the disk leads to, standard input for "-" or a file in memory, and
// nil for others. Call stop after the last read.
func (c *Call) Open(path string) (in io.Reader, stop func()) {
	if content, found := c.Files.Content(path); found {
		return bytes.NewReader(content), func() {}
	}
	if path != "-" {
		return nil, func() {}
	}
	return c.StandardInput()
}

// Read calls read with an input: without a reader where path is that of a file on the disk.
func Read[T any](c *Call, path string, read func(r io.Reader, name string) (T, error)) (T, error) {
	in, stop := c.Open(path)
	defer stop()
	return read(in, InputName(path))
}

// StandardInput returns a reader of standard input that fails when the context ends, even while it waits for a terminal
// or a pipe; a regular file never blocks. Call stop after the last read.
func (c *Call) StandardInput() (in io.Reader, stop func()) {
	r := c.In
	if file, ok := r.(*os.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
			return r, func() {}
		}
	}
	out, into := io.Pipe()
	go func() {
		ends := &endsReader{Reader: r}
		_, err := io.Copy(into, ends)
		c.lacksEnd.Store(err == nil && seqio.LacksEnd(ends.head, ends.tail))
		into.CloseWithError(err)
	}()
	release := context.AfterFunc(c.Context, func() { into.CloseWithError(c.Context.Err()) })
	return out, func() {
		release()
		out.Close() // ends the goroutine if not all of r was read
	}
}

// endsReader keeps the first and the last bytes that are read.
type endsReader struct {
	io.Reader
	head, tail []byte
}

func (e *endsReader) Read(p []byte) (int, error) {
	n, err := e.Reader.Read(p)
	e.head = append(e.head, p[:min(n, seqio.EndSize-len(e.head))]...)
	if e.tail = append(e.tail, p[:n]...); len(e.tail) > 4*seqio.EndSize {
		e.tail = e.tail[:copy(e.tail, e.tail[len(e.tail)-seqio.EndSize:])]
	}
	return n, err
}

// warnLackingEnds warns of inputs that may have been cut off.
func (c *Call) warnLackingEnds() {
	warn := func(name string, lacks bool) {
		if lacks {
			c.Warn("%s: the empty block that ends a BGZF file is missing; the file may be cut off", name)
		}
	}
	for _, path := range c.inputs() {
		if content, found := c.Files.Content(path); found {
			warn(path, seqio.LacksEnd(content, content))
			continue
		}
		if path == "-" {
			file, _ := c.In.(*os.File)
			warn(StandardInput, c.lacksEnd.Load() || file != nil && fileLacksEnd(file))
			continue
		}
		// A file that cannot be read is an error when it is.
		_ = filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() && (name == path || seqio.Compressed(name)) {
				warn(name, pathLacksEnd(name))
			}
			return nil
		})
	}
}

// pathLacksEnd is fileLacksEnd of a path.
func pathLacksEnd(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() { // others may wait for somebody to write
		return false
	}
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close() // it was only read
	return fileLacksEnd(file)
}

// fileLacksEnd reports whether a regular file may have been cut off.
func fileLacksEnd(file *os.File) bool {
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	head, tail := make([]byte, seqio.EndSize), make([]byte, min(info.Size(), seqio.EndSize))
	n, _ := file.ReadAt(head, 0)
	m, _ := file.ReadAt(tail, info.Size()-int64(len(tail)))
	return seqio.LacksEnd(head[:n], tail[:m])
}
