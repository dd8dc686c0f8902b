package seqio_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/heaptest"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/internal/inputtest"
)

// A stream, and an input in batches, may have descriptions beyond the memory: they are not kept.
func TestDescriptionsAreNotKept(t *testing.T) {
	heaptest.Limit(t, 16<<20)
	const records = 300
	input := func() io.Reader {
		return inputtest.Packed(t, func(w io.Writer) {
			for i := range records {
				fmt.Fprintf(w, ">%d %s\nA\n", i, strings.Repeat("x", 1<<17))
			}
		})
	}
	n := 0
	if err := seqio.Stream(input(), "a.fa", seqio.StreamOptions{Size: 10}, func(seqio.Chunk) error { n++; return nil }); err != nil ||
		n != records {
		t.Errorf("a stream: %v after %d records", err, n)
	}
	n = 0
	err := readBatches(input(), "a.fa", seqio.Options{}, 64, func(s *seqio.Set) error { n += s.Len(); return nil })
	if err != nil || n != records {
		t.Errorf("batches: %v after %d records", err, n)
	}
}
