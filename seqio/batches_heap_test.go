//go:build heap

package seqio_test

import (
	"io"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/heaptest"
	"github.com/seqsvm/seqsvm/seqio"
)

// endless is lines without end, so that only a reader that keeps none of them comes to a verdict.
type endless struct {
	line []byte
	rest int // lines
	at   int
}

func (e *endless) Read(p []byte) (int, error) {
	if e.rest == 0 {
		return 0, io.EOF
	}
	n := copy(p, e.line[e.at:])
	if e.at += n; e.at == len(e.line) {
		e.at = 0
		e.rest--
	}
	return n, nil
}

// Batches of a text of 640 MB take memory for a batch, not for the text.
func TestHeapOfBatches(t *testing.T) {
	line := []byte("A\t" + strings.Repeat("lorem ipsum ", 5_000) + "\n")
	const lines, size = 10_000, 4 << 20
	records, batches, most, before := 0, 0, 0.0, heaptest.InUse()
	err := readBatches(&endless{line: line, rest: lines}, "a.tsv", seqio.Options{}, size, func(s *seqio.Set) error {
		records += s.Len()
		if batches++; batches%8 == 0 {
			most = max(most, heaptest.InUse()-before)
		}
		return nil
	})
	if err != nil || records != lines {
		t.Fatal(records, err)
	}
	if most == 0 || most > 4*size {
		t.Errorf("the heap grew by %.0f bytes for batches of %d", most, size)
	}
}
