package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/throughput"
)

func table(t *testing.T, rows []throughput.Row) string {
	t.Helper()
	var text bytes.Buffer
	for _, row := range rows {
		if err := json.NewEncoder(&text).Encode(row); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "bench.json")
	if err := os.WriteFile(path, text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestDraw(t *testing.T) {
	path := table(t, []throughput.Row{
		{Kernel: "spectrum:k=6", Letters: 1000, Index: 1, Product: 1, Train: 2, Raw: 5, Normalized: 6},
		{Kernel: "spectrum:k=6", Letters: 2000, Index: 2, Product: 2, Train: 4, Raw: 5, Normalized: 6},
		{Kernel: "gapped:rc", Letters: 1000, Index: 1, Product: 1, Train: 9, Raw: 5, Normalized: 6},
	})
	for _, column := range slices.Sorted(maps.Keys(columns)) {
		picture := filepath.Join(t.TempDir(), column+".svg")
		if err := draw(column, picture, []string{path}); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(picture)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"spectrum:k=6", "gapped:rc", columns[column]} {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s: no %q in the picture", column, want)
			}
		}
	}
}

// A table of one size, as seqsvm bench writes it by default, is a picture of points.
func TestDrawOneSize(t *testing.T) {
	path := table(t, []throughput.Row{{Kernel: "spectrum:k=6", Letters: 600_000, Train: 0.02}})
	picture := filepath.Join(t.TempDir(), "x.svg")
	if err := draw("train_s", picture, []string{path}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(picture)
	if err != nil || !strings.Contains(string(text), ">0.5</text>") || !strings.Contains(string(text), ">0.02</text>") {
		t.Errorf("no numbers at the axes, %v", err)
	}
}

func TestDrawErrors(t *testing.T) {
	good := table(t, []throughput.Row{{Kernel: "k", Letters: 10, Train: 1}})
	zero := table(t, []throughput.Row{{Kernel: "k", Letters: 10}})
	picture := filepath.Join(t.TempDir(), "x.svg")
	for name, err := range map[string]error{
		"column":   draw("height", picture, []string{good}),
		"no file":  draw("train_s", picture, nil),
		"no name":  draw("train_s", "", []string{good}),
		"missing":  draw("train_s", picture, []string{"nowhere.json"}),
		"zero":     draw("train_s", picture, []string{zero}),
		"format":   draw("train_s", filepath.Join(t.TempDir(), "x.txt"), []string{good}),
		"folder":   draw("train_s", filepath.Join(t.TempDir(), "absent", "x.svg"), []string{good}),
		"not JSON": draw("train_s", picture, []string{"main.go"}),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
