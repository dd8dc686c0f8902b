package seqio

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/seqsvm/seqsvm/seqio/internal/documents"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// Read reads a whole input, compressed or not, into a set. name identifies the input in errors, and its suffix may
// imply the format (see the package comment). An error in the input is an [*Error]; an error of r is wrapped in one. To
// stop a long read, let r return an error. Read does not touch r after it has returned. The time is linear in the
// uncompressed size.
func Read(r io.Reader, name string, opt Options) (*Set, error) {
	return readOne(Input{Path: name, Reader: r}, opt)
}

// openText opens an input, decodes it and infers its format. The input must be closed.
func openText(r io.Reader, name string, opt Options) (*lines.Input, Format, error) {
	in, err := lines.OpenCounted(r, name, opt.Read)
	if err != nil {
		return nil, "", err
	}
	var format Format
	if err = documents.Decode(in, opt.Encoding); err == nil {
		format, err = formatOf(in, opt.treeFormat(name))
	}
	if err == nil {
		err = opt.checkFormat(name, format)
	}
	if err != nil {
		in.Close()
		return nil, "", err
	}
	return in, format, nil
}

// ReadFile reads a file as Read does, or the documents of a folder (see the package comment) if the format is
// [Documents] or to be inferred. A missing file, a folder where another format is asked for, and a file that may not be
// read are an [*Error].
func ReadFile(path string, opt Options) (*Set, error) { return readOne(Input{Path: path}, opt) }

func readOne(in Input, opt Options) (*Set, error) {
	all, err := ReadAll(context.Background(), []Input{in}, opt)
	if err != nil {
		return nil, err
	}
	return all.Sets[0], nil
}

// parsers are those of text formats without the whole input as a record.
var parsers = map[Format]func(*documents.Parser, io.Reader) error{
	Lines: (*documents.Parser).Lines, TSV: (*documents.Parser).TSV, CSV: (*documents.Parser).CSV,
	JSONL: (*documents.Parser).JSONL, Reuters: (*documents.Parser).Reuters, KeLP: (*documents.Parser).KeLP,
	DotBracket: (*documents.Parser).DotBracket,
}

// parse runs the parser of the collector's format.
func parse(r io.Reader, c *collector) error {
	switch c.set.Format {
	case FASTA:
		return parseFASTA(lines.NewReader(r), c)
	case FASTQ:
		return parseFASTQ(lines.NewReader(r), c)
	}
	p := documents.NewParser(c.opt.documents(c.set.Format), c)
	if c.set.Format == Documents {
		return p.Whole(r, c.set.Source, "")
	}
	return parsers[c.set.Format](p, r)
}

// isFolder reports whether a path is a folder to be read as documents.
func isFolder(path string, format Format) bool {
	if format != Auto && format != "auto" && format != Documents {
		return false
	}
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// formatOf skips a byte order mark and infers the format of what follows.
func formatOf(in *lines.Input, wanted Format) (Format, error) {
	head, err := in.Begin()
	if len(head) == 0 && wanted == Documents && errors.Is(err, lines.ErrEmpty) {
		return Documents, nil // an empty file is an empty document
	}
	if err != nil {
		return "", err
	}
	if wanted != Auto && wanted != "auto" {
		return wanted, nil
	}
	byName := FormatByName(in.Name)
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
	case documents.IsKeLP(first):
		return KeLP, nil
	}
	// nothing but blanks, to the end of the input
	if first == "" && len(head) < lines.PeekSize-len(lines.ByteOrderMark) {
		return "", &Error{File: in.Name, Err: lines.ErrNoRecords}
	}
	return "", &Error{File: in.Name, Line: 1, Err: ErrUnknownFormat}
}

// suffixes imply formats.
var suffixes = map[string]Format{
	".fa": FASTA, ".fasta": FASTA, ".fna": FASTA, ".faa": FASTA, ".ffn": FASTA, ".fas": FASTA, ".fq": FASTQ,
	".fastq": FASTQ, ".txt": Lines, ".tsv": TSV, ".tab": TSV, ".csv": CSV, ".jsonl": JSONL, ".ndjson": JSONL,
	".sgm": Reuters, ".klp": KeLP, ".kelp": KeLP, ".dbn": DotBracket,
}

// FormatByName implies the format from the suffix of a name, before .gz or .zst; Auto if it implies none.
func FormatByName(name string) Format { return suffixes[filepath.Ext(lines.WithoutCompression(name))] }

// ErrUnknownFormat is the cause if neither the first bytes of an input nor its name imply the format: set
// [Options].Format.
var ErrUnknownFormat = errors.New("neither FASTA ('>') nor FASTQ ('@'), and the name does not imply the format; " +
	"choose fasta, fastq, text, tsv, csv, jsonl, reuters, documents, kelp or dot-bracket")
