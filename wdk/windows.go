package wdk

import (
	"fmt"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// windowLength returns the length of the windows of a corpus, 0 if there are none. If they have not one length, the error is a [stringkernel.RecordError] of the
// first record that is not as long as the first one.
func windowLength(c *stringkernel.Corpus) (int, error) {
	if c.Len() == 0 {
		return 0, nil
	}
	length := len(c.Seq(0))
	for i := range c.Len() {
		if n := len(c.Seq(i)); n != length {
			err := fmt.Errorf("%d letters, want %d as the first record has: windows must have one length", n, length)
			return 0, &stringkernel.RecordError{Record: i, Name: c.Name(i), Err: err}
		}
	}
	return length, nil
}
