// Package inputtest has what tests of several packages read from and write to.
package inputtest

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// ErrDisk is the error of [FullDisk].
var ErrDisk = errors.New("disk on fire")

// FullDisk fails at every write.
type FullDisk struct{}

// Write implements io.Writer.
func (FullDisk) Write([]byte) (int, error) { return 0, ErrDisk }

// Packed returns what write writes, compressed.
func Packed(t *testing.T, write func(w io.Writer)) *bytes.Buffer {
	t.Helper()
	var small bytes.Buffer
	w := gzip.NewWriter(&small)
	write(w)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return &small
}

// WantTooLarge wants an error that says what memory is needed and names the input, and the line, if that is not 0.
func WantTooLarge(t *testing.T, name string, err error, line int) {
	t.Helper()
	var large *memory.Error
	var place *lines.Error
	if !errors.As(err, &large) || !errors.As(err, &place) || place.Line == 0 || line > 0 && place.Line != line ||
		strings.Count(err.Error(), name) != 1 {
		t.Errorf("%s: %v, want what memory is needed, and the line (%d)", name, err, line)
	}
}
