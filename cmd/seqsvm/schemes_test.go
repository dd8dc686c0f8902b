package main_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSummaryOfJointMachines: a hierarchy of one node is the same problem as its children as classes, so the
// summaries are the same.
func TestSummaryOfJointMachines(t *testing.T) {
	paths := "label\ttext\na/x\tone two\na/x\ttwo one\na/y\tthree four\na/y\tfour three one\na/z\tfive " +
		"six\na/z\tsix five one\n"
	var got, want map[string]any
	for _, c := range []struct {
		text, options string
		summary       *map[string]any
	}{{paths, "--hierarchy /", &got}, {strings.ReplaceAll(paths, "a/", ""), "", &want}} {
		dir := t.TempDir()
		file := filepath.Join(dir, "t.tsv")
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		args := append([]string{"train", "--quiet", "--kernel", "words", "--format", "json", "-o",
			filepath.Join(dir, "m.seqsvm")}, strings.Fields(c.options)...)
		if err := json.Unmarshal([]byte(mustTool(t, append(args, file)...)), c.summary); err != nil {
			t.Fatal(err)
		}
	}
	for _, key := range []string{"solver", "iterations", "primal", "dual", "gap", "support_vectors"} {
		if got[key] != want[key] {
			t.Errorf("%s %v, want %v", key, got[key], want[key])
		}
	}
}
