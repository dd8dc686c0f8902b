package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// call runs the command and returns what it printed.
func call(arguments ...string) (status int, stdout, stderr string) {
	var out, messages bytes.Buffer
	status = run(arguments, &out, &messages)
	return status, out.String(), messages.String()
}

func TestOutputAndFileAgree(t *testing.T) {
	arguments := []string{"-n", "10", "-len", "40", "-motif", "ttgaca", "-mutations", "1",
		"-both-strands", "-flip", "0.2", "-seed", "3"}
	status, stdout, stderr := call(arguments...)
	if status != 0 || stderr != "generate: 10 sequences of 40 bases, motif TTGACA\n" {
		t.Fatalf("status %d, %q", status, stderr)
	}
	if strings.Count(stdout, ">") != 10 || strings.Count(stdout, "label=+1") != 5 {
		t.Errorf("unexpected set:\n%s", stdout)
	}
	path := filepath.Join(t.TempDir(), "out.fa")
	if status, out, stderr := call(append(arguments, "-o", path)...); status != 0 || out != "" {
		t.Fatalf("status %d, %q, %q", status, out, stderr)
	}
	written, err := os.ReadFile(path)
	if err != nil || string(written) != stdout {
		t.Errorf("file and standard output differ (%v)", err)
	}
}

func TestUsageErrors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.fa")
	for _, arguments := range [][]string{
		{"-n", "0"}, {"-n", "x"}, {"-len", "5"}, {"-motif", "AXA"}, {"-flip", "2"},
		{"-mutations", "13"}, {"-unknown"}, {"operand"},
	} {
		status, stdout, stderr := call(append([]string{"-o", path}, arguments...)...)
		if status != 2 || stdout != "" || strings.Count(stderr, "\n") != 1 || !strings.HasPrefix(stderr, "generate: ") {
			t.Errorf("%q: status %d, output %q, message %q", arguments, status, stdout, stderr)
		}
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%q left a file", arguments)
		}
	}
	if status, _, stderr := call("-help"); status != 0 || !strings.Contains(stderr, "-both-strands") {
		t.Errorf("help: status %d, %q", status, stderr)
	}
}

func TestUnwritableOutput(t *testing.T) {
	status, _, stderr := call("-n", "2", "-o", filepath.Join(t.TempDir(), "absent", "out.fa"))
	if status != 1 || strings.Count(stderr, "\n") != 1 {
		t.Errorf("status %d, %q, want 1 and one line", status, stderr)
	}
}
