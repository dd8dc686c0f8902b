package strictjson_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/strictjson"
)

func TestDecode(t *testing.T) {
	var v struct{ A int }
	if err := strictjson.Decode([]byte(` {"A": 7} `), &v); err != nil || v.A != 7 {
		t.Errorf("%+v, %v", v, err)
	}
	for text, want := range map[string]string{
		"": "ends too early", `{"A":`: "ends too early", `{"A":1}{}`: "more than one", `{"B":1}`: "unknown field",
		`{"A":"x"}`: "cannot unmarshal",
	} {
		if err := strictjson.Decode([]byte(text), &v); err == nil || !strings.Contains(err.Error(), want) {
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
	if err := strictjson.List([]byte(`[1, 2]`), "numbers", add); err != nil || sum != 3 {
		t.Errorf("sum %d, %v", sum, err)
	}
	if err := strictjson.List([]byte(`[1, 2, 3, "x"]`), "numbers", add); err != full {
		t.Errorf("%v, want %v", err, full)
	}
	for text, want := range map[string]string{
		"": "numbers: missing", "null": "numbers: missing", "7": "numbers: missing", `[1, "x"]`: "numbers 1: json",
	} {
		if err := strictjson.List([]byte(text), "numbers", add); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
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
		if err := strictjson.Unique([]byte(text)); (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
