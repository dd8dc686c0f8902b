package search_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/classify/search"
	"github.com/seqsvm/seqsvm/internal/must"
)

var identity = search.Identity{{Name: "data", Value: "1"}, {Name: "folds", Value: "2"}}

// A search that is cut off after any number of bytes of its table, and resumed, has the same table of results, to the
// bit, and does not compute what it has.
func TestResume(t *testing.T) {
	d := noisyWords(t, 60, 3, 1)
	s := search.Search{Candidates: candidates(plain)[:7]}
	names := strings.Fields("a b c d e f g")
	path := filepath.Join(t.TempDir(), "log.tsv")
	run := func() (*search.Table, *search.Nested) {
		t.Helper()
		var err error
		if s.Log, err = search.ResumeLog(path, identity, names); err != nil {
			t.Fatal(err)
		}
		defer s.Log.Close()
		table := must.Get(s.Run(context.Background(), d, folds(t, d, 3)))(t)
		nested := must.Get(s.Nested(context.Background(), d, folds(t, d, 2), 2, 1))(t)
		return table, nested
	}
	want, wantNested := run()
	whole := must.Get(os.ReadFile(path))(t)
	if n, rows := strings.Count(string(whole), "\n"), 2+1+7*3+2*7*2; n != rows {
		t.Errorf("%d lines, want %d", n, rows)
	}
	for _, share := range []float64{0.9, 0.4, 0.1} {
		at := int(share * float64(len(whole)))
		must.Succeed(t, os.WriteFile(path, whole[:at], 0o666))
		got, gotNested := run()
		if !reflect.DeepEqual(figures(got), figures(want)) || !reflect.DeepEqual(gotNested.Mean, wantNested.Mean) ||
			!reflect.DeepEqual(gotNested.Picked, wantNested.Picked) {
			t.Errorf("cut at byte %d: other results", at)
		}
		again := must.Get(os.ReadFile(path))(t)
		if string(again[:at]) == string(whole[:at]) && len(again) < len(whole) {
			t.Errorf("cut at byte %d: %d bytes, want %d or more", at, len(again), len(whole))
		}
	}
	s.Progress = func(search.Progress) {}
	before := must.Get(os.ReadFile(path))(t)
	run()
	if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
		t.Errorf("a search that is complete writes more rows: %v", err)
	}
}

// figures are those of a table that a log keeps.
func figures(t *search.Table) (list []any) {
	for _, r := range t.Results {
		list = append(list, r.Mean, r.SD, r.Gap)
		for _, f := range r.Folds {
			list = append(list, f.Scalars, f.N)
		}
	}
	return append(list, t.Best, t.Simplest)
}

// A table of another search, or what is no table, is refused, and stays as it is.
func TestLogRefuses(t *testing.T) {
	const header = "# data 1\n# folds 2\nsearch\tcandidate\toptions\tfold\tgap\tn\taccuracy\n"
	for text, want := range map[string]string{
		"hello\n":                           "not a table of results",
		"# data 3\n# folds 2\n":             "other data: 3, not 1",
		"# data 1\n# folds 9\n":             "other folds: 9, not 2",
		"# data 1\n# folds 2\nid\tscore\n":  "line 3: not the header",
		header + "0\t1\tb\t1\t0\t9\t1\n":    `candidate 1 is not "b"`,
		header + "0\t3\ta\t1\t0\t9\t1\n":    "candidate 3",
		header + "0\t1\ta\t2\t0\t9\t1\n":    "fold 2 of candidate 1, want fold 1",
		header + "0\t1\ta\t1\t0\t9\n":       "6 cells, want 7",
		header + "0\t1\ta\t1\t0\t9\thigh\n": `"high" is not a number`,
		header + "0\tone\ta\t1\t0\t9\t1\n":  `candidate is "one"`,
	} {
		path := filepath.Join(t.TempDir(), "log.tsv")
		must.Succeed(t, os.WriteFile(path, []byte(text), 0o666))
		_, err := search.ResumeLog(path, identity, []string{"a", "b"})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
		if _, err := search.CreateLog(path, identity, []string{"a", "b"}); !errors.Is(err, search.ErrLogExists) {
			t.Errorf("%q: CreateLog: %v, want ErrLogExists", text, err)
		}
		if after, err := os.ReadFile(path); err != nil || string(after) != text {
			t.Errorf("%q: the file has become %q, %v", text, after, err)
		}
	}
}
