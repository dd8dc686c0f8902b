package stringkernel

import "fmt"

// RecordError is the error of a kernel about one sequence, such as a window of another length than the rest. Callers
// that know where the sequences come from find it with errors.As and name the place.
type RecordError struct {
	Record int    // 0-based index in the corpus given
	Name   string // of the sequence, possibly empty
	Err    error  // what is wrong with it
}

// Error names the sequence with its number, counted from 1.
func (e *RecordError) Error() string {
	if e.Name == "" {
		return fmt.Sprintf("record number %d: %v", e.Record+1, e.Err)
	}
	return fmt.Sprintf("record %.80q (number %d): %v", e.Name, e.Record+1, e.Err)
}

// Unwrap returns the error without the record.
func (e *RecordError) Unwrap() error { return e.Err }
