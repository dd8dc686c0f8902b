package seqio

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Read reads a whole input, compressed or not, into a set. name is what errors call the input, and its suffix may tell the format (see
// the package comment). What is wrong with the input is an [*Error]; an error of r is wrapped in one. To stop a long read, let r
// return an error. Read does not touch r after it has returned. The time is linear in the uncompressed size.
func Read(r io.Reader, name string, opt Options) (*Set, error) {
	if err := opt.check(); err != nil {
		return nil, err
	}
	size := sizeOf(r)
	in, err := open(r, name)
	if err != nil {
		return nil, err
	}
	defer in.close()
	format, err := formatOf(in.Reader, name, opt.Format)
	if err != nil {
		return nil, err
	}
	if in.compressed {
		size = 0
	}
	if format == FASTQ {
		size /= 2 // the other half is qualities
	}
	c := newCollector(name, opt, format, size)
	if err := parse(in.Reader, c, format); err != nil {
		return nil, in.wrap(err)
	}
	return c.finish()
}

// ReadFile reads a file as Read does. A missing file, a directory and a file that may not be read are an [*Error].
func ReadFile(path string, opt Options) (*Set, error) {
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Read(f, path, opt)
}

// parse runs the parser of a format.
func parse(r io.Reader, c *collector, format Format) error {
	lines := newLineReader(r)
	switch format {
	case FASTA:
		return parseFASTA(lines, c)
	case FASTQ:
		return parseFASTQ(lines, c)
	default:
		return parseLines(lines, c)
	}
}

// openFile opens a file for reading.
func openFile(path string) (*os.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, &Error{File: path, Err: bareError(err)}
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		err = errors.New("is a directory, want a file")
	}
	if err != nil {
		f.Close()
		return nil, &Error{File: path, Err: bareError(err)}
	}
	return f, nil
}

// bareError drops operation and path from an error that will be given the path anyhow.
func bareError(err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}

// sizeOf returns the number of bytes left in r as far as that is known, else 0.
func sizeOf(r io.Reader) int {
	switch r := r.(type) {
	case *bytes.Reader:
		return r.Len()
	case *bytes.Buffer:
		return r.Len()
	case *strings.Reader:
		return r.Len()
	case *os.File:
		if info, err := r.Stat(); err == nil && info.Mode().IsRegular() && info.Size() < MaxLetters {
			return int(info.Size())
		}
	}
	return 0
}

// formatOf skips a byte order mark and tells the format of what follows.
func formatOf(r *bufio.Reader, name string, wanted Format) (Format, error) {
	head, _ := r.Peek(peekSize) // an error of the reader comes up again when it is read
	switch {
	case strings.HasPrefix(string(head), "\xef\xbb\xbf"):
		r.Discard(3)
		head = head[3:]
	case strings.HasPrefix(string(head), "\xff\xfe"), strings.HasPrefix(string(head), "\xfe\xff"):
		return "", &Error{File: name, Err: errUTF16}
	}
	if len(head) == 0 {
		if _, err := r.Peek(1); err != nil && err != io.EOF {
			return "", &Error{File: name, Err: readError(err)}
		}
		return "", &Error{File: name, Err: errEmpty}
	}
	if wanted != Auto && wanted != "auto" {
		return wanted, nil
	}
	first := strings.TrimLeft(string(head), " \t\r\n")
	switch {
	case strings.HasPrefix(first, ">"):
		return FASTA, nil
	case strings.HasPrefix(first, "@"):
		return FASTQ, nil
	}
	if format := formatByName(name); format != Auto {
		return format, nil
	}
	if first == "" {
		return "", &Error{File: name, Err: errNoRecords}
	}
	return "", &Error{File: name, Line: 1, Err: ErrUnknownFormat}
}

// formatByName tells the format from the suffix before .gz or .zst, Auto if it does not tell.
func formatByName(name string) Format {
	name = strings.ToLower(name)
	for _, suffix := range []string{".gz", ".zst"} {
		name = strings.TrimSuffix(name, suffix)
	}
	switch filepath.Ext(name) {
	case ".fa", ".fasta", ".fna", ".faa", ".ffn", ".fas":
		return FASTA
	case ".fq", ".fastq":
		return FASTQ
	case ".txt":
		return Lines
	}
	return Auto
}
