package model_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The program in README.md compiles, runs at the top of the repository and prints what stands behind its last line.
func TestReadmeProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds a program")
	}
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)```go\n(.*?)```").FindSubmatch(readme)
	if block == nil {
		t.Fatal("README.md has no Go program")
	}
	printed := regexp.MustCompile(`fmt\.Printf\(.*// (.*)\n`).FindSubmatch(block[1])
	if printed == nil {
		t.Fatal("the program does not say what it prints")
	}
	source := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(source, block[1], 0o644); err != nil {
		t.Fatal(err)
	}
	run := exec.Command("go", "run", source)
	run.Dir = ".."
	if out, err := run.CombinedOutput(); err != nil || strings.TrimSpace(string(out)) != string(printed[1]) {
		t.Errorf("it printed %q, %v, want %q", out, err, printed[1])
	}
}
