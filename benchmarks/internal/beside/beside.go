// Package beside has what the comparisons with other programs share: the tool, built from this repository, the scripts
// of the other side, and public sets, unpacked.
package beside

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Python is Debian's, which finds Debian's scikit-learn.
const Python = "/usr/bin/python3"

// HasLearn reports whether scikit-learn is there.
func HasLearn() bool { return exec.Command(Python, "-c", "import sklearn").Run() == nil }

// Script returns the absolute path of a script of the repository. It is an error if the working folder is not the top
// of the repository.
func Script(path string) (string, error) {
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("run it from the top of the repository: %w", err)
	}
	return filepath.Abs(path)
}

// WithTool builds seqsvm as dir/seqsvm in a temporary folder and calls run with the folder and with
// [Script] of scripts, a file or a folder.
func WithTool(scripts string, run func(dir, scripts string) error) error {
	scripts, err := Script(scripts)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "seqsvm")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if _, err := Output("go", "build", "-o", filepath.Join(dir, "seqsvm"), "./cmd/seqsvm"); err != nil {
		return err
	}
	return run(dir, scripts)
}

// Output runs a program and returns what it printed.
func Output(program string, args ...string) ([]byte, error) {
	out, err := exec.Command(program, args...).Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		err = fmt.Errorf("%s %s: %w: %s", filepath.Base(program), strings.Join(args, " "), err, exit.Stderr)
	}
	return out, err
}

// Choose returns the sets of those names, in the order of the list; all without names.
func Choose[S any](sets []S, name func(S) string, names []string) ([]S, error) {
	if len(names) == 0 {
		return sets, nil
	}
	var chosen []S
	var known []string
	for _, s := range sets {
		known = append(known, name(s))
		if slices.Contains(names, name(s)) {
			chosen = append(chosen, s)
		}
	}
	if len(chosen) < len(names) {
		return nil, fmt.Errorf("sets %s, want some of %s", strings.Join(names, ", "), strings.Join(known, ", "))
	}
	return chosen, nil
}

// ReadGzip returns the content of a gzip file. If there is none, the error is one of [os.IsNotExist].
func ReadGzip(path string) ([]byte, error) {
	packed, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer packed.Close()
	unpacked, err := gzip.NewReader(packed)
	var text []byte
	if err == nil {
		text, err = io.ReadAll(unpacked)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return text, nil
}
