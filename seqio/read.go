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
	in, format, err := openText(r, name, opt)
	if err != nil {
		return nil, err
	}
	defer in.close()
	if in.compressed {
		size = 0
	}
	if format == FASTQ {
		size /= 2 // the other half is qualities
	}
	c := newCollector(name, opt, format, size)
	if err := parse(in.Reader, c); err != nil {
		return nil, c.failure(in, err)
	}
	return c.finish()
}

// openText opens an input, decodes it and tells its format. The input must be closed.
func openText(r io.Reader, name string, opt Options) (*input, Format, error) {
	in, err := open(r, name)
	if err != nil {
		return nil, "", err
	}
	var format Format
	if err = in.decode(opt); err == nil {
		format, err = formatOf(in.Reader, name, opt.treeFormat(name))
	}
	if err == nil {
		err = opt.checkFormat(name, format)
	}
	if err != nil {
		in.close()
		return nil, "", err
	}
	return in, format, nil
}

// ReadFile reads a file as Read does, or the documents of a folder (see the package comment) if the format is [Documents] or to be told.
// A missing file, a folder where another format is asked for, and a file that may not be read are an [*Error].
func ReadFile(path string, opt Options) (*Set, error) {
	if err := opt.check(); err != nil {
		return nil, err
	}
	if isFolder(path, opt.Format) {
		c := newFolderCollector(path, opt)
		if err := parseFolder(path, c); err != nil {
			return nil, err
		}
		return c.finish()
	}
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Read(f, path, opt)
}

// parse runs the parser of the collector's format.
func parse(r io.Reader, c *collector) error {
	switch c.set.Format {
	case FASTA:
		return parseFASTA(newLineReader(r), c)
	case FASTQ:
		return parseFASTQ(newLineReader(r), c)
	case TSV:
		return parseTSV(newLineReader(r), c)
	case CSV:
		return parseCSV(r, c)
	case JSONL:
		return parseJSONL(newLineReader(r), c)
	case Reuters:
		return parseReuters(newLineReader(r), c)
	case KeLP:
		return parseKeLP(newLineReader(r), c)
	case DotBracket:
		return parseDotBracket(newLineReader(r), c)
	case Documents:
		return parseDocument(r, c, c.set.Source, "")
	default:
		return parseLines(newLineReader(r), c)
	}
}

// isFolder tells whether a path is a folder to be read as documents.
func isFolder(path string, format Format) bool {
	switch format {
	case Auto, "auto", Documents:
		info, err := os.Stat(path)
		return err == nil && info.IsDir()
	}
	return false
}

// newFolderCollector returns a collector of the documents of a folder.
func newFolderCollector(path string, opt Options) *collector {
	c := newCollector(path, opt, Documents, 0)
	c.set.folder = true
	return c
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

// byteOrderMark is U+FEFF in UTF-8.
const byteOrderMark = "\xef\xbb\xbf"

// formatOf skips a byte order mark and tells the format of what follows.
func formatOf(r *bufio.Reader, name string, wanted Format) (Format, error) {
	head, _ := r.Peek(peekSize) // an error of the reader comes up again when it is read
	switch {
	case strings.HasPrefix(string(head), byteOrderMark):
		r.Discard(3)
		head = head[3:]
	case strings.HasPrefix(string(head), "\xff\xfe"), strings.HasPrefix(string(head), "\xfe\xff"):
		return "", &Error{File: name, Err: errUTF16}
	}
	if len(head) == 0 {
		if _, err := r.Peek(1); err != nil && err != io.EOF {
			return "", &Error{File: name, Err: readError(err)}
		}
		if wanted == Documents {
			return Documents, nil // an empty file is an empty document
		}
		return "", &Error{File: name, Err: errEmpty}
	}
	if wanted != Auto && wanted != "auto" {
		return wanted, nil
	}
	byName := FormatByName(name)
	switch byName {
	case TSV, CSV, JSONL, KeLP, DotBracket:
		return byName, nil
	}
	first := strings.TrimLeft(string(head), " \t\r\n")
	switch {
	case strings.HasPrefix(first, ">"):
		return FASTA, nil
	case strings.HasPrefix(first, "@"):
		return FASTQ, nil
	}
	if byName != Auto {
		return byName, nil
	}
	switch {
	case strings.HasPrefix(first, "{"):
		return JSONL, nil
	case strings.HasPrefix(first, "<!DOCTYPE lewis"):
		return Reuters, nil
	case isKeLP(first):
		return KeLP, nil
	}
	if first == "" && len(head) < peekSize-len(byteOrderMark) { // nothing but blanks, and not only so far as was looked
		return "", &Error{File: name, Err: errNoRecords}
	}
	return "", &Error{File: name, Line: 1, Err: ErrUnknownFormat}
}

// FormatByName tells the format from the suffix of a name, before .gz or .zst; Auto if it does not tell.
func FormatByName(name string) Format {
	switch filepath.Ext(withoutCompression(name)) {
	case ".fa", ".fasta", ".fna", ".faa", ".ffn", ".fas":
		return FASTA
	case ".fq", ".fastq":
		return FASTQ
	case ".txt":
		return Lines
	case ".tsv", ".tab":
		return TSV
	case ".csv":
		return CSV
	case ".jsonl", ".ndjson":
		return JSONL
	case ".sgm":
		return Reuters
	case ".klp", ".kelp":
		return KeLP
	case ".dbn":
		return DotBracket
	}
	return Auto
}

// withoutCompression returns a name in lower case and without .gz or .zst.
func withoutCompression(name string) string {
	name = strings.ToLower(name)
	for _, suffix := range []string{".gz", ".zst"} {
		name = strings.TrimSuffix(name, suffix)
	}
	return name
}
