package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seqsvm/seqsvm/internal/must"
)

// runsOf returns runs that take the given milliseconds, of CPU and by the clock, and a constant memory.
func runsOf(milliseconds ...int) (c costs) {
	for _, ms := range milliseconds {
		took := time.Duration(ms) * time.Millisecond
		c = append(c, cost{took, took, 1000})
	}
	return c
}

// A cost has grown if both its least and its median have, by more than 5 %.
func TestGrown(t *testing.T) {
	both := []string{"cpu", "wall"}
	for _, c := range []struct {
		old, now costs
		want     []string
	}{
		{runsOf(100, 120, 110), runsOf(100, 150, 140), nil},
		{runsOf(100, 120, 110), runsOf(106, 115, 112), nil},
		{runsOf(100, 120, 110), runsOf(105, 150, 140), nil},
		{runsOf(100, 120, 110), runsOf(106, 150, 140), both},
		{runsOf(100), runsOf(50), nil},
		{costs{{peak: 1000}}, costs{{peak: 1051}}, []string{"memory"}},
	} {
		if got := (&comparison{most: 1.05}).grown([2]costs{c.old, c.now}); !slices.Equal(got, c.want) {
			t.Errorf("grown(%v, %v) = %v, want %v", c.old, c.now, got, c.want)
		}
	}
}

// Both versions run every command in their own folders, as often as they are to; what is not timed runs once.
func TestRun(t *testing.T) {
	shell := "/bin/sh"
	if _, err := os.Stat(shell); err != nil {
		t.Skip("no shell")
	}
	t.Setenv("SEQSVM_DATA", "")
	folder := t.TempDir()
	script := filepath.Join(folder, "generate")
	text := "#!" + shell + "\n[ \"$1\" != fail ] || { echo refused >&2; exit 1; }\nprintf %s\\\\n \"$*\" >>log\n"
	must.Succeed(t, os.WriteFile(script, []byte(text), 0o700))
	var out, messages bytes.Buffer
	c := comparison{generators: folder, most: 1.05, pairs: 2, only: regexp.MustCompile("predict|fail"), out: &out, messages: &messages}
	for side, name := range []string{"old", "new"} {
		c.sides[side] = program{script, filepath.Join(folder, name)}
		must.Succeed(t, os.Mkdir(c.sides[side].folder, 0o700))
	}
	list := "# files\ngenerate -n 5\ntrain x.fa # a comment\n\npredict x.fa\nfail\npredict $SEQSVM_DATA/x.fa\n"
	must.Get(c.run(t.Context(), list))(t)
	for _, side := range c.sides {
		log := must.Get(os.ReadFile(filepath.Join(side.folder, "log")))(t)
		lines := strings.Split(strings.TrimSpace(string(log)), "\n")
		timed := len(lines) - 2 // 3, or 10 where the scripts' times differed by chance
		if timed != 3 && timed != 10 || lines[0] != "-n 5" || lines[1] != "train x.fa" || lines[2] != "predict x.fa" {
			t.Errorf("ran %q", lines)
		}
	}
	if table := strings.Split(strings.TrimSpace(out.String()), "\n"); len(table) != 2 ||
		!strings.HasSuffix(table[1], "\tpredict x.fa") {
		t.Errorf("table %q", table)
	}
	for _, want := range []string{"fail: " + script + ": exit status 1: refused", "$SEQSVM_DATA is not set"} {
		if !strings.Contains(messages.String(), want) {
			t.Errorf("messages %q, want %q", &messages, want)
		}
	}
}

// Wrong usage is 2.
func TestUsage(t *testing.T) {
	for _, arguments := range [][]string{{}, {"a", "b", "c"}, {"-n", "0", "a"}, {"-only", "(", "a"}, {"-unknown"}} {
		var stderr bytes.Buffer
		if got := run(t.Context(), arguments, &bytes.Buffer{}, &stderr); got != 2 || stderr.Len() == 0 {
			t.Errorf("%q: %d, %q", arguments, got, &stderr)
		}
	}
}
