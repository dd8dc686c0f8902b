package cli

import (
	"bytes"
	"fmt"
	"io"
)

// Files are files in memory. A command line that names one of them means it, not a file of the disk.
type Files struct {
	Read    map[string][]byte        // files that commands read: records, labels, models
	Written map[string]*bytes.Buffer // files that commands write; a command that fails leaves them as they were
}

// Content returns a file in memory that is read.
func (f *Files) Content(path string) (content []byte, found bool) {
	if f == nil {
		return nil, false
	}
	content, found = f.Read[path]
	return content, found
}

// create opens a file in memory that is written, if there is one of that name.
func (f *Files) create(path string) *memoryFile {
	if f == nil || f.Written[path] == nil {
		return nil
	}
	return &memoryFile{to: f.Written[path]}
}

// output is a file that gets its content when all is written.
type output interface {
	io.Writer
	Flush() error
	Commit() error
	Abort() error
}

// memoryFile is an output in memory.
type memoryFile struct {
	bytes.Buffer
	to *bytes.Buffer
}

func (f *memoryFile) Flush() error { return nil }

func (f *memoryFile) Abort() error { return nil }

// Commit replaces the content of the file.
func (f *memoryFile) Commit() error {
	f.to.Reset()
	if _, err := f.WriteTo(f.to); err != nil {
		return fmt.Errorf("file in memory: %w", err)
	}
	return nil
}
