//go:build heap

package main_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/internal/heaptest"
)

// Copies of a long record are not all in memory at a time: 60 million letters are made of one of a million.
func TestHeapOfShuffles(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFiles(t, map[string]string{"p.fa": ">a\n" + strings.Repeat("ACGTTGCAAC", 100_000) + "\n"})
	w := &heapWriter{before: heaptest.InUse()}
	code := newApp().Run(t.Context(), strings.Fields("genome negatives -q --shuffle --kmer 1 --copies 60 p.fa"),
		cli.Streams{In: strings.NewReader(""), Out: w, Err: io.Discard})
	if code != cli.ExitOK || w.lines != 120 || w.letters < 60e6 {
		t.Errorf("code %d, %d lines, %d letters, not 60 shuffles", code, w.lines, w.letters)
	}
	if w.most == 0 || w.most > 40e6 {
		t.Errorf("%.0f bytes of memory for shuffles of a million letters", w.most)
	}
}

// heapWriter counts what is written, and measures now and then how much more memory is in use than before, while the
// shuffles wait to be written.
type heapWriter struct {
	before, most           float64
	writes, lines, letters int
}

func (w *heapWriter) Write(p []byte) (int, error) {
	if w.writes++; w.writes%32 == 0 {
		w.most = max(w.most, heaptest.InUse()-w.before)
	}
	w.lines += bytes.Count(p, []byte{'\n'})
	w.letters += len(p)
	return len(p), nil
}
