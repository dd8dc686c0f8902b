package genome

import (
	"cmp"
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// Site is a place of a sequence with a value, for the formats that genome browsers and interval tools read.
type Site struct {
	Record string // id, without white space
	Start  int    // 0-based
	End    int    // 0-based, after the last letter
	Strand byte   // '+', '-' or '.'
	Name   string
	Level  int     // 0…1000, for browsers to shade by; BED
	Value  float64 // the score itself
	Q      float64 // q-value, NaN where there is none
	Digits int     // significant ones of Value and Q, but in JSON; 0: as many as read back as the same number
}

// AppendBED appends a line of tab-separated columns: record, start (0-based), end (exclusive), name, level, strand
// (BED6), then the value and, if there is one, the q-value. White space in the name becomes '_', and no name '.'.
func AppendBED(dst []byte, s *Site) []byte {
	dst = appendPlace(dst, s.Record, s.Start, s.End)
	dst = append(dst, cmp.Or(lines.OneWord(s.Name), ".")...)
	dst = append(dst, '\t')
	dst = strconv.AppendInt(dst, int64(s.Level), 10)
	dst = append(dst, '\t', s.Strand, '\t')
	dst = s.appendNumber(dst, s.Value)
	if !math.IsNaN(s.Q) {
		dst = append(dst, '\t')
		dst = s.appendNumber(dst, s.Q)
	}
	return append(dst, '\n')
}

// AppendBedGraph appends a line of record, start (0-based), end (exclusive) and value. The format wants lines that do
// not overlap.
func AppendBedGraph(dst []byte, s *Site) []byte {
	return append(s.appendNumber(appendPlace(dst, s.Record, s.Start, s.End), s.Value), '\n')
}

// GFF3Header is the first line of every GFF3 file.
const GFF3Header = "##gff-version 3\n"

// AppendGFF3 appends a line of nine tab-separated columns: record, source, type, start (1-based), end (inclusive),
// value, strand, no phase, and the attributes Name and, if there is one, qvalue. Bytes with a meaning in GFF3 are
// escaped as %XX. Type is a term of the Sequence Ontology.
//
// L. Stein, Generic Feature Format Version 3, Sequence Ontology Project, 2020.
func AppendGFF3(dst []byte, s *Site, source, kind string) []byte {
	dst = s.appendNumber(AppendGFF3Place(dst, s.Record, source, kind, Span{s.Start, s.End}), s.Value)
	dst = append(dst, '\t', s.Strand)
	dst = append(dst, "\t.\tName="...)
	dst = appendEscaped(dst, s.Name, isAttribute)
	if !math.IsNaN(s.Q) {
		dst = append(dst, ";qvalue="...)
		dst = s.appendNumber(dst, s.Q)
	}
	return append(dst, '\n')
}

// AppendGFF3Place appends the first five columns of a line of GFF3, a tab after each: record, source, type, start
// (1-based) and end (inclusive) of a span. Bytes that may not be there are escaped as %XX: in the first column all but
// letters, digits and a few others, in the next two controls and %.
func AppendGFF3Place(dst []byte, record, source, kind string, s Span) []byte {
	dst = append(appendEscaped(dst, record, isSeqID), '\t')
	dst = append(appendEscaped(dst, source, isText), '\t')
	return appendPlace(appendEscaped(dst, kind, isText), "", s.Start+1, s.End)
}

// appendPlace appends a text and two numbers, each with a tab after it.
func appendPlace(dst []byte, text string, start, end int) []byte {
	dst = append(dst, text...)
	dst = append(dst, '\t')
	dst = strconv.AppendInt(dst, int64(start), 10)
	dst = append(dst, '\t')
	dst = strconv.AppendInt(dst, int64(end), 10)
	return append(dst, '\t')
}

// AppendJSON appends an object in a line: chrom, start (0-based), end (exclusive), name, level, strand, score and, if
// there is one, q_value.
func AppendJSON(dst []byte, s *Site) []byte {
	dst = appendText(append(dst, `{"chrom":`...), s.Record)
	dst = strconv.AppendInt(append(dst, `,"start":`...), int64(s.Start), 10)
	dst = strconv.AppendInt(append(dst, `,"end":`...), int64(s.End), 10)
	dst = appendText(append(dst, `,"name":`...), s.Name)
	dst = strconv.AppendInt(append(dst, `,"level":`...), int64(s.Level), 10)
	dst = append(append(append(dst, `,"strand":"`...), s.Strand), `","score":`...)
	dst = strconv.AppendFloat(dst, s.Value, 'g', -1, 64)
	if !math.IsNaN(s.Q) {
		dst = strconv.AppendFloat(append(dst, `,"q_value":`...), s.Q, 'g', -1, 64)
	}
	return append(dst, "}\n"...)
}

// appendText appends a string in JSON.
func appendText(dst []byte, text string) []byte {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err) // every string has a form in JSON
	}
	return append(dst, quoted...)
}

func (s *Site) appendNumber(dst []byte, x float64) []byte {
	return strconv.AppendFloat(dst, x, 'g', cmp.Or(s.Digits, -1), 64)
}

// appendEscaped appends text with %XX in place of every byte that must be escaped.
func appendEscaped(dst []byte, text string, plain func(b byte) bool) []byte {
	const digits = "0123456789ABCDEF"
	for i := range len(text) {
		if b := text[i]; plain(b) {
			dst = append(dst, b)
		} else {
			dst = append(dst, '%', digits[b>>4], digits[b&15])
		}
	}
	return dst
}

// isSeqID reports whether a byte may be in the first column of GFF3.
func isSeqID(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' ||
		strings.IndexByte(".:^*$@!+_?-|", b) >= 0
}

// isText reports whether a byte may be in the second or third column of GFF3.
func isText(b byte) bool { return b >= ' ' && b != 0x7f && b != '%' }

// isAttribute reports whether a byte may be in the value of an attribute of GFF3.
func isAttribute(b byte) bool { return isText(b) && strings.IndexByte(";=&,", b) < 0 }
