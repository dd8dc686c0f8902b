package beside

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReadGzip(t *testing.T) {
	dir := t.TempDir()
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write([]byte("label\ttext\n")); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path, half, plain := filepath.Join(dir, "a.gz"), filepath.Join(dir, "half.gz"), filepath.Join(dir, "plain.gz")
	for name, content := range map[string][]byte{path: packed.Bytes(), half: packed.Bytes()[:packed.Len()-9], plain: []byte("label\ttext\n")} {
		if err := os.WriteFile(name, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := ReadGzip(path); err != nil || string(got) != "label\ttext\n" {
		t.Errorf("%q, %v", got, err)
	}
	for _, bad := range []string{half, plain} {
		if _, err := ReadGzip(bad); err == nil || !strings.Contains(err.Error(), bad) {
			t.Errorf("%s: error %v, want one that names the file", bad, err)
		}
	}
	if _, err := ReadGzip(filepath.Join(dir, "none.gz")); !os.IsNotExist(err) {
		t.Errorf("a file that is not there: %v", err)
	}
}

// The working folder of a test is that of its package, not the top of the repository.
func TestScriptElsewhere(t *testing.T) {
	if _, err := Script("benchmarks/peers/documents.py"); err == nil || !strings.Contains(err.Error(), "top of the repository") {
		t.Errorf("error %v, want one that says where to run it", err)
	}
	if path, err := Script("beside.go"); err != nil || !filepath.IsAbs(path) {
		t.Errorf("%q, %v", path, err)
	}
}
