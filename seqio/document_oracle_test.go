package seqio_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// What encoding/csv writes is read as it was, and what it refuses is refused.
func TestCSVAgainstEncodingCSV(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cell := rapid.StringOf(rapid.SampledFrom([]rune("ab,\"\n é'\t")))
		rows := rapid.SliceOfN(rapid.SliceOfN(cell, 2, 2), 1, 6).Draw(t, "rows")
		for i := range rows {
			rows[i][0] = fmt.Sprint("label ", i)
		}
		var text bytes.Buffer
		w := csv.NewWriter(&text)
		w.UseCRLF = rapid.Bool().Draw(t, "crlf")
		if err := w.WriteAll(rows); err != nil {
			t.Fatal(err)
		}
		s, err := seqio.Read(&text, "a.csv", seqio.CsvOptions(2))
		if err != nil {
			t.Fatal(err)
		}
		if s.Len() != len(rows) {
			t.Fatalf("%d records of %d", s.Len(), len(rows))
		}
		for i, row := range rows {
			if s.Label(i) != row[0] || string(s.Corpus.Seq(i)) != row[1] {
				t.Fatalf("record %d: %q %q, want %q", i, s.Label(i), s.Corpus.Seq(i), row)
			}
		}
	})
}

// Tab-separated cells are those of strings.Split, unless the first one may have quotes around it.
func TestTSVAgainstSplit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(1, 4).Draw(t, "width")
		cell := rapid.StringOf(rapid.SampledFrom([]rune("ab\" é,")))
		var lines []string
		for range rapid.IntRange(1, 6).Draw(t, "rows") {
			lines = append(lines, strings.Join(rapid.SliceOfN(cell, width, width).Draw(t, "row"), "\t"))
		}
		if width > 1 && strings.HasPrefix(lines[0], `"`) {
			return
		}
		column := rapid.IntRange(1, width).Draw(t, "column")
		s, err := seqio.Read(strings.NewReader(strings.Join(lines, "\n")+"\n"), "a.tsv",
			seqio.Options{Columns: seqio.Columns{Text: fmt.Sprint(column), Header: seqio.HeaderNo}, Alphabet: stringkernel.Bytes,
				Case: seqio.CaseKept})
		lines = slices.DeleteFunc(lines, func(line string) bool { return line == "" })
		if len(lines) == 0 {
			if err == nil {
				t.Fatal("no error of a file without lines")
			}
			return
		}
		if err != nil || s.Len() != len(lines) {
			t.Fatal(s, err)
		}
		for i, line := range lines {
			if want := strings.Split(line, "\t")[column-1]; string(s.Corpus.Seq(i)) != want {
				t.Fatalf("%q, want %q", s.Corpus.Seq(i), want)
			}
		}
	})
}

// FuzzEncoding decodes anything: no panic, and text in UTF-8 if there is no error.
func FuzzEncoding(f *testing.F) {
	f.Add([]byte("a\tcaf\xe9\n"), "latin1")
	f.Add([]byte("\xff\xfea\x00\n\x00"), "utf-16")
	f.Add([]byte("\x93\xfa\n"), "shift_jis")
	f.Add([]byte("\x1b$B\n"), "iso-2022-jp")
	f.Add([]byte("\x81\x30\x81\n"), "gb18030")
	f.Add([]byte("x"), "replacement")
	f.Fuzz(func(t *testing.T, data []byte, encoding string) {
		if seqio.CheckEncoding(encoding) != nil {
			return
		}
		s := seqio.FuzzRead(t, data, seqio.Lines, seqio.Options{Encoding: encoding})
		if s == nil || strings.EqualFold(strings.TrimSpace(encoding), "bytes") {
			return
		}
		for _, text := range seqio.TextsOf(s) {
			if !utf8.ValidString(text) {
				t.Fatalf("%q", text)
			}
		}
	})
}

// An error of the visitor ends the reading and comes back as it is; wrong parameters are refused.
func TestBatchErrors(t *testing.T) {
	enough := errors.New("enough")
	for _, text := range []string{">x\nA\n>y\nA\n>z\n1\n", "{\"text\":\"x\"}\n{\"text\":\"x\"}\n{"} {
		visits := 0
		err := seqio.ReadBatches(strings.NewReader(text), "a", seqio.Options{}, 1, func(*seqio.Set) error {
			visits++
			return enough
		})
		if err != enough || visits != 1 {
			t.Errorf("%v after %d visits", err, visits)
		}
	}
	none := func(*seqio.Set) error { t.Error("visited"); return nil }
	for _, c := range []struct {
		opt  seqio.Options
		size int
		want string
	}{
		{seqio.Options{}, 0, "seqio: batches of size 0, want 1 or more"},
		{seqio.Options{Ambiguous: seqio.AmbiguousError}, 1, "seqio: batches with ambiguous = error need the alphabet"},
		{seqio.Options{Format: "x"}, 1, `seqio: format "x" is unknown, want auto, fasta, fastq, text, tsv, csv, jsonl, ` +
			`reuters, documents, fasttext, kelp, dot-bracket or bed`},
		{seqio.Options{Format: seqio.TSV}, 1, "a: the file is empty"},
	} {
		if err := seqio.ReadBatches(strings.NewReader(""), "a", c.opt, c.size, none); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
		if c.opt.Format == seqio.TSV {
			continue
		}
		err := seqio.ReadBatches(nil, t.TempDir(), c.opt, c.size, none)
		if err == nil || c.size < 1 && err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// Refused letters are found in later batches, with their line.
func TestBatchesRefuse(t *testing.T) {
	opt := seqio.Options{Ambiguous: seqio.AmbiguousError, Alphabet: "dna"}
	text := ">x\nACGT\nAC\n>y\nACGT\nACNT\n"
	err := seqio.ReadBatches(strings.NewReader(text), "a", opt, 1, func(*seqio.Set) error { return nil })
	if want := `a:6: record "y": letter 'N' is not DNA`; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
