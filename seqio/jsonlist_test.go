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

func TestJSONListErrors(t *testing.T) {
	for text, want := range map[string]string{
		"[]":                             "a.json: no records",
		`[{"text":"a"}`:                  "a.json:1: the list is cut off after object 1, want ']'",
		`[{"text":"a"},`:                 "a.json:1: the list is cut off after object 1, want ']'",
		"[{\n\"text\":\"a\"\n":           "a.json:1: object 1 of the list is cut off",
		`[{"text":"a"},]`:                "a.json:1: column 15: found ']', want a JSON object {…}",
		`[{"text":"a"},3]`:               "a.json:1: column 15: found digit '3', want a JSON object {…}",
		`[{"text":"a"} {"text":"a"}]`:    "a.json:1: column 15: found '{', want ',' or ']'",
		"[{\"text\":\"a\"}]\n[]":         "a.json:2: column 1: found '[', want nothing after the list",
		"[\n{\"text\":\"a\"},{\"x\" 1}]": "a.json:2: column 19: invalid JSON: invalid character '1' after object key",
		"[{\n\"text\":\"a\"]}":           "a.json:2: column 11: invalid JSON: invalid character ']' after object key:value pair",
		`[{"text":"a"},{"x":1}]`: `a.json:1: object 2 of the list: field "text" is missing; say which column or field ` +
			"is the text",
		`[{"text":"a"},{"text":"b","id":"1"}]`: `a.json:1: record "1": duplicate id, first used on line 1`,
		`[{"text":"b","id":"2"},{"text":"a"}]`: "a.json:1: the number of the object, which is used as the id, is the id of " +
			"an earlier record",
		// what a newcomer takes for a list
		`[["a","b"]]`: "a.json:1: column 2: a JSON list of lists, want a list of JSON objects [{…}, …]",
		"[\n\"a\"]":   "a.json:2: column 1: a JSON list of strings, want a list of JSON objects [{…}, …]",
		"[1, 2]":      "a.json:1: column 2: found digit '1', want a list of JSON objects [{…}, …]",
		`[,{}]`:       "a.json:1: column 2: found ',', want a list of JSON objects [{…}, …]",
		`{"data":[{"text":"a"}]}`: `a.json:1: field "text" is missing; if the list "data" has the records, jq -c ` +
			`'.["data"][]' puts each on a line; say which column or field is the text`,
		`{"text":{"0":"a"}}`: `a.json:1: field "text" is an object, want a string in an object for each record, as pandas ` +
			`writes with orient="records"`,
		"{\n\"text\":\"a\"\n}": "a.json:1: column 1: invalid JSON: unexpected end of JSON input; want an object on every line, " +
			"or one list of them; jq -c . puts each on a line",
	} {
		if _, err := seqio.Read(strings.NewReader(text), "a.json", seqio.Options{}); err == nil || err.Error() != want {
			t.Errorf("%q:\ngot  %v\nwant %s", text, err, want)
		}
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
