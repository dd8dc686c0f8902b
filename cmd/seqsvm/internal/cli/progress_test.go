package cli

import (
	"strings"
	"testing"
	"time"
)

// A line of progress has the stage, what was done, and the time that the rest takes at the same speed.
func TestProgress(t *testing.T) {
	var out strings.Builder
	now := time.Unix(0, 0)
	p := &Progress{to: &out, prefix: "seqsvm: ", now: func() time.Time { return now }}
	p.show() // no stage yet
	p.begin("scoring")
	now = now.Add(time.Minute)
	p.show()
	p.Show(0.25, "%d records", 30)
	now = now.Add(time.Millisecond)
	p.Show(0.5, "too early for another")
	p.show()
	now = now.Add(time.Minute)
	p.show()
	now = now.Add(2 * time.Minute)
	p.show()
	p.Show(0.996, "297 records")
	p.show()
	p.Show(1, "too early again")
	now = now.Add(time.Minute)
	p.Show(1, "all records")
	p.show()
	p.begin("writing")
	now = now.Add(90 * time.Second)
	p.Show(0, "no share is known")
	p.show()
	p.begin("reading")
	p.poll = func() (float64, string) { return 0.1, "3 MB" }
	now = now.Add(time.Second)
	p.show()
	want := "seqsvm: scoring (1m0s)\n" +
		"seqsvm: scoring: 30 records (25 %, 1m0s, 3m0s left)\n" +
		"seqsvm: scoring: 30 records (25 %, 2m0s, 2m0s left)\n" + // no step since: it becomes less
		"seqsvm: scoring: 30 records (25 %, 4m0s)\n" + // and should be over
		"seqsvm: scoring: 297 records (99 %, 4m0s, 1s left)\n" +
		"seqsvm: scoring: all records (5m0s)\n" +
		"seqsvm: writing: no share is known (1m30s)\n" +
		"seqsvm: reading: 3 MB (10 %, 1s, 9s left)\n"
	if out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

// On a terminal the line is replaced, and wiped before a message and at the end.
func TestProgressOnTerminal(t *testing.T) {
	var out strings.Builder
	p := &Progress{to: &out, prefix: wipe, terminal: true, now: time.Now, stop: func() {}}
	p.begin("training")
	p.show()
	p.print(&out, "a message\n")
	p.print(&out, "another\n")
	p.show()
	p.end()
	line := wipe + "training (0s)"
	if want := line + wipe + "a message\nanother\n" + line + wipe; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	var none *Progress
	none.begin("training")
	none.Show(1, "nothing")
	none.hide(&out)
	none.end()
}
