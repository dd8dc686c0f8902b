package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/benchmarks/planted"
)

func TestShare(t *testing.T) {
	if got, err := share([]string{"1", "-1", "-1"}, []string{"+1", "-1", "+1"}); err != nil || got != 2.0/3 {
		t.Errorf("share %v, %v, want 2/3", got, err)
	}
	if _, err := share([]string{"1"}, []string{"+1", "-1"}); err == nil {
		t.Error("one prediction for two records: no error")
	}
	if _, err := share(nil, nil); err == nil {
		t.Error("no records: no error")
	}
}

// The ways in which programs and sets write classes.
func TestAnswers(t *testing.T) {
	dir := t.TempDir()
	for name, test := range map[string]struct {
		form *form
		text string
		want []string // nil: an error
	}{
		"plain":     {plainLines, "1\n-1\n", []string{"1", "-1"}},
		"seqsvm":    {seqsvmClasses, "id\tclass\tdecision\na\t+1\t0.5\nb\tmoney fx\t1\n", []string{"+1", "money fx"}},
		"signs":     {signs, "a\t0.5\nb\t-1e-3\n", []string{"+1", "-1"}},
		"fasta":     {fastaLabels, ">a label=+1\nACGT\n>b label=-1\nA\n", []string{"+1", "-1"}},
		"documents": {documentLabels, "earn\tnet\tprofit\nacq\tbuys\n", []string{"earn", "acq"}},
		"short":     {seqsvmClasses, "id\tclass\na\n", nil},
		"no score":  {signs, "a\n", nil},
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(test.text), 0o644); err != nil {
			t.Fatal(err)
		}
		got, err := (answers{path, test.form}).read()
		if !slices.Equal(got, test.want) || (err == nil) != (test.want != nil) {
			t.Errorf("%s: %q, %v, want %q", name, got, err, test.want)
		}
	}
	none, plain := answers{filepath.Join(dir, "none"), plainLines}, answers{filepath.Join(dir, "plain"), plainLines}
	if _, err := compare(none, plain); !os.IsNotExist(err) {
		t.Errorf("no predictions: %v", err)
	}
}

// TestMeasure: steps that are not timed do not count, and a failing one is an error with what it said.
func TestMeasure(t *testing.T) {
	t.Chdir(t.TempDir())
	p := program{before: []string{"true"}}
	if missing := p.missing(); missing != "" {
		t.Skip("no " + missing)
	}
	if spent, err := p.measure(2, true); err != nil || spent != (cost{}) {
		t.Errorf("nothing timed: %+v, %v", spent, err)
	}
	p = program{steps: p.before}
	if spent, err := p.measure(2, true); err != nil || spent.clock <= 0 || spent.megabytes <= 0 {
		t.Errorf("%+v, %v", spent, err)
	}
	if err := os.WriteFile("broken.sh", []byte("echo broken >&2; exit 3"), 0o644); err != nil {
		t.Fatal(err)
	}
	p = program{steps: []string{"sh broken.sh"}}
	if _, err := p.measure(1, false); err == nil || !strings.Contains(err.Error(), "broken\n") {
		t.Errorf("error %v, want what the program said", err)
	}
	if missing := (program{steps: []string{"no-such-program"}}).missing(); missing != "no-such-program" {
		t.Errorf("missing %q", missing)
	}
}

func TestSparse(t *testing.T) {
	set := &planted.Set{Labels: []string{"+1"}, Seqs: [][]byte{[]byte("AAAAAAAC")}} // AAAAAA twice, AAAAAC once
	if got, want := sparse(set), "+1 1:0.89442719099991586 2:0.44721359549995793\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
