package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/benchmarks/planted"
)

// A set is written whole, or not at all.
func TestGenerate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.fa")
	for want, o := range map[string]planted.Options{"want ≥ 1": {}, "want ≥ 12": {N: 10, Length: 5}} {
		if err := generate(o, path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%v left a file", o)
		}
	}
	if err := generate(planted.Options{N: 10, Length: 40, Motif: "ttgaca", Seed: 3}, path); err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(path)
	if err != nil || strings.Count(string(written), ">") != 10 || strings.Count(string(written), "label=+1") != 5 {
		t.Errorf("unexpected set (%v):\n%s", err, written)
	}
}
