package seqio_test

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/seqsvm/seqsvm/internal/heaptest"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/internal/inputtest"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// TestFirstDecides: what the first records look like holds for those that come, which may look like something else.
func TestFirstDecides(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
		alphabet         stringkernel.Alphabet
	}{
		{"x.tsv", "label\ttext\na\tacgt\nb\tggua\n", "ACGT GGTA", stringkernel.DNA},
		{"x.tsv", "label\ttext\na\tsome words\nb\tacgt\n", "some words acgt", stringkernel.Bytes},
		{"x.fa", ">a\nacgu\n>b\nacgt\n", "ACGU ACGU", stringkernel.RNA},
		{"x.fa", ">a\nacgt\n>b\nMKLV\n", "ACGT MKLV", stringkernel.DNA},
	} {
		var first *seqio.Collection
		var got []string
		in := []seqio.Input{{Path: c.name, Reader: strings.NewReader(c.text)}}
		must.Succeed(t, seqio.AllBatches(context.Background(), in, seqio.Options{FirstDecides: true}, 1, func(all *seqio.Collection) error {
			if first == nil {
				first = all
			}
			for i := range all.Corpus.Len() {
				got = append(got, string(all.Corpus.Seq(i)))
			}
			return nil
		}))
		if text := strings.Join(got, " "); text != c.want || first.DetectAlphabet() != c.alphabet {
			t.Errorf("%q is %q in %s, want %q in %s", c.text, text, first.DetectAlphabet(), c.want, c.alphabet)
		}
	}
}

// A record that is much larger than a batch is read in linear time: what is allocated is a few times its size, however
// short its lines are.
func TestRecordLargerThanBatch(t *testing.T) {
	const letters = 2 << 20
	text := ">a\n" + strings.Repeat("ACGT\n", letters/4)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	in := []seqio.Input{{Path: "a.fa", Reader: iotest.HalfReader(strings.NewReader(text))}}
	err := seqio.AllBatches(t.Context(), in, seqio.Options{}, 1<<20, func(c *seqio.Collection) error {
		if c.Corpus.Letters() != letters {
			t.Errorf("%d letters", c.Corpus.Letters())
		}
		return nil
	})
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; err != nil || grown > 20*letters {
		t.Errorf("%d bytes were allocated for %d letters, %v", grown, letters, err)
	}
}

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
