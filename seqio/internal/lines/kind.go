package lines

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
)

// Intervals is how BED begins: comments, and a line of a sequence, a start and an end.
var Intervals = regexp.MustCompile(`^((#|track|browser)[^\n]*\n)*[!-~]+\t[0-9]+\t[0-9]+(\s|$)`)

// kinds are how files begin that may be taken for one another.
var kinds = []struct {
	name   string
	begins *regexp.Regexp
}{
	{"VCF", regexp.MustCompile(`^(##fileformat=VCF|#CHROM\tPOS\t)`)},
	{"GFF", regexp.MustCompile(`^(##gff-version|(#[^\n]*\n)*([^\t\n]+\t){3}[0-9]+\t[0-9]+\t[^\t\n]+\t[-+.?]\t)`)},
	{"BED", Intervals}, {"FASTA", regexp.MustCompile(`^>`)},
}

// Misread returns an error about the last line of what should be of a kind, and says if it begins like another.
func (t *Rows) Misread(wanted string, err error) error {
	for _, k := range kinds {
		if !k.begins.Match(t.head) {
			continue
		}
		if k.name != wanted {
			return t.Errorf("%w; the file looks like %s, want %s", err, k.name, wanted)
		}
		break
	}
	return t.Errorf("%w", err)
}

// RefuseBinary returns an error if the first bytes of an input are those of no text: one in twenty is a control byte. A
// stray one has an error of its own, with its place.
func (in *Input) RefuseBinary(head []byte) error {
	const least, share = 8, 20
	controls := 0
	for _, b := range head {
		if b < '\t' || b > '\r' && b < ' ' && b != '\x1b' || b == 0x7f {
			controls++
		}
	}
	switch {
	case controls < max(least, len(head)/share), strings.EqualFold(in.Encoding, "bytes"),
		bytes.HasPrefix(head, []byte("PAR1")): // Parquet
		return nil
	}
	return &Error{File: in.Name, Err: errors.New("a binary file, want text")}
}
