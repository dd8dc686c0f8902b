//go:build heap

package seqio

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/seqsvm/seqsvm/internal/heaptest"
)

// TestHeapOfReading: reading takes at most 2 bytes per letter beyond the corpus and what is kept of its records, and
// some buffers, at any moment, for many records as for one line of 50 million letters; one record of CSV, of which
// encoding/csv has copies of its own, up to 5.
func TestHeapOfReading(t *testing.T) {
	const letters, buffers = 50_000_000, 2 << 20
	sequence := strings.Repeat("ACGTTGCA", 40)
	many := func(w io.Writer, before, after string) {
		for i := range letters / len(sequence) {
			fmt.Fprintf(w, before, i%2, i)
			io.WriteString(w, sequence+after)
		}
	}
	line := strings.Repeat(sequence, letters/len(sequence))
	for _, c := range []struct {
		name  string
		write func(w io.Writer)
	}{
		{"many.fa", func(w io.Writer) { many(w, ">%[2]d label=%[1]d\n", "\n") }},
		{"many.fa.gz", func(w io.Writer) {
			z := gzip.NewWriter(w)
			many(z, ">%[2]d label=%[1]d\n", "\n")
			z.Close()
		}},
		{"many.tsv", func(w io.Writer) { many(w, "%[1]d\t", "\n") }},
		{"many.jsonl", func(w io.Writer) { many(w, `{"label":"%[1]d","text":"`, `"}`+"\n") }},
		{"line.fa", func(w io.Writer) { io.WriteString(w, ">s\n"+line+"\n") }},
		{"line.txt", func(w io.Writer) { io.WriteString(w, line+"\n") }},
		{"line.tsv", func(w io.Writer) { io.WriteString(w, "a\t"+line+"\n") }},
		{"many.csv", func(w io.Writer) {
			io.WriteString(w, "label,text\n")
			many(w, "%[1]d,", "\n")
		}},
		{"line.csv", func(w io.Writer) { io.WriteString(w, "label,text\na,"+line+"\n") }},
		{"line.jsonl", func(w io.Writer) { io.WriteString(w, `{"label":"a","text":"`+line+`"}`+"\n") }},
	} {
		var input bytes.Buffer
		c.write(&input)
		before, stop, peak := heaptest.InUse(), make(chan bool), make(chan float64)
		go func() {
			most := 0.0
			for {
				select {
				case <-stop:
					peak <- most
					return
				case <-time.After(20 * time.Millisecond):
					most = max(most, heaptest.InUse())
				}
			}
		}()
		set, err := Read(bytes.NewReader(input.Bytes()), c.name, Options{})
		close(stop)
		if err != nil || set.Corpus.Letters() != letters {
			t.Fatalf("%s: not %d letters, %v", c.name, letters, err)
		}
		kept := heaptest.InUse()
		beyond := max(<-peak, kept) - max(kept, before+letters)
		most := 2.0
		if c.name == "line.csv" {
			most = 5
		}
		t.Logf("%s: %.1f bytes per letter beyond the corpus", c.name, beyond/letters)
		if beyond > most*letters+buffers {
			t.Errorf("%s: %.1f bytes per letter beyond the corpus, want at most %v", c.name, beyond/letters, most)
		}
		runtime.KeepAlive(set)
		runtime.KeepAlive(&input)
	}
}
