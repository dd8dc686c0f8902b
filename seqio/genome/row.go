package genome

import (
	"fmt"
	"strconv"

	"github.com/seqsvm/seqsvm/internal/plural"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// Strand is the strand of a sequence that something is on.
type Strand byte

// The strands.
const (
	Plus     Strand = '+' // read as the sequence is
	Minus    Strand = '-' // read as its reverse complement
	NoStrand Strand = '.' // unknown, or without meaning
)

// String returns "+", "-" or ".".
func (s Strand) String() string { return string(rune(s)) }

// row parses the columns of a line and keeps the first error.
type row struct {
	columns [][]byte
	err     error
}

func (r *row) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
}

// width checks the number of columns.
func (r *row) width(least, most int, want string) bool {
	n := len(r.columns)
	if n < least || n > most {
		r.fail("%s, want %s", plural.Of(n, "column"), want)
	}
	return r.err == nil
}

// seq checks the first column, which names a sequence as the id of a FASTA record does.
func (r *row) seq() []byte {
	name := r.columns[0]
	if len(name) == 0 {
		r.fail("the name of the sequence is empty")
	}
	if at := lines.IndexControl(name, true); at >= 0 {
		r.fail("%s in the name of the sequence, %s", lines.ByteName(name[at]), lines.Quote(string(name)))
	}
	return name
}

// number parses a whole number of at least least; prefix and what name it in the error.
func (r *row) number(column []byte, prefix, what string, least int) int {
	n, err := strconv.Atoi(string(column))
	if err != nil || n < least {
		r.fail("%s%s is %s, want a whole number ≥ %d", prefix, what, lines.Quote(string(column)), least)
	}
	return n
}

// span parses a start of at least least and an end; prefix precedes what the error says.
func (r *row) span(from, to []byte, prefix string, least int) Span {
	s := Span{r.number(from, prefix, "start", least), r.number(to, prefix, "end", least)}
	if s.Start > s.End {
		r.fail("%sstart %d is after end %d", prefix, s.Start, s.End)
	}
	return s
}

// strand parses a strand; '?', which is GFF3 for one that matters and is not known, is NoStrand.
func (r *row) strand(column []byte) Strand {
	switch string(column) {
	case "+", "-", ".":
		return Strand(column[0])
	case "?":
		return NoStrand
	}
	r.fail("strand is %s, want '+', '-' or '.'", lines.Quote(string(column)))
	return NoStrand
}
