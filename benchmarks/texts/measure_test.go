package main

import (
	"compress/gzip"
	"os"
	"path/filepath"
	"testing"
)

func TestUnpackCutsLabels(t *testing.T) {
	dir := t.TempDir()
	packed, path := filepath.Join(dir, "a.gz"), filepath.Join(dir, "a.tsv")
	f, err := os.Create(packed)
	if err != nil {
		t.Fatal(err)
	}
	w := gzip.NewWriter(f)
	if _, err := w.Write([]byte("NUM:date\tWhen : who ?\nplain\tx:y\n")); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	for coarse, want := range map[bool]string{true: "NUM\tWhen : who ?\nplain\tx:y\n", false: "NUM:date\tWhen : who ?\nplain\tx:y\n"} {
		if err := unpack(path, packed, coarse); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("coarse %v: %q, %v, want %q", coarse, got, err, want)
		}
	}
	if err := unpack(path, filepath.Join(dir, "none.gz"), false); !os.IsNotExist(err) {
		t.Errorf("a set that is not there: %v", err)
	}
}

func TestChoose(t *testing.T) {
	if chosen, err := choose([]string{"sms", "r8"}); err != nil || len(chosen) != 2 || chosen[0].name != "r8" {
		t.Errorf("%v, %v, want two sets in the order of the list", chosen, err)
	}
	if chosen, err := choose(nil); err != nil || len(chosen) != len(sets) {
		t.Errorf("%v, %v, want all", chosen, err)
	}
	if _, err := choose([]string{"r8", "newsgroups"}); err == nil {
		t.Error("a set that is not there: no error")
	}
}

// Every set has what its kind needs.
func TestSets(t *testing.T) {
	for _, s := range sets {
		if s.test == (s.folds != "") || len(s.chosen) == 0 || s.metric != "accuracy" && s.metric != "mcc" {
			t.Errorf("set %s: %+v", s.name, s)
		}
	}
}
