package seqio

import (
	"io"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

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
