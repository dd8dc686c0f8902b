package seqio

import "io"

// parseLines reads every line as a record named by its number into c.
func parseLines(in *lineReader, c *collector) error {
	lines := wholeLines{in: in, c: c}
	for {
		line, err := lines.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := c.checkLine(line, in.line); err != nil {
			return err
		}
		if err := c.document(document{text: line, line: in.line}); err != nil {
			return err
		}
	}
}
