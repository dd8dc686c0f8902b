package seqio_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/seqsvm/seqsvm/seqio"
)

// A list of objects, on one line or over many, is read as its elements on a line each are, under their numbers.
func TestJSONList(t *testing.T) {
	want := []string{"1=a hello world", `2=b a "]}" \`, "3= z"}
	for _, text := range []string{
		`[{"label":"a","text":"hello world"},{"text":"a \"]}\" \\","label":"b"},{"text":"z","more":[{},[1]]}]`,
		"\xef\xbb\xbf \r\n[\r\n  {\r\n    \"label\": \"a\",\r\n    \"text\": \"hello world\"\r\n  }\r\n, {\"label\":\"b\"," +
			"\n\n\"text\":\"a \\\"]}\\\" \\\\\"}\n\n,\t{\"text\":\"z\"}\n]\n\n",
	} {
		s := mustRead(t, text, "a.json", seqio.Options{})
		var got []string
		for _, r := range recordsOf(s) {
			got = append(got, r.id+"="+r.label+" "+r.sequence)
		}
		if !slices.Equal(got, want) || s.FormatName() != "a JSON list" {
			t.Errorf("%q: %q", text, got)
		}
	}
	lines := mustRead(t, "[\n{\"text\":\"a\"},\n{\"text\":\n\"b\"}]", "a.jsonl", seqio.Options{}).Lines
	if !slices.Equal(lines, []int{2, 3}) {
		t.Error(lines)
	}
	long := `[{"text":"` + strings.Repeat("ab ", 1<<20) + `"}]`
	if s := mustRead(t, long, "a.json", seqio.Options{}); s.Corpus.Letters() != 3<<20 {
		t.Error(s.Corpus.Letters())
	}
}

// A list is read as encoding/json cuts it: each element as it is read alone on a line.
func FuzzJSONList(f *testing.F) {
	for _, text := range []string{`[{"text":"a"},{"text":"b\\\"]","label":1}]`, "[\n{\"text\":\n\"a\"}\n,{}]\n", `[{"text":"a"]}`,
		`[{"text":"a"},]`, `[]`, "[{\"text\":\"\\u005d\",\"id\":\"x\"}]\r\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		first := bytes.TrimLeft(data, " \t\r\n")
		if len(data) > 4000 || len(first) == 0 || first[0] != '[' || isCompressed(data) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
			return
		}
		s := fuzzRead(t, data, seqio.JSONL, seqio.Options{RepeatedIDs: true})
		var elements []json.RawMessage
		if json.Unmarshal(data, &elements) != nil || !utf8.Valid(data) || len(elements) == 0 {
			if s != nil {
				t.Fatalf("%q is read, and is no list of objects", data)
			}
			return
		}
		var lines bytes.Buffer
		for _, element := range elements {
			if json.Compact(&lines, element) != nil || element[0] != '{' {
				return
			}
			lines.WriteByte('\n')
		}
		want, err := seqio.Read(&lines, "f", seqio.Options{Format: seqio.JSONL, RepeatedIDs: true, MaxLetters: 1 << 20})
		if (err == nil) != (s != nil) {
			t.Fatalf("%q: as lines %v, as a list %v", data, err, s != nil)
		}
		if s == nil {
			return
		}
		a, b := recordsOf(s), recordsOf(want)
		for i := range a {
			a[i].line, b[i].line = 0, 0
		}
		if !slices.Equal(a, b) {
			t.Fatalf("%q: %v, as lines %v", data, a, b)
		}
	})
}
