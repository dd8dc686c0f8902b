package seqio_test

import (
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/seqio"
)

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
