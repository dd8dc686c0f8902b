package stringkernel

import (
	"fmt"

	"github.com/seqsvm/seqsvm/internal/memory"
)

// IndexError says that an index of a corpus would take more memory than there is for it.
type IndexError struct {
	Letters int   // of the corpus
	Err     error // how much it would take, and how much there is
}

// Error names the letters, the memory and what to do.
func (e *IndexError) Error() string {
	return fmt.Sprintf("an index of %d letters needs %v; take fewer or shorter records", e.Letters, e.Err)
}

// Unwrap returns the reason.
func (e *IndexError) Unwrap() error { return e.Err }

// CheckIndex returns an [IndexError] if the structure that a kernel is about to build of c would take more memory than
// --max-memory allows: perLetter bytes for each letter at its peak, beyond the corpus. Gram and Merge begin with it: a
// Go program cannot recover from running out of memory.
func CheckIndex(c *Corpus, perLetter float64) error {
	if err := memory.Check(perLetter * float64(c.Letters())); err != nil {
		return &IndexError{c.Letters(), err}
	}
	return nil
}
