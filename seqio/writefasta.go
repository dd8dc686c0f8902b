package seqio

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// WriteFASTA writes the records as FASTA with the given number of letters per line, 0 for all on one line. The header
// is the id and the description; a label that does not follow from the description is put before it as label=X. Read
// with CaseKept and the alphabet Bytes gives the same ids, descriptions (except for that token), labels and sequences
// back; a record for which it would not, since its id is empty or a byte has no place in FASTA, is an [*Error]. Ids are
// not compared with each other.
func WriteFASTA(w io.Writer, s *Set, width int) error {
	if width < 0 {
		return fmt.Errorf("seqio: FASTA width = %d, want ≥ 0", width)
	}
	out := bufio.NewWriterSize(w, 64<<10)
	for i := range s.Len() {
		header, err := s.header(i)
		if err != nil {
			return err
		}
		out.WriteByte('>')
		out.WriteString(header)
		out.WriteByte('\n')
		x := s.Corpus.Seq(i)
		if bad := lines.CheckSequence(x); bad < len(x) {
			return s.Errorf(i, "%s at position %d cannot be written as FASTA", lines.LetterName(x[bad]), bad+1)
		}
		for line := range slices.Chunk(x, cmp.Or(width, len(x), 1)) {
			out.Write(line)
			out.WriteByte('\n')
		}
	}
	return out.Flush()
}

// header returns the header line of record i, without '>', so that it reads back.
func (s *Set) header(i int) (string, error) {
	header, description := s.Corpus.Name(i), ""
	if s.Descriptions != nil {
		description = s.Descriptions[i]
	}
	if header == "" {
		return "", lines.Errorf(s.Source, 0, "record %d has no id, which FASTA needs", i+1)
	}
	if at := lines.IndexControl([]byte(header), true); at >= 0 {
		return "", s.Errorf(i, "%s in the id cannot be written as FASTA", lines.ByteName(header[at]))
	}
	if strings.ContainsAny(description, "\x00\r\n") || strings.Trim(description, " \t") != description {
		return "", s.Errorf(i, "the description %s cannot be written as FASTA", lines.Quote(description))
	}
	if known, _ := lines.LabelOf(description); s.Label(i) != known {
		label := s.Label(i)
		token := "label=" + label
		if fields := strings.Fields(token); len(fields) != 1 || fields[0] != token || strings.Contains(label, "\x00") {
			return "", s.Errorf(i, "the label %s has white space and cannot be written as FASTA", lines.Quote(label))
		}
		header += " " + token
	}
	if description != "" {
		header += " " + description
	}
	if len(header) >= lines.BufferSize-1 { // the line also has a '>' and a line end
		return "", s.Errorf(i, "a header of %d bytes cannot be written as FASTA, want fewer than %d", len(header),
			lines.BufferSize-1)
	}
	return header, nil
}

// fasta reads records “>id description”, sequence lines.
func (c *collector) fasta(r io.Reader) error {
	in, comment := lines.NewReader(r), false
	return lines.Each(in.Next, func(p lines.Piece) error {
		if p.First {
			comment = false
			if len(p.Data) > 0 && p.Data[0] == '>' {
				c.end()
				if !p.Last {
					return longHeader(c, in.Line, p)
				}
				return c.header(p.Data[1:], in.Line)
			}
			if len(p.Data) > 0 && p.Data[0] == ';' {
				if c.open {
					return c.Errorf(in.Line, "';' comment line inside a record")
				}
				comment = true
			}
		}
		if comment {
			return nil
		}
		if !c.open {
			if data := lines.TrimRight(p.Data); len(data) > 0 {
				return c.Errorf(in.Line, "expected '>', found %s", lines.ByteName(data[0]))
			}
			return nil
		}
		return c.sequence(p, in.Line)
	})
}
