package seqio_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/internal/documents"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// csvTexts returns the last column of a file without header as encoding/csv has it, and false if it refuses the file.
func csvTexts(data []byte, comma rune) ([]string, bool) {
	in := csv.NewReader(bytes.NewReader(data))
	in.Comma = comma
	rows, err := in.ReadAll()
	var texts []string
	for _, row := range rows {
		texts = append(texts, row[len(row)-1])
	}
	return texts, err == nil
}

// csvOptions take the last of a number of columns, between commas.
func csvOptions(width int) seqio.Options {
	return seqio.Options{Format: seqio.CSV, Columns: seqio.Columns{Header: seqio.HeaderNo, Text: fmt.Sprint(width), Label: "1", Delimiter: "comma"},
		Encoding: "bytes", Alphabet: stringkernel.Bytes, Case: seqio.CaseKept}
}

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
		must.Succeed(t, w.WriteAll(rows))
		s := must.Get(seqio.Read(&text, "a.csv", csvOptions(2)))(t)
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

// memberOf is member by encoding/json.
func memberOf(object []byte, name string) (json.RawMessage, bool) {
	var members map[string]json.RawMessage
	if json.Unmarshal(object, &members) != nil {
		return nil, false
	}
	value, found := members[name]
	return value, found
}

// jsonlTexts reads fields text and id by encoding/json: false if a line is not what is wanted.
func jsonlTexts(data []byte) (texts []string, ok bool) {
	for line := range bytes.Lines(data) {
		if line = bytes.Trim(line, " \t\r\n"); len(line) == 0 {
			continue
		}
		value, found := memberOf(line, "text")
		var text *string
		if !found || json.Unmarshal(value, &text) != nil || text == nil {
			return nil, false
		}
		texts = append(texts, *text)
	}
	return texts, len(texts) > 0
}

func addDocuments(f *testing.F) {
	for _, c := range validDocuments {
		f.Add([]byte(c.text))
	}
	for _, c := range malformedDocuments {
		f.Add([]byte(c.text))
	}
}

func FuzzJSONL(f *testing.F) {
	addDocuments(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := fuzzRead(t, data, seqio.JSONL, seqio.Options{Alphabet: stringkernel.Bytes, Case: seqio.CaseKept})
		if isCompressed(data) || bytes.HasPrefix(bytes.TrimSpace(data), []byte("[")) { // see FuzzJSONList
			return
		}
		want, ok := jsonlTexts(bytes.TrimPrefix(data, []byte(lines.ByteOrderMark)))
		if s == nil {
			return // ids and labels may be wrong where the text is not
		}
		if !ok || !slices.Equal(textsOf(s), want) {
			t.Fatalf("%q, want %q, %v", textsOf(s), want, ok)
		}
	})
}

func FuzzCSV(f *testing.F) {
	addDocuments(f)
	f.Add([]byte("Ca\n")) // also DNA
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzRead(t, data, seqio.CSV, seqio.Options{})
		if isCompressed(data) {
			return
		}
		plain := bytes.TrimPrefix(data, []byte(lines.ByteOrderMark))
		comma := []rune(",;\t|")[len(data)%4]
		in := csv.NewReader(bytes.NewReader(plain))
		in.Comma = comma
		row, err := in.Read()
		if err != nil || bytes.Contains(plain, []byte("sep=")) {
			return
		}
		opt := csvOptions(len(row))
		opt.Columns.Label, opt.Columns.Delimiter = "", seqio.Delimiter(documents.Delimiters()[len(data)%4])
		want, ok := csvTexts(plain, comma)
		if s := fuzzRead(t, data, seqio.CSV, opt); s != nil && (!ok || !slices.Equal(textsOf(s), want)) {
			t.Fatalf("%q, want %q, %v", textsOf(s), want, ok)
		}
	})
}

func FuzzTSV(f *testing.F) {
	addDocuments(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzRead(t, data, seqio.TSV, seqio.Options{HTML: true})
		s := fuzzRead(t, data, seqio.TSV, seqio.Options{Columns: seqio.Columns{Text: "1", Header: seqio.HeaderNo},
			Alphabet: stringkernel.Bytes, Case: seqio.CaseKept})
		if s == nil || s.Format != seqio.TSV || isCompressed(data) || bytes.Contains(data, []byte("sep=")) {
			return
		}
		var want []string
		for line := range strings.Lines(string(bytes.TrimPrefix(data, []byte(lines.ByteOrderMark)))) {
			line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
			if line != "" {
				cell, _, _ := strings.Cut(line, "\t")
				want = append(want, cell)
			}
		}
		if !slices.Equal(textsOf(s), want) {
			t.Fatalf("%q, want %q", textsOf(s), want)
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
		s := fuzzRead(t, data, seqio.Lines, seqio.Options{Encoding: encoding})
		if s == nil || strings.EqualFold(strings.TrimSpace(encoding), "bytes") {
			return
		}
		for _, text := range textsOf(s) {
			if !utf8.ValidString(text) {
				t.Fatalf("%q", text)
			}
		}
	})
}

func isCompressed(data []byte) bool {
	return slices.ContainsFunc([]string{"\x1f\x8b", "\x28\xb5\x2f\xfd", "BZh91AY&SY", "\xfd7zXZ\x00", "PK\x03\x04"},
		func(magic string) bool { return bytes.HasPrefix(data, []byte(magic)) })
}

func textsOf(s *seqio.Set) []string {
	var out []string
	for i := range s.Len() {
		out = append(out, string(s.Corpus.Seq(i)))
	}
	return out
}

// FuzzBatches: the batches of an input are the set of Read, cut, or end in its error.
func FuzzBatches(f *testing.F) {
	formats := []seqio.Format{seqio.FASTA, seqio.FASTQ, seqio.Lines, seqio.TSV, seqio.CSV, seqio.JSONL, seqio.Documents}
	for _, c := range validDocuments {
		f.Add([]byte(c.text), uint8(slices.Index(formats, seqio.FormatByName(c.name))), uint16(1))
	}
	for _, c := range valid {
		f.Add([]byte(c.text), uint8(slices.Index(formats, seqio.FormatByName(c.name))), uint16(140))
	}
	for _, c := range malformed {
		if len(c.text) < 1000 {
			f.Add([]byte(c.text), uint8(0), uint16(3))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, format uint8, size uint16) {
		opt := seqio.Options{Format: formats[int(format)%len(formats)], Alphabet: stringkernel.DNA}
		checkBatches(t, data, opt, 1+int(size))
	})
}

// checkBatches compares Batches with Read.
func checkBatches(t *testing.T, data []byte, opt seqio.Options, size int) {
	t.Helper()
	want, wantErr := seqio.Read(bytes.NewReader(data), "f", opt)
	var got []record
	batches := 0
	err := readBatches(iotest.HalfReader(bytes.NewReader(data)), "f", opt, size, func(s *seqio.Set) error {
		if n := s.Len(); n == 0 || n > 1 && seqio.BatchSize(n-1, s.Corpus.Letters()-len(s.Corpus.Seq(n-1))) >= size {
			t.Fatalf("batch of %d records, %d letters for size %d", n, s.Corpus.Letters(), size)
		}
		got = append(got, recordsOf(s)...)
		batches++
		return nil
	})
	if (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() {
		t.Fatalf("error %v, of Read %v", err, wantErr)
	}
	if err == nil && !slices.Equal(got, recordsOf(want)) {
		t.Fatalf("%d batches: %v, want %v", batches, got, recordsOf(want))
	}
}

// readBatches reads r or, if that is nil, a file or folder with AllBatches, set by set.
func readBatches(r io.Reader, name string, opt seqio.Options, size int, visit func(*seqio.Set) error) error {
	return seqio.AllBatches(context.Background(), []seqio.Input{{Path: name, Reader: r}}, opt, size,
		func(c *seqio.Collection) error { return visit(c.Sets[0]) })
}

func TestBatches(t *testing.T) {
	for _, c := range validDocuments {
		for _, size := range []int{1, 66, 1000} {
			checkBatches(t, []byte(c.text), c.opt, size)
		}
	}
	var fasta, jsonl strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&fasta, ">r%d l%d\nACGT\nAC\n", i, i%3)
		fmt.Fprintf(&jsonl, "{\"id\":%d,\"text\":\"t%d\"}\n", i, i)
	}
	for _, text := range []string{fasta.String(), fasta.String() + ">r17\nA\n", fasta.String() + ">x\nA1\n",
		jsonl.String(), jsonl.String() + `{"id":3,"text":""}`} {
		for _, size := range []int{1, 70, 71, 700, 1 << 20} {
			checkBatches(t, []byte(text), seqio.Options{}, size)
		}
	}
}

// An error of the visitor ends the reading and comes back as it is; wrong parameters are refused.
func TestBatchErrors(t *testing.T) {
	enough := errors.New("enough")
	for _, text := range []string{">x\nA\n>y\nA\n>z\n1\n", "{\"text\":\"x\"}\n{\"text\":\"x\"}\n{"} {
		visits := 0
		err := readBatches(strings.NewReader(text), "a", seqio.Options{}, 1, func(*seqio.Set) error {
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
			`reuters, documents, fasttext, kelp, dot-bracket, parquet or bed`},
		{seqio.Options{Format: seqio.TSV}, 1, "a: the file is empty"},
	} {
		if err := readBatches(strings.NewReader(""), "a", c.opt, c.size, none); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
		if c.opt.Format == seqio.TSV {
			continue
		}
		err := readBatches(nil, t.TempDir(), c.opt, c.size, none)
		if err == nil || c.size < 1 && err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}
