package documents

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/internal/must"
)

// membersOf returns the values of a valid object's members of a name, by encoding/json.
func membersOf(object []byte, name string) (values []json.RawMessage) {
	d := json.NewDecoder(bytes.NewReader(object))
	for d.Token(); d.More(); { // the brace, or a value before
		key, _ := d.Token()
		var value json.RawMessage
		d.Decode(&value)
		if key == name {
			values = append(values, value)
		}
	}
	return values
}

// Members of objects are those of encoding/json, but for an error where it would take the last of several.
func FuzzMember(f *testing.F) {
	for _, text := range []string{`{}`, `{"a":1}`, `{"a":{"b":[1,{"a":"}"}]},"b":"\\\"","\u0061":null,"c":-1e5}`,
		` {"a" : true , "a":false} `, `{"a":"\\\\"}`, `{"":""}`,
		`{"a":"\"\\\/\b\f\n\r\t\u00e9\uD83D\ude00\ud83dx\ud83d\u0041\ude00\uFFFD"}`} {
		f.Add([]byte(text), "a")
	}
	f.Fuzz(func(t *testing.T, data []byte, name string) {
		data = bytes.TrimSpace(data)
		if !json.Valid(data) || !utf8.Valid(data) || data[0] != '{' || !utf8.ValidString(name) {
			return
		}
		values := membersOf(data, name)
		got, err := member(data, name)
		if (err != nil) != (len(values) > 1) {
			t.Fatalf("%q of %q: %v, there are %d", name, data, err, len(values))
		}
		if len(values) != 1 {
			if got != nil {
				t.Fatalf("%q of %q: %q of %d", name, data, got, len(values))
			}
			return
		}
		want := values[0]
		if !bytes.Equal(got, want) {
			t.Fatalf("%q of %q: %q, want %q", name, data, got, want)
		}
		var s string
		if want[0] == '"' {
			if err := json.Unmarshal(want, &s); err != nil || s != string(unquote(got)) {
				t.Fatalf("%q is %q, want %q", got, unquote(got), s)
			}
		}
	})
}

// Strings with any escapes are those of encoding/json.
func TestUnquote(t *testing.T) {
	pieces := []string{"a", "é", `\"`, `\\`, `\/`, `\b`, `\f`, `\n`, `\r`, `\t`, `\u00e9`, `\u0000`, `\uD83D`, `\ude00`,
		`\ud83d\uDE00`, `\uffff`, `\uABcd`, "u", "0"}
	rapid.Check(t, func(t *rapid.T) {
		text := `"` + strings.Join(rapid.SliceOf(rapid.SampledFrom(pieces)).Draw(t, "pieces"), "") + `"`
		var want string
		must.Succeed(t, json.Unmarshal([]byte(text), &want))
		if got := string(unquote([]byte(text))); got != want {
			t.Fatalf("%s: %q, want %q", text, got, want)
		}
	})
}
