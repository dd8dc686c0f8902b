package strictjson

import (
	"fmt"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	var many strings.Builder // an object of many keys
	for i := range 64 {
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
