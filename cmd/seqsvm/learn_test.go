package main_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"strings"
	"testing"

	main "github.com/seqsvm/seqsvm/cmd/seqsvm"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/internal/must"
)

// few gives few records, the last of them not to its end, and interrupts while more is waited for.
type few struct {
	text      string
	interrupt func()
}

func (f *few) Read(p []byte) (int, error) {
	if f.text == "" {
		f.interrupt()
		select {}
	}
	n := copy(p, f.text)
	f.text = f.text[n:]
	return n, nil
}

// A stream that is interrupted leaves the model of what was learned before, and the exit status of an interrupt.
// Records that do not fill a batch, or that a kernel is fitted to, are learned from: the model is that of a stream that
// ends with them.
func TestLearnInterrupted(t *testing.T) {
	t.Chdir(t.TempDir())
	fasta := strings.Repeat(">x label=one\nACACACAC\n>y label=two\nGTGTGTGT\n", 500)
	texts := strings.Repeat("one\tan early bird\ntwo\ta late worm\n", 10)
	for kernel, c := range map[string]struct{ whole, cut string }{
		"spectrum:k=2": {fasta, fasta + ">z label=one\nACGTGT"}, "substring:weight=bounded,k=2": {fasta, fasta + ">z\n"},
		"words --input tsv": {texts, texts + "one\tan ear"},
	} {
		learn := func(ctx context.Context, in io.Reader, output string) (code int, table, messages string) {
			var out, message bytes.Buffer
			args := strings.Fields("learn --kernel " + kernel + " -o " + output + " -")
			code = newApp().Run(ctx, args, cli.Streams{In: in, Out: &out, Err: &message})
			return code, out.String(), message.String()
		}
		for _, batch := range []int{1 << 20, 200} {
			set(t, main.LearnBatch, batch)
			ctx, interrupt := context.WithCancel(t.Context())
			code, table, messages := learn(ctx, &few{c.cut, interrupt}, "few.seqsvm")
			if code != cli.ExitInterrupted || !strings.Contains(messages, "the model is of what was learned before") ||
				!strings.HasPrefix(table, "n\t") {
				t.Errorf("%s in batches of %d: exit code %d, %s%s", kernel, batch, code, messages, table)
			}
			code, _, messages = learn(t.Context(), strings.NewReader(c.whole), "whole.seqsvm")
			if reported := strings.Contains(messages, ": 1000 records: error 0."); code != cli.ExitOK ||
				reported != (c.whole == fasta) {
				t.Errorf("%s: exit code %d, %s", kernel, code, messages)
			}
			if batch > 200 && mustRead(t, "few.seqsvm") != mustRead(t, "whole.seqsvm") { // batches may wait when it ends
				t.Errorf("%s: the model is another one", kernel)
			}
			mustTool(t, "model", "info", "few.seqsvm")
		}
	}
}

// The same stream gives the same bytes whatever the pieces it comes in and the size of batches.
func TestLearnInPieces(t *testing.T) {
	t.Chdir(t.TempDir())
	var text strings.Builder
	for i := range 300 {
		text.WriteString(">r label=" + []string{"one", "two", "three"}[i*i%3] + "\n")
		for j := range 40 {
			text.WriteByte("ACGT"[(i*j+i%3*j*j)%4])
		}
		text.WriteString("\n")
	}
	for _, kernel := range []string{"spectrum:k=3,rc", "wd:d=3", "words:letters"} {
		var first []byte
		for _, batch := range []int{1 << 16, 1000, 100} {
			set(t, main.LearnBatch, batch)
			std := cli.Streams{In: &slow{strings.NewReader(text.String()), batch/50 + 1}, Out: io.Discard, Err: io.Discard}
			args := "learn --input alphabet=dna --kernel " + kernel + " -o m.seqsvm -"
			if strings.HasPrefix(kernel, "words") {
				set(t, main.WarmUp, 100)
				args = strings.Replace(args, "--input alphabet=dna ", "", 1)
			}
			if code := newApp().Run(t.Context(), strings.Fields(args), std); code != cli.ExitOK {
				t.Fatalf("%s: exit code %d", kernel, code)
			}
			model := must.Get(os.ReadFile("m.seqsvm"))(t)
			if first == nil {
				first = model
			} else if !bytes.Equal(first, model) {
				t.Errorf("%s: another model with batches of %d", kernel, batch)
			}
		}
	}
}

// slow reads a few bytes at a time.
type slow struct {
	io.Reader
	most int
}

func (s *slow) Read(p []byte) (int, error) { return s.Reader.Read(p[:min(len(p), s.most)]) }
