package svm

import (
	"fmt"
	"io"
	"time"
)

// Checkpoint keeps the state of a run while it goes on: coefficients, the point and its scores. A run that finds the
// state of an earlier one, which was interrupted, goes on from there and ends with the same bits. Where that is of
// other records, labels or options, Solve fails with a [CheckpointError] and leaves it as it is. When the context ends,
// Solve ends after the iteration, whose state it writes first.
//
// The state takes 16 bytes per record and 16 for each entry of a table.
type Checkpoint struct {
	Store Store
	Name  string        // of what is trained, such as kernel and options: what is resumed must have the same
	Every time.Duration // at least this long between two writes; zero: a minute
}

// Store is a place for one state, such as a file. Names of errors are its own.
type Store interface {
	// Open opens the last state. If none was written, the error wraps [fs.ErrNotExist].
	Open() (io.ReadCloser, error)
	// Write replaces the state by what write writes, when that is complete; an error of write leaves it as it was.
	Write(write func(w io.Writer) error) error
}

// CheckpointError is the error of Solve for a state that is not one of this run, or is damaged.
type CheckpointError struct {
	Store Store // where it is
	Err   error // what is wrong with it
}

// Error says what is wrong with the checkpoint.
func (e *CheckpointError) Error() string {
	return fmt.Sprintf("svm: the checkpoint does not fit: %v", e.Err)
}

// Unwrap returns Err.
func (e *CheckpointError) Unwrap() error { return e.Err }
