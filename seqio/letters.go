package seqio

import (
	"bytes"
	"fmt"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Case says what becomes of lower-case letters (a–z). The zero value is [CaseAuto].
type Case string

// The treatments of lower-case letters.
const (
	CaseAuto  Case = ""      // upper case in sequences, as written in text
	CaseUpper Case = "upper" // converted to upper case
	CaseKept  Case = "kept"  // as written: in sequences they are outside the alphabet and break matches
	// kept where nearly all records are nucleotides with one stretch of upper case between lower case; else CaseAuto
	CaseSites Case = "sites"
)

// Check returns an error if it is not one of the constants above.
func (c Case) Check() error {
	if c != CaseAuto && c != CaseUpper && c != CaseKept && c != CaseSites {
		return fmt.Errorf("seqio: case = %q, want upper, kept or sites", string(c))
	}
	return nil
}

// LetterTable maps the bytes of a record to what they are read as by a model of an alphabet: upper case unless letters
// are kept as written, U as T for DNA and T as U for RNA, and letters of a group of amino acids as the one that stands
// for it. [CaseAuto] means upper case for nucleotides and amino acids.
// It is nil if every byte is read as it is.
func LetterTable(c Case, a stringkernel.Alphabet) *[256]byte {
	upper := c == CaseUpper || c == CaseAuto && isSequence(a)
	foreign, group := foreignBase(a), a.Representatives()
	if !upper && foreign == 0 && group == nil {
		return nil
	}
	var table [256]byte
	for b := range table {
		table[b] = byte(b)
	}
	if group != nil {
		table = *group
	}
	if foreign != 0 {
		native := 'T' ^ 'U' ^ foreign
		table[foreign], table[foreign|0x20] = native, native|0x20
	}
	if upper {
		for b := range table {
			table[b] = lines.UpperByte[table[b]]
		}
	}
	return &table
}

// isSite reports whether the upper-case letters of a record are one stretch, with lower-case ones beside it.
func isSite(x []byte) bool {
	lower := func(r rune) bool { return 'a' <= r && r <= 'z' }
	site := bytes.TrimFunc(x, lower)
	return len(site) > 0 && len(site) < len(x) && bytes.IndexFunc(site, lower) < 0
}

// isSequence reports whether the letters of an alphabet are nucleotides or amino acids.
func isSequence(a stringkernel.Alphabet) bool { return a != "" && a != stringkernel.Bytes }

// foreignBase returns the base of the other nucleic acid: U for DNA, T for RNA, otherwise 0.
func foreignBase(a stringkernel.Alphabet) byte {
	switch a {
	case stringkernel.DNA:
		return 'U'
	case stringkernel.RNA:
		return 'T'
	}
	return 0
}
