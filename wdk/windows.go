package wdk

import (
	"fmt"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// windowLength returns the length of the windows of a corpus, 0 if there are none. If they have not one length, the error names the first record
// that is not as long as the first one.
func windowLength(c *stringkernel.Corpus) (int, error) {
	if c.Len() == 0 {
		return 0, nil
	}
	length := len(c.Seq(0))
	for i := range c.Len() {
		if n := len(c.Seq(i)); n != length {
			return 0, fmt.Errorf("record %s has %d letters, want %d as the first one has: windows must have one length", recordName(c, i), n, length)
		}
	}
	return length, nil
}

// recordName is the quoted name of record i with its number, counted from 1.
func recordName(c *stringkernel.Corpus, i int) string {
	if name := c.Name(i); name != "" {
		return fmt.Sprintf("%.80q (number %d)", name, i+1)
	}
	return fmt.Sprintf("number %d", i+1)
}
