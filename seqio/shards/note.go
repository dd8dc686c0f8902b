package shards

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/seqio"
)

// Suffix is what the name of a note has after that of its file.
const Suffix = ".shard"

// Note says what the file of a shard holds. Lengths are in bytes, those of the file before compression.
type Note struct {
	Place
	Run       Run     `json:"run"`
	All       int     `json:"all"`        // pieces of all shards
	HeadBytes int64   `json:"head_bytes"` // of this file
	Pieces    []int64 `json:"pieces"`     // lengths of the pieces of this file
	Checksum  string  `json:"checksum"`   // CRC-32C of this file, hexadecimal
	Head      []byte  `json:"head"`       // of the undivided run, if it is not that of this file; else nil
}

// Run says by names and values what a run is: runs that are alike have the same output, undivided.
type Run []Value

// Value is a value with a name.
type Value struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Get returns a value, "" if there is none with that name.
func (r Run) Get(name string) string {
	for _, v := range r {
		if v.Name == name {
			return v.Value
		}
	}
	return ""
}

// difference returns the first name whose values in two runs differ, "" if none does.
func (r Run) difference(other Run) string {
	for _, pair := range [][2]Run{{r, other}, {other, r}} {
		for _, v := range pair[0] {
			if v.Value != pair[1].Get(v.Name) {
				return v.Name
			}
		}
	}
	return ""
}

// bytes is the length of the file.
func (n *Note) bytes() int64 { return n.HeadBytes + vectors.Sum(n.Pieces) }

// count returns how many pieces a shard has.
func (p Place) count(all int) int { return (all - p.Number + p.Of) / p.Of }

// check returns an error if the note contradicts itself.
func (n *Note) check() error {
	if err := n.Place.check(); err != nil {
		return err
	}
	switch {
	case n.All < 0 || n.HeadBytes < 0:
		return errors.New("a negative number")
	case len(n.Pieces) != n.count(n.All):
		return fmt.Errorf("%d pieces, want %d", len(n.Pieces), n.count(n.All))
	}
	for _, bytes := range n.Pieces {
		if bytes < 0 {
			return errors.New("a negative number")
		}
	}
	return nil
}

// Write writes the note as JSON.
func (n *Note) Write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(n)
}

// ErrNoNote is returned for a file without a note.
var ErrNoNote = errors.New("no note beside it")

// ReadNote reads the note of a file.
func ReadNote(path string) (*Note, error) {
	file, err := os.Open(path + Suffix)
	if errors.Is(err, os.ErrNotExist) {
		if _, err := os.Stat(path); err != nil {
			return nil, &seqio.Error{File: path, Err: errors.Unwrap(err)}
		}
		return nil, &seqio.Error{File: path, Err: ErrNoNote}
	}
	if err != nil {
		return nil, &seqio.Error{File: path + Suffix, Err: err}
	}
	defer file.Close()
	n := new(Note)
	if err := json.NewDecoder(file).Decode(n); err != nil {
		return nil, &seqio.Error{File: path + Suffix, Err: fmt.Errorf("not the note of a shard: %w", err)}
	}
	if err := n.check(); err != nil {
		return nil, &seqio.Error{File: path + Suffix, Err: fmt.Errorf("not the note of a shard: %w", err)}
	}
	return n, nil
}
