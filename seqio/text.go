package seqio

import (
	"io"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// parseLines reads every line as a record named by its number into c.
func parseLines(in *lines.Reader, c *collector) error {
	whole := wholeLines{in: in, c: c}
	for {
		line, err := whole.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := c.checkLine(line, in.Line); err != nil {
			return err
		}
		if err := c.document(document{text: line, line: in.Line}); err != nil {
			return err
		}
	}
}
