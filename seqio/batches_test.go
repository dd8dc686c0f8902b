package seqio_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio"
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

// Batches that were given back change nothing of those to come, whether at once or later, nor ids and labels that were
// kept.
func TestReleasedBatches(t *testing.T) {
	var text strings.Builder
	rng := rand.New(rand.NewPCG(1, 7))
	for i := range 500 {
		fmt.Fprintf(&text, ">r%d label=%d and more\n", i, i%3)
		for range rng.IntN(4) {
			fmt.Fprintf(&text, "%s\n", strings.Repeat("ACGT"[i%4:i%4+1], 1+rng.IntN(40)))
		}
	}
	read := func(lag int) (records []string) {
		var pending []*seqio.Collection
		var ids, labels []string
		in := []seqio.Input{{Path: "a.fa", Reader: strings.NewReader(text.String())}}
		must.Succeed(t, seqio.AllBatches(t.Context(), in, seqio.Options{}, 1000, func(c *seqio.Collection) error {
			for i := range c.Corpus.Len() {
				records = append(records, fmt.Sprint(string(c.Corpus.Seq(i)), c.Sets[0].Lines[i], c.Sets[0].Descriptions[i]))
				ids, labels = append(ids, c.Corpus.Name(i)), append(labels, c.Sets[0].Label(i))
			}
			if pending = append(pending, c); lag >= 0 && len(pending) > lag {
				pending[0].Release()
				pending = pending[1:]
			}
			return nil
		}))
		return slices.Concat(records, ids, labels)
	}
	want := read(-1)
	for _, lag := range []int{0, 1, 3} {
		if got := read(lag); !slices.Equal(got, want) {
			t.Errorf("given back %d batches later: other records", lag)
		}
	}
}
