package seqio

import (
	"errors"
	"path/filepath"
	"strings"

	"github.com/seqsvm/seqsvm/seqio/internal/documents"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

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
	first := firstOf(head)
	format := recognize(in.Name, first)
	switch {
	case format != Auto:
		return format, nil
	case first == "" && len(head) < lines.PeekSize-len(lines.ByteOrderMark): // blanks, to the end of the input
		return "", &Error{File: in.Name, Err: lines.ErrNoRecords}
	}
	if err := foreignByName(in.Name); err != nil {
		return "", err
	}
	return "", &Error{File: in.Name, Line: 1, Err: ErrUnknownFormat}
}

// firstOf drops white space at the beginning.
func firstOf(head []byte) string { return strings.TrimLeft(string(head), " \t\r\n") }

// recognize is the rule that says what an input is, by its name and its first bytes without blanks before them; Auto if
// they do not say. docs/input.md has it as a table.
func recognize(name, first string) Format {
	byName := FormatByName(name)
	switch byName {
	case TSV, CSV, JSONL, KeLP, DotBracket, BED:
		return byName
	}
	switch {
	case strings.HasPrefix(first, ">"):
		return FASTA
	case strings.HasPrefix(first, "@"):
		return FASTQ
	case documents.IsFastText(first):
		return FastText
	case byName != Auto:
		return byName
	case strings.HasPrefix(first, "{"), isJSONList(name, first):
		return JSONL
	case strings.HasPrefix(first, "<!DOCTYPE lewis"):
		return Reuters
	case documents.IsKeLP(first):
		return KeLP
	}
	return Auto
}

// isJSONList reports whether an input is a list, of objects or, by its name, of what is none, which is an error.
func isJSONList(name, first string) bool {
	return documents.IsJSONList(first) ||
		strings.HasPrefix(first, "[") && filepath.Ext(lines.WithoutCompression(name)) == ".json"
}

// recognizeInFolder is the rule for a file of a folder, where a text may begin with '>', as a quotation does, or '{':
// first bytes count only if the lines that follow are those of FASTA or FASTQ. Anything else is a document, and so is a
// file that cannot be read.
func recognizeInFolder(file, encoding string) Format {
	if byName := FormatByName(file); byName != Auto && byName != Lines {
		return byName
	}
	in, err := lines.Open(nil, file)
	if err != nil {
		return Documents
	}
	defer in.Close()
	if documents.Decode(in, encoding) != nil {
		return Documents
	}
	head, err := in.Begin()
	if err != nil {
		return Documents
	}
	first := firstOf(head)
	sequence, _, isFASTQ := strings.Cut(first, "\n+")
	switch {
	case strings.HasPrefix(first, ">") && areSequences(first, '>'):
		return FASTA
	case strings.HasPrefix(first, "@") && isFASTQ && areSequences(sequence, '@'):
		return FASTQ
	}
	return Documents
}

// areSequences reports whether a text is lines of sequences below headers, which begin with a byte and an id.
func areSequences(text string, header byte) bool {
	letters := 0
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\r\n")
		switch {
		case line == "" || line[0] == ';':
		case line[0] == header:
			if len(line) == 1 || line[1] == ' ' || line[1] == '\t' {
				return false
			}
		case lines.CheckSequence([]byte(line)) < len(line):
			return false
		default:
			letters += len(line)
		}
	}
	return letters > 0
}

// suffixes imply formats.
var suffixes = map[string]Format{
	".fa": FASTA, ".fasta": FASTA, ".fna": FASTA, ".faa": FASTA, ".ffn": FASTA, ".fas": FASTA, ".fq": FASTQ,
	".fastq": FASTQ, ".txt": Lines, ".tsv": TSV, ".tab": TSV, ".csv": CSV, ".jsonl": JSONL, ".ndjson": JSONL,
	".sgm": Reuters, ".klp": KeLP, ".kelp": KeLP, ".dbn": DotBracket,
	".bed": BED, ".narrowpeak": BED, ".broadpeak": BED,
}

// FormatByName implies the format from the suffix of a name, before .gz or .zst; Auto if it implies none.
func FormatByName(name string) Format { return suffixes[filepath.Ext(lines.WithoutCompression(name))] }

// ErrNoText is the cause if TSV, CSV or JSONL do not have the text where it is by default: set [Options].Columns.
var ErrNoText = documents.ErrNoText

// ErrLabels is the cause if a record of [FastText] or [JSONL] has several labels: set [Options].LabelLists.
var ErrLabels = documents.ErrLabels

// ErrUnknownFormat is the cause if neither the first bytes of an input nor its name imply the format: set
// [Options].Format.
var ErrUnknownFormat = errors.New("neither FASTA ('>') nor FASTQ ('@'), and the name does not imply the format; " +
	"choose fasta, fastq, text, tsv, csv, jsonl, reuters, documents, fasttext, kelp, dot-bracket or bed")
