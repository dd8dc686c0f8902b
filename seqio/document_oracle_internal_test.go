package seqio

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

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
func csvOptions(width int) Options {
	return Options{Format: CSV, Columns: Columns{Header: HeaderNo, Text: fmt.Sprint(width), Label: "1", Delimiter: "comma"},
		Encoding: "bytes", Alphabet: stringkernel.Bytes, Case: CaseKept}
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
		s := fuzzRead(t, data, JSONL, Options{Alphabet: stringkernel.Bytes, Case: CaseKept})
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
		fuzzRead(t, data, CSV, Options{})
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
		opt.Columns.Label, opt.Columns.Delimiter = "", Delimiter(documents.Delimiters()[len(data)%4])
		want, ok := csvTexts(plain, comma)
		if s := fuzzRead(t, data, CSV, opt); s != nil && (!ok || !slices.Equal(textsOf(s), want)) {
			t.Fatalf("%q, want %q, %v", textsOf(s), want, ok)
		}
	})
}

func FuzzTSV(f *testing.F) {
	addDocuments(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzRead(t, data, TSV, Options{HTML: true})
		s := fuzzRead(t, data, TSV, Options{Columns: Columns{Text: "1", Header: HeaderNo},
			Alphabet: stringkernel.Bytes, Case: CaseKept})
		if s == nil || s.Format != TSV || isCompressed(data) || bytes.Contains(data, []byte("sep=")) {
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

func isCompressed(data []byte) bool {
	return slices.ContainsFunc([]string{"\x1f\x8b", "\x28\xb5\x2f\xfd", "BZh91AY&SY", "\xfd7zXZ\x00", "PK\x03\x04"},
		func(magic string) bool { return bytes.HasPrefix(data, []byte(magic)) })
}

func textsOf(s *Set) []string {
	var out []string
	for i := range s.Len() {
		out = append(out, string(s.Corpus.Seq(i)))
	}
	return out
}

// FuzzBatches: the batches of an input are the set of Read, cut, or end in its error.
func FuzzBatches(f *testing.F) {
	formats := []Format{FASTA, FASTQ, Lines, TSV, CSV, JSONL, Documents}
	for _, c := range validDocuments {
		f.Add([]byte(c.text), uint8(slices.Index(formats, FormatByName(c.name))), uint16(1))
	}
	for _, c := range valid {
		f.Add([]byte(c.text), uint8(slices.Index(formats, FormatByName(c.name))), uint16(140))
	}
	for _, c := range malformed {
		if len(c.text) < 1000 {
			f.Add([]byte(c.text), uint8(0), uint16(3))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, format uint8, size uint16) {
		opt := Options{Format: formats[int(format)%len(formats)], Alphabet: stringkernel.DNA}
		checkBatches(t, data, opt, 1+int(size))
	})
}

// checkBatches compares Batches with Read.
func checkBatches(t *testing.T, data []byte, opt Options, size int) {
	t.Helper()
	want, wantErr := Read(bytes.NewReader(data), "f", opt)
	var got []record
	batches := 0
	err := readBatches(iotest.HalfReader(bytes.NewReader(data)), "f", opt, size, func(s *Set) error {
		if n := s.Len(); n == 0 || n > 1 && BatchSize(n-1, s.Corpus.Letters()-len(s.Corpus.Seq(n-1))) >= size {
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
func readBatches(r io.Reader, name string, opt Options, size int, visit func(*Set) error) error {
	return AllBatches(context.Background(), []Input{{Path: name, Reader: r}}, opt, size,
		func(c *Collection) error { return visit(c.Sets[0]) })
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
			checkBatches(t, []byte(text), Options{}, size)
		}
	}
}
