package seqsvm_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
)

// TestReadmeProgram: the program in README.md compiles, runs beside testdata and prints what its last line says. Its
// main function is short.
func TestReadmeProgram(t *testing.T) {
	readme := must.Get(os.ReadFile("README.md"))(t)
	block := regexp.MustCompile("(?s)```go\n(.*?)```").FindSubmatch(readme)
	if block == nil {
		t.Fatal("README.md has no Go program")
	}
	printed := regexp.MustCompile(`fmt\.Printf\(.*// (.*)\n`).FindSubmatch(block[1])
	if printed == nil {
		t.Fatal("the program does not say what it prints")
	}
	_, main, _ := strings.Cut(string(block[1]), "func main() {\n")
	if lines := strings.Count(main, "\n"); lines > 15 {
		t.Errorf("%d lines from main to the end, want at most 15", lines)
	}
	dir := t.TempDir()
	source, program := filepath.Join(dir, "main.go"), filepath.Join(dir, "program")
	must.Succeed(t, os.WriteFile(source, block[1], 0o644))
	if out, err := exec.Command("go", "build", "-ldflags=-w", "-o", program, source).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	here := must.Get(os.Getwd())(t)
	must.Succeed(t, os.Symlink(filepath.Join(here, "testdata"), filepath.Join(dir, "testdata")))
	run := exec.Command(program)
	run.Dir = dir
	if out, err := run.CombinedOutput(); err != nil || strings.TrimSpace(string(out)) != string(printed[1]) {
		t.Errorf("it printed %q, %v, want %q", out, err, printed[1])
	}
}
