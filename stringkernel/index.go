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

// MostLetters is the greatest number of letters of a corpus whose places are 32-bit numbers: 2³¹ − 2.
const MostLetters = 1<<31 - 2

// CheckLetters returns an error if a corpus has more than [MostLetters]: kernels whose indices number its letters by 32
// bits begin with it. Those that fold into tables number records, and have no such limit.
func CheckLetters(c *Corpus) error { return checkLetters(c.Letters()) }

func checkLetters(letters int) error {
	if letters > MostLetters {
		return fmt.Errorf("%d letters, and this kernel indexes at most %d: take fewer records, or a kernel that counts "+
			"k-mers in tables (spectrum, gapped, mismatch, wd, words)", letters, MostLetters)
	}
	return nil
}

// MergeError says that merging a model trained on a corpus might take more memory than there is for it.
type MergeError struct {
	Records, Letters int   // of the corpus
	Err              error // how much it would take were all records support vectors, and how much there is
}

// Error names the records, the memory and what to do.
func (e *MergeError) Error() string {
	return fmt.Sprintf("merging a model of up to %d records with %d letters needs %v; take fewer or shorter records, or "+
		"keep the sequences in the model (--keep-sequences)", e.Records, e.Letters, e.Err)
}

// Unwrap returns the reason.
func (e *MergeError) Unwrap() error { return e.Err }

// CheckMerge returns a [MergeError] if merging all sequences of a corpus for so many outputs would take more memory
// than --max-memory allows, as far as that is known ([Traits].MergeBytes): a model whose support vectors are to be
// merged need not be trained then.
func CheckMerge(k Kernel, c *Corpus, outputs int) error {
	bytes := TraitsOf(k).MergeBytes
	if bytes == nil {
		return nil
	}
	if err := memory.Check(bytes(c.Len(), c.Letters(), outputs)); err != nil {
		return &MergeError{c.Len(), c.Letters(), err}
	}
	return nil
}
