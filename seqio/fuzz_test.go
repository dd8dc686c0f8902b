package seqio_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// fuzzRead reads an input whole and in pieces: both must agree, and an error must be one line of the right type.
func fuzzRead(t *testing.T, data []byte, format seqio.Format, opt seqio.Options) *seqio.Set {
	opt.Format, opt.MaxLetters = format, 1<<20
	s, err := seqio.Read(bytes.NewReader(data), "f", opt)
	again, againErr := seqio.Read(iotest.OneByteReader(bytes.NewReader(data)), "f", opt)
	if err != nil {
		var e *seqio.Error
		if !errors.As(err, &e) || strings.ContainsAny(err.Error(), "\n\r\x00") {
			t.Fatalf("error %T %q", err, err)
		}
		if againErr == nil || again != nil || againErr.Error() != err.Error() {
			t.Fatalf("%v, in pieces %v", err, againErr)
		}
		return nil
	}
	if againErr != nil || !slices.Equal(recordsOf(s), recordsOf(again)) {
		t.Fatalf("in pieces: %v", againErr)
	}
	return s
}

// fuzzBack writes a set as FASTA and reads it again.
func fuzzBack(t *testing.T, s *seqio.Set, opt seqio.Options) {
	seen := map[string]bool{}
	for i := range s.Len() {
		if id := s.Corpus.Name(i); id == "" || seen[id] {
			t.Fatalf("record %d: empty or duplicate id %q", i, id)
		}
		seen[s.Corpus.Name(i)] = true
		if x := s.Corpus.Seq(i); lines.CheckSequence(x) < len(x) ||
			opt.Case != seqio.CaseKept && !bytes.Equal(bytes.ToUpper(x), x) {
			t.Fatalf("record %d: %q", i, x)
		}
	}
	var out bytes.Buffer
	must.Succeed(t, seqio.WriteFASTA(&out, s, 7))
	back := must.Get(seqio.Read(&out, "back", seqio.Options{Format: seqio.FASTA, Case: opt.Case}))(t)
	want, got := recordsOf(s), recordsOf(back)
	for i := range want {
		want[i].line, got[i].line = 0, 0
	}
	if !slices.Equal(got, want) {
		t.Fatalf("read back %v, want %v", got, want)
	}
}

func FuzzFASTA(f *testing.F) {
	for _, c := range valid {
		f.Add([]byte(c.text), false)
	}
	for _, c := range malformed {
		if len(c.text) < 1000 {
			f.Add([]byte(c.text), true)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, softMask bool) {
		opt := seqio.Options{Case: map[bool]seqio.Case{true: seqio.CaseKept}[softMask]}
		if s := fuzzRead(t, data, seqio.FASTA, opt); s != nil {
			fuzzBack(t, s, opt)
		}
		opt.Ambiguous = seqio.AmbiguousError
		fuzzRead(t, data, seqio.FASTA, opt)
	})
}

func FuzzFASTQ(f *testing.F) {
	for _, c := range valid {
		f.Add([]byte(c.text))
	}
	for _, c := range malformed {
		if len(c.text) < 1000 {
			f.Add([]byte(c.text))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if s := fuzzRead(t, data, seqio.FASTQ, seqio.Options{}); s != nil {
			fuzzBack(t, s, seqio.Options{})
		}
	})
}

// What was read, joined with line ends, gives the input, but for CR, the byte order mark and a last line end.
func FuzzLines(f *testing.F) {
	for _, c := range valid {
		f.Add([]byte(c.text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		opt := seqio.Options{Encoding: "bytes", Alphabet: stringkernel.Bytes, Case: seqio.CaseKept}
		s := fuzzRead(t, data, seqio.Lines, opt)
		if s == nil || isCompressed(data) {
			return
		}
		text := bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
		want := bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
		if !bytes.HasSuffix(want, []byte("\n")) {
			want = append(bytes.TrimSuffix(want, []byte("\r")), '\n')
		}
		var got []byte
		for i := range s.Len() {
			got = append(append(got, s.Corpus.Seq(i)...), '\n')
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("%q read, want %q", got, want)
		}
	})
}

func FuzzLabels(f *testing.F) {
	f.Add([]byte("x\ta\ny\tb\n"))
	f.Add([]byte("#c\r\nx\ta b\r\n\n"))
	f.Add([]byte("x\ta\nx\tb\n"))
	f.Add([]byte("x\ta\tb\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		table, err := seqio.ReadLabels(bytes.NewReader(data), "f")
		_, againErr := seqio.ReadLabels(iotest.OneByteReader(bytes.NewReader(data)), "f")
		if (err == nil) != (againErr == nil) || err != nil && err.Error() != againErr.Error() {
			t.Fatalf("%v, in pieces %v", err, againErr)
		}
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r\x00") {
				t.Fatalf("%q", err)
			}
			return
		}
		seen := map[string]bool{}
		for k, id := range table.IDs {
			if id == "" || seen[id] || table.Labels[k] == "" || table.Lines[k] < 1 || k > 0 &&
				table.Lines[k] <= table.Lines[k-1] {
				t.Fatalf("%+v", *table)
			}
			seen[id] = true
		}
	})
}

// FuzzAuto reads whatever it is, compressed streams among it.
func FuzzAuto(f *testing.F) {
	for _, c := range valid {
		f.Add([]byte(c.text), c.name)
	}
	f.Add([]byte("\x1f\x8b\x08\x00\x00\x00\x00\x00"), "a.fa.gz")
	f.Add([]byte("\x28\xb5\x2f\xfd\x00\x58\x01\x00\x00"), "a.fa.zst")
	f.Fuzz(func(t *testing.T, data []byte, name string) {
		if s, err := seqio.Read(bytes.NewReader(data), name, seqio.Options{MaxLetters: 1 << 20}); err == nil {
			seqio.DetectAlphabet(s.Corpus)
		}
	})
}

// FuzzStream: a stream gives the records that Read does, or its error.
func FuzzStream(f *testing.F) {
	for _, c := range valid {
		f.Add([]byte(c.text), uint8(3), uint8(2))
	}
	for _, c := range malformed {
		if len(c.text) < 1000 {
			f.Add([]byte(c.text), uint8(0), uint8(5))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, size, overlap uint8) {
		want, err := seqio.Read(bytes.NewReader(data), "x.fa", seqio.Options{Alphabet: stringkernel.DNA})
		opt := seqio.StreamOptions{Size: 1 + int(size), Overlap: int(overlap), Alphabet: stringkernel.DNA}
		if err == nil && !want.Format.Text() {
			checkStream(t, data, opt, want)
			return
		}
		got := seqio.Stream(bytes.NewReader(data), "x.fa", opt, func(seqio.Chunk) error { return nil })
		if got == nil || got.Error() != "x.fa:1: expected '>' or '@', want FASTA or FASTQ" &&
			(err == nil || got.Error() != err.Error()) {
			t.Fatalf("error %v, of Read %v", got, err)
		}
	})
}
