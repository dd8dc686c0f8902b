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
	folder, want := t.TempDir(), ""
	for i, shape := range [][]int{{2, 4, 3}, {5}, {0, 4, 7}, {1, 1, 1}} {
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
		path := filepath.Join(folder, fmt.Sprintf("%d.npz", i))
		must.Succeed(t, os.WriteFile(path, file.Bytes(), 0o600))
		want += fmt.Sprintf("%s float64 True\n", bytes.ReplaceAll([]byte(fmt.Sprint(shape)), []byte(" "), []byte(", ")))
	}
	if numpy {
		text, err := exec.Command(python, "-c", `import sys, numpy
for i in range(4):
    a = numpy.load("%s/%d.npz" % (sys.argv[1], i))["arr_0"]
    print(list(a.shape), a.dtype, (a.ravel() == numpy.arange(a.size) + 0.25).all())`, folder).CombinedOutput()
		if err != nil || string(text) != want {
			t.Errorf("numpy finds %q, %v, want %q", text, err, want)
		}
	}
	if err := matrix.WriteNPZ(new(bytes.Buffer), []int{2, 2}, []float32{1, 2, 3}); err == nil {
		t.Error("3 values for 2 × 2: no error")
	}
}
