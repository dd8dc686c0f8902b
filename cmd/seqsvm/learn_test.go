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

// endless gives records without end, and interrupts after some of them.
type endless struct {
	interrupt func()
	given     int
}

func (e *endless) Read(p []byte) (int, error) {
	const records = ">x label=one\nACACACAC\n>y label=two\nGTGTGTGT\n"
	if e.given++; e.given == 1000 {
		e.interrupt()
	}
	return copy(p, records), nil
}

// An interrupted stream leaves the model of what was learned before, and the exit status of an interrupt.
func TestLearnInterrupted(t *testing.T) {
	t.Chdir(t.TempDir())
	set(t, main.LearnBatch, 1<<10)
	for _, kernel := range []string{"spectrum:k=2", "substring:weight=bounded,k=2"} {
		ctx, interrupt := context.WithCancel(t.Context())
		var out, messages bytes.Buffer
		args := strings.Fields("learn --kernel " + kernel + " -o m.seqsvm -")
		std := cli.Streams{In: &endless{interrupt: interrupt}, Out: &out, Err: &messages}
		if code := newApp().Run(ctx, args, std); code != cli.ExitInterrupted {
			t.Fatalf("exit code %d, %s", code, messages.String())
		}
		if !strings.Contains(messages.String(), "the model is of what was learned before") ||
			!strings.HasPrefix(out.String(), "n\t") {
			t.Errorf("%s%s", messages.String(), out.String())
		}
		r := tool(t, ">x\nACACAC\n", "predict", "-q", "-m", "m.seqsvm", "-")
		if r.code != cli.ExitOK || !strings.Contains(r.out, "x\tone\t") {
			t.Errorf("exit code %d, %s%s", r.code, r.out, r.err)
		}
	}
}

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

// Records that do not fill a batch, or the records that a kernel is fitted to, are learned from when a stream is
// interrupted: the model is that of a stream that ends with them.
func TestLearnInterruptedEarly(t *testing.T) {
	t.Chdir(t.TempDir())
	fasta := strings.Repeat(">x label=one\nACACACAC\n>y label=two\nGTGTGTGT\n", 10)
	texts := strings.Repeat("one\tan early bird\ntwo\ta late worm\n", 10)
	for kernel, c := range map[string]struct{ whole, cut string }{
		"spectrum:k=2": {fasta, fasta + ">z label=one\nACGTGT"}, "substring:weight=bounded,k=2": {fasta, fasta + ">z\n"},
		"words --input tsv": {texts, texts + "one\tan ear"},
	} {
		learn := func(ctx context.Context, in io.Reader, output string) (code int, messages string) {
			var message bytes.Buffer
			args := strings.Fields("learn --kernel " + kernel + " -o " + output + " -")
			code = newApp().Run(ctx, args, cli.Streams{In: in, Out: io.Discard, Err: &message})
			return code, message.String()
		}
		ctx, interrupt := context.WithCancel(t.Context())
		code, messages := learn(ctx, &few{c.cut, interrupt}, "few.seqsvm")
		if code != cli.ExitInterrupted || !strings.Contains(messages, "the model is of what was learned before") {
			t.Errorf("%s: exit code %d, %s", kernel, code, messages)
		}
		if code, messages := learn(t.Context(), strings.NewReader(c.whole), "whole.seqsvm"); code != cli.ExitOK {
			t.Errorf("%s: exit code %d, %s", kernel, code, messages)
		}
		got, err1 := os.ReadFile("few.seqsvm")
		want, err2 := os.ReadFile("whole.seqsvm")
		if err1 != nil || err2 != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: the model is another one, %v, %v", kernel, err1, err2)
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
