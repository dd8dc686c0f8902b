package shards_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio/internal/inputtest"
	"github.com/seqsvm/seqsvm/seqio/shards"
)

// writeShard writes the shard of a run whose output is a head and pieces, and returns its path.
func writeShard(t testing.TB, folder string, place shards.Place, run shards.Run, head string, pieces []string) string {
	t.Helper()
	var out bytes.Buffer
	w := shards.NewWriter(&out, place)
	fmt.Fprint(w, head)
	w.EndHead(nil)
	for p, piece := range pieces {
		if place.Has(p) {
			fmt.Fprint(w, piece)
			w.EndPiece()
		}
	}
	return store(t, filepath.Join(folder, fmt.Sprintf("%d-%d", place.Number, place.Of)), &out, w.Note(run, len(pieces)))
}

func store(t testing.TB, path string, out *bytes.Buffer, note *shards.Note) string {
	t.Helper()
	var text bytes.Buffer
	must.Succeed(t, note.Write(&text))
	for name, data := range map[string][]byte{path: out.Bytes(), path + shards.Suffix: text.Bytes()} {
		must.Succeed(t, os.WriteFile(name, data, 0o666))
	}
	return path
}

func join(paths ...string) (string, error) {
	set, err := shards.Open(paths)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	err = set.Join(context.Background(), &out)
	return out.String(), err
}

// Joined in any order, shards are what was divided.
func TestJoin(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.StringMatching(`[ab\n]{0,9}`)
		head, pieces := text.Draw(rt, "head"), rapid.SliceOfN(text, 0, 20).Draw(rt, "pieces")
		var paths []string
		of := rapid.IntRange(1, 7).Draw(rt, "of")
		for number := range of {
			paths = append(paths, writeShard(t, folder, shards.Place{number + 1, of}, nil, head, pieces))
		}
		got, err := join(rapid.Permutation(paths).Draw(rt, "order")...)
		if want := head + strings.Join(pieces, ""); err != nil || got != want {
			rt.Fatalf("%q, %v, want %q", got, err, want)
		}
	})
}

// The head of the undivided run takes the place of those of the files, if it is another.
func TestJoinOtherHead(t *testing.T) {
	var paths []string
	for number := 1; number <= 2; number++ {
		var out bytes.Buffer
		w := shards.NewWriter(&out, shards.Place{number, 2})
		fmt.Fprintf(w, "part %d:", number)
		w.EndHead([]byte("all:"))
		fmt.Fprint(w, number)
		w.EndPiece()
		paths = append(paths, store(t, filepath.Join(t.TempDir(), "x"), &out, w.Note(nil, 2)))
	}
	if got, err := join(paths...); err != nil || got != "all:12" {
		t.Errorf("%q, %v", got, err)
	}
}

// What is missing, doubled, foreign or not as it was written is refused by name.
func TestJoinRefuses(t *testing.T) {
	folder := t.TempDir()
	pieces := []string{"one\n", "two\n", "three\n", "four\n"}
	run := shards.Run{{"command", "scan"}, {"--window", "9"}}
	var paths []string
	for number := range 3 {
		paths = append(paths, writeShard(t, folder, shards.Place{number + 1, 3}, run, "head\n", pieces))
	}
	a, b, c := paths[0], paths[1], paths[2]
	two := writeShard(t, folder, shards.Place{2, 2}, run, "head\n", pieces)
	other := writeShard(t, t.TempDir(), shards.Place{3, 3}, shards.Run{{"command", "scan"}, {"--window", "8"}}, "head\n", pieces)
	more := writeShard(t, t.TempDir(), shards.Place{3, 3}, append(slices.Clone(run), shards.Value{"model", "x"}), "head\n", pieces)
	longer := writeShard(t, t.TempDir(), shards.Place{3, 3}, run, "head\n", append(slices.Clone(pieces), "five\n"))
	changed := func(text string) string {
		path := writeShard(t, t.TempDir(), shards.Place{3, 3}, run, "head\n", pieces)
		must.Succeed(t, os.WriteFile(path, []byte(text), 0o666))
		return path
	}
	alone := filepath.Join(folder, "alone")
	must.Succeed(t, os.WriteFile(alone, []byte("head\n"), 0o666))
	cut, edited, grown, empty := changed("head\nthr"), changed("head\nThree\n"), changed("head\nthree\nx"), changed("")
	for _, test := range []struct {
		paths []string
		want  string
	}{
		{[]string{a, c}, "shard 2/3 is missing"},
		{[]string{b}, "shards 1/3, 3/3 are missing"},
		{[]string{a, b, c, a}, a + ": shard 1 of 3, as " + a + " is"},
		{[]string{a, two}, two + ": shard 2 of 2, but " + a + " is shard 1 of 3"},
		{[]string{a, b, other}, other + `: of another run than ` + a + `: --window is "8", there "9"`},
		{[]string{a, b, more}, more + `: of another run than ` + a + `: model is "x", there not given`},
		{[]string{a, b, longer}, longer + ": of another run than " + a},
		{[]string{a, b, cut}, cut + ": it ends early: its note has 11 bytes; was it cut off?"},
		{[]string{a, b, empty}, empty + ": it ends early: its note has 11 bytes; was it cut off?"},
		{[]string{a, b, grown}, grown + ": longer than the 11 bytes of its note"},
		{[]string{a, b, edited}, edited + ": its checksum is"},
		{[]string{a, b + shards.Suffix}, b + shards.Suffix + ": the note of a shard"},
		{[]string{alone}, alone + ": no note beside it"},
		{[]string{a, alone + "x"}, alone + "x: no such file or directory"},
		{nil, "no file"},
	} {
		if _, err := join(test.paths...); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v: %v, want %s", test.paths, err, test.want)
		}
	}
	set := must.Get(shards.Open(paths))(t)
	if err := set.Join(context.Background(), inputtest.FullDisk{}); err == nil {
		t.Error("no error of a full disk")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := set.Join(ctx, &bytes.Buffer{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// Notes that contradict themselves are refused.
func TestReadNote(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	for _, text := range []string{
		"", "x", "{}", `{"shard":0,"of":1}`, `{"shard":2,"of":1}`, `{"shard":1,"of":1,"all":-1}`,
		`{"shard":1,"of":1,"all":2,"pieces":[1]}`, `{"shard":1,"of":1,"all":1,"pieces":[-1]}`,
		`{"shard":1,"of":2000000,"all":0}`,
	} {
		must.Succeed(t, os.WriteFile(path+shards.Suffix, []byte(text), 0o666))
		if _, err := shards.ReadNote(path); err == nil || !strings.Contains(err.Error(), "not the note of a shard") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// Each thing is in one stretch, in order, and stretches differ by one at most.
func TestStretch(t *testing.T) {
	for n := range 20 {
		for of := 1; of < 8; of++ {
			next := 0
			for number := 1; number <= of; number++ {
				from, to := shards.Place{number, of}.Stretch(n)
				if from != next || to-from < n/of || to-from > (n+of-1)/of {
					t.Errorf("%d of %d of %d: %d … %d", number, of, n, from, to)
				}
				next = to
			}
			if next != n {
				t.Errorf("%d of %d", next, n)
			}
		}
	}
}

func TestParsePlace(t *testing.T) {
	if p, err := shards.ParsePlace("2/8"); err != nil || p != (shards.Place{2, 8}) {
		t.Errorf("%v, %v", p, err)
	}
	for _, text := range []string{"", "2", "/", "0/8", "9/8", "-1/8", "1/8/2", "1/x", "1/2000000"} {
		if p, err := shards.ParsePlace(text); err == nil {
			t.Errorf("%q is %v", text, p)
		}
	}
}

// The checksum of an input depends on ids, letters and where records begin, not on how they come.
func TestInput(t *testing.T) {
	sum := func(records ...string) string {
		var in shards.Input
		for _, record := range records {
			id, letters, _ := strings.Cut(record, " ")
			in.Begin(id)
			for _, part := range strings.Split(letters, "|") {
				in.Add([]byte(part))
			}
		}
		return in.String()
	}
	if sum("a ACGT", "b C") != sum("a A|CG|T", "b C") {
		t.Error("the parts of a record count")
	}
	known := map[string]bool{}
	for _, in := range []string{sum("a ACGT", "b C"), sum("a ACG", "b TC"), sum("a ACGT", "c C"), sum("a ACGTC")} {
		known[in] = true
	}
	if len(known) != 4 {
		t.Errorf("%v", known)
	}
}
