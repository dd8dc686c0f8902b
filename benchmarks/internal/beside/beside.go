// Package beside has what the comparisons with other programs share: the tool, built from this repository, the scripts
// of the other side, and public sets, unpacked.
package beside

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// Python is Debian's, which finds Debian's scikit-learn.
const Python = "/usr/bin/python3"

// BuildTool builds seqsvm in a folder and returns the program's path. The working folder is the top of the repository.
func BuildTool(dir string) (string, error) {
	tool := filepath.Join(dir, "seqsvm")
	if out, err := exec.Command("go", "build", "-o", tool, "./cmd/seqsvm").CombinedOutput(); err != nil {
		return "", fmt.Errorf("building seqsvm: %w: %s", err, out)
	}
	return tool, nil
}

// Script returns the absolute path of a script of the repository. It is an error if the working folder is not the top
// of the repository.
func Script(path string) (string, error) {
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("run it from the top of the repository: %w", err)
	}
	return filepath.Abs(path)
}

// ReadGzip returns the content of a gzip file. If there is none, the error is one of [os.IsNotExist].
func ReadGzip(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() // it was only read
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	text, err := io.ReadAll(unpacked)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return text, nil
}
