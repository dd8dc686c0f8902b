package strictjson

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestDecode(t *testing.T) {
	var v struct{ A int }
	if err := Decode([]byte(` {"A": 7} `), &v); err != nil || v.A != 7 {
		t.Errorf("%+v, %v", v, err)
	}
	for text, want := range map[string]string{
		"": "ends too early", `{"A":`: "ends too early", `{"A":1}{}`: "more than one", `{"B":1}`: "unknown field",
		`{"A":"x"}`: "cannot unmarshal",
	} {
		if err := Decode([]byte(text), &v); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// List stops at the first element that visit rejects, whatever follows.
func TestList(t *testing.T) {
	full := errors.New("full")
	sum := 0
	add := func(i, x int) error {
		if i == 2 {
			return full
		}
		sum += x
		return nil
	}
	if err := List([]byte(`[1, 2]`), "numbers", add); err != nil || sum != 3 {
		t.Errorf("sum %d, %v", sum, err)
	}
	if err := List([]byte(`[1, 2, 3, "x"]`), "numbers", add); err != full {
		t.Errorf("%v, want %v", err, full)
	}
	for text, want := range map[string]string{
		"": "numbers: missing", "null": "numbers: missing", "7": "numbers: missing", `[1, "x"]`: "numbers 1: json",
	} {
		if err := List([]byte(text), "numbers", add); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestCheck(t *testing.T) {
	var many strings.Builder // an object of many keys
	for i := range 2 * fewKeys {
		fmt.Fprintf(&many, `"k%d":[%d, true, false, "\\\\", {"k1":1}],`, i, i)
	}
	for text, want := range map[string]string{
		"{" + many.String() + `"k":1}`:       "",
		"{" + many.String() + `"\u006b1":1}`: `"k1" occurs twice`,
		`{}`:                                 "", `[]`: "", `7`: "", `"null"`: "", `{"a":{"b":1},"b":{"b":1}}`: "", `[{"a":1},{"a":1}]`: "",
		`{"a":"b","b":"a"}`: "", `{"a":[1,[2,{"b":false}]]}`: "",
		`null`:                          "the text is null",
		`{"a":1,"a":1}`:                 `"a" occurs twice`,
		`{"a":1,"A":1}`:                 `"A" occurs twice`,
		`{"s":1,"ſ":1}`:                 `"ſ" occurs twice`,
		`{"a":{"b":1,"c":[],"b":{}}}`:   `"a.b" occurs twice`,
		`{"a":1,"b":[0,{"x":null}]}`:    `"b[1].x" is null`,
		`[1,[2,null]]`:                  `"[1][1]" is null`,
		`{"a":[{"b":1},{"b":1,"b":2}]}`: `"a[1].b" occurs twice`,
	} {
		err := Check([]byte(text))
		if got := fmt.Sprint(err); got != want && !(want == "" && err == nil) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// Of objects with any keys only those that are the same are refused, but for the outermost one.
func TestUnique(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":null,"b":[{"x":1,"X":2},{"x":1}]}`: "", `[{"A":1,"a":2}]`: "", `"a"`: "",
		`{"a":1,"A":2}`:                          `"A" occurs twice`,
		`{"a":[{"b":1},{"b":{"c":1,"c":null}}]}`: `"a[1].b.c" occurs twice`,
		`{"a":{"\u0062":1,"b":2}}`:               `"a.b" occurs twice`,
	} {
		if err := Unique([]byte(text)); (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
