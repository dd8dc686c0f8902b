package seqio

import "io"

// parseFASTA reads records “>id description”, sequence lines, into c.
func parseFASTA(in *lineReader, c *collector) error {
	comment := false
	for {
		p, err := in.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if p.first {
			comment = false
			if len(p.data) > 0 && p.data[0] == '>' {
				c.end()
				if !p.last {
					return longHeader(c, in.line, p)
				}
				if err := c.header(p.data[1:], in.line); err != nil {
					return err
				}
				continue
			}
			if len(p.data) > 0 && p.data[0] == ';' {
				if c.open {
					return c.errorf(in.line, "';' comment line inside a record")
				}
				comment = true
			}
		}
		if comment {
			continue
		}
		if !c.open {
			if data := trimRight(p.data); len(data) > 0 {
				return c.errorf(in.line, "expected '>', found %s", byteName(data[0]))
			}
			continue
		}
		if err := c.sequence(p, in.line); err != nil {
			return err
		}
	}
}
