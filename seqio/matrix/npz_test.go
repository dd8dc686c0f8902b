package matrix_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio/matrix"
)

// NumPy loads arrays of several dimensions with their values, and the same array has the same bytes.
func TestNPZ(t *testing.T) {
	const python = "/usr/bin/python3"
	numpy := exec.Command(python, "-c", "import numpy").Run() == nil
	if !numpy {
		t.Log("python3 with numpy is not installed: only bytes are compared")
	}
	for _, shape := range [][]int{{2, 4, 3}, {5}, {0, 4, 7}, {1, 1, 1}} {
		size := 1
		for _, n := range shape {
			size *= n
		}
		values := make([]float64, size)
		for i := range values {
			values[i] = float64(i) + 0.25
		}
		var file, again bytes.Buffer
		for _, w := range []*bytes.Buffer{&file, &again} {
			must.Succeed(t, matrix.WriteNPZ(w, shape, values))
		}
		if !bytes.Equal(file.Bytes(), again.Bytes()) {
			t.Fatal("the same array has other bytes")
		}
		if !numpy {
			continue
		}
		path := filepath.Join(t.TempDir(), "a.npz")
		must.Succeed(t, os.WriteFile(path, file.Bytes(), 0o600))
		text, err := exec.Command(python, "-c", `import sys, numpy
a = numpy.load(sys.argv[1])["arr_0"]
print(list(a.shape), a.dtype, (a.ravel() == numpy.arange(a.size) + 0.25).all())`, path).CombinedOutput()
		want := fmt.Sprintf("%s float64 True\n", bytes.ReplaceAll([]byte(fmt.Sprint(shape)), []byte(" "), []byte(", ")))
		if err != nil || string(text) != want {
			t.Errorf("numpy finds %q, %v, want %q", text, err, want)
		}
	}
	if err := matrix.WriteNPZ(new(bytes.Buffer), []int{2, 2}, []float32{1, 2, 3}); err == nil {
		t.Error("3 values for 2 × 2: no error")
	}
}
