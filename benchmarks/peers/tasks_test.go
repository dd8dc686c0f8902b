package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/seqsvm/seqsvm/benchmarks/planted"
)

func TestShare(t *testing.T) {
	test := filepath.Join(t.TempDir(), "test.fa")
	if err := os.WriteFile(test, []byte(">a label=+1\nA\n>b label=-1\nC\n>c label=+1\nG\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	first := func(fields []string) string { return fields[0] }
	if got, err := share([]string{"1", "-1", "-1"}, test, first); err != nil || got != 2.0/3 {
		t.Errorf("share %v, %v, want 2/3", got, err)
	}
	if _, err := share([]string{"1"}, test, first); err == nil {
		t.Error("one prediction for three records: no error")
	}
}

func TestWriteSparse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.svm")
	set := &planted.Set{Labels: []string{"+1"}, Seqs: [][]byte{[]byte("AAAAAAAC")}} // AAAAAA twice, AAAAAC once
	if err := writeSparse(path, set); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if want := "+1 1:0.89442719099991586 2:0.44721359549995793\n"; string(text) != want {
		t.Errorf("%q, want %q", text, want)
	}
}
