package seqio

import (
	"errors"
	"fmt"
)

var (
	errLoneCR    = errors.New("line ends are lone CR (old Mac); convert them to LF")
	errEmpty     = errors.New("the file is empty")
	errNoRecords = errors.New("no records")
	errUTF16     = errors.New("UTF-16 text; convert it to UTF-8")
)

// ErrUnknownFormat is the cause if neither the first bytes of an input nor its name tell the format: [Options].Format has to.
var ErrUnknownFormat = errors.New("neither FASTA ('>') nor FASTQ ('@'), and the name does not tell the format; choose fasta, fastq, text, tsv, csv, jsonl, reuters, documents, kelp or dot-bracket")

// byteName names a byte in a message.
func byteName(b byte) string {
	switch {
	case b == 0:
		return "NUL byte"
	case b == ' ' || b == '\t':
		return "white space"
	case b >= '0' && b <= '9':
		return fmt.Sprintf("digit '%c'", b)
	case b > ' ' && b < 0x7f:
		return fmt.Sprintf("'%c'", b)
	case b < 0x80:
		return fmt.Sprintf("control byte 0x%02x", b)
	}
	return fmt.Sprintf("byte 0x%02x", b)
}
