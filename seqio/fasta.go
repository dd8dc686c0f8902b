package seqio

import (
	"io"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// fastaParser reads records “>id description”, sequence lines, into a collector.
type fastaParser struct{ c *collector }

func (f fastaParser) inside() bool  { return false } // a line says what it is by itself
func (f fastaParser) end(int) error { return nil }

func (f fastaParser) apart(c *collector) lineParser { return fastaParser{c} }

func (f fastaParser) parse(in *lines.Reader) error {
	c := f.c
	comment := false
	for {
		p, err := in.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if p.First {
			comment = false
			if len(p.Data) > 0 && p.Data[0] == '>' {
				c.end()
				if !p.Last {
					return longHeader(c, in.Line, p)
				}
				if err := c.header(p.Data[1:], in.Line); err != nil {
					return err
				}
				continue
			}
			if len(p.Data) > 0 && p.Data[0] == ';' {
				if c.open {
					return c.Errorf(in.Line, "';' comment line inside a record")
				}
				comment = true
			}
		}
		if comment {
			continue
		}
		if !c.open {
			if data := lines.TrimRight(p.Data); len(data) > 0 {
				return c.Errorf(in.Line, "expected '>', found %s", lines.ByteName(data[0]))
			}
			continue
		}
		if err := c.sequence(p, in.Line); err != nil {
			return err
		}
	}
}
