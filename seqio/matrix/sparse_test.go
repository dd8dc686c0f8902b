package matrix_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/long"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio/matrix"
)

// randomSparse returns a matrix with empty rows and columns, and the same with zeros.
func randomSparse(rng *rand.Rand, rows, columns int) (s *matrix.Sparse, dense [][]float64) {
	s = &matrix.Sparse{Columns: columns}
	for range rows {
		row := make([]float64, columns)
		for j := range row {
			if rng.IntN(3) == 0 {
				row[j] = rng.NormFloat64()
				s.Indices, s.Values = append(s.Indices, uint32(j)), append(s.Values, row[j])
			}
		}
		s.Ends, dense = append(s.Ends, len(s.Values)), append(dense, row)
	}
	return s, dense
}

// SciPy and, with the build tag long, scikit-learn read the matrices that were written.
func TestSparseInPython(t *testing.T) {
	const python = "/usr/bin/python3"
	const found = "from importlib.util import *; [find_spec(m).name for m in ('scipy', 'sklearn')]"
	if exec.Command(python, "-c", found).Run() != nil {
		t.Skip("python3 with SciPy and scikit-learn is not installed")
	}
	rng := rand.New(rand.NewPCG(1, 2))
	program := "import numpy as np, scipy.sparse, scipy.io\n"
	if long.Tests {
		program += "import sklearn.datasets\n" // a second
	}
	for _, shape := range [][2]int{{4, 5}, {1, 1}, {3, 0}} {
		s, dense := randomSparse(rng, shape[0], shape[1])
		folder := t.TempDir()
		labels := make([]string, shape[0])
		for i := range labels {
			labels[i] = fmt.Sprint(i % 2)
		}
		for name, write := range map[string]func(w io.Writer) error{
			"m.npz": s.WriteNPZ, "m.mtx": s.WriteMarket,
			"m.libsvm": func(w io.Writer) error { return s.WriteLIBSVM(w, labels) },
		} {
			var file bytes.Buffer
			must.Succeed(t, write(&file))
			must.Succeed(t, os.WriteFile(filepath.Join(folder, name), file.Bytes(), 0o666))
		}
		program += fmt.Sprintf(`
folder = %q
want = np.array(%s, dtype=float).reshape(%d, %d)
csr = scipy.sparse.load_npz(folder + "/m.npz")
assert csr.format == "csr" and csr.dtype == float, csr
assert (csr.toarray() == want).all(), csr
if want.shape[1]:
    assert (scipy.io.mmread(folder + "/m.mtx").toarray() == want).all()
if want.shape[1] and "sklearn" in globals():
    x, y = sklearn.datasets.load_svmlight_file(folder + "/m.libsvm", n_features=want.shape[1], zero_based=False)
    assert (x.toarray() == want).all() and (y == np.arange(len(y)) %% 2).all()
`, folder, strings.ReplaceAll(fmt.Sprintf("%.17g", dense), " ", ","), shape[0], shape[1])
	}
	if out, err := exec.Command(python, "-c", program).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// The text formats hold every entry, and labels that are no numbers are refused.
func TestSparseText(t *testing.T) {
	s := &matrix.Sparse{Columns: 3, Ends: []int{2, 2, 3}, Indices: []uint32{0, 2, 1}, Values: []float64{0.5, -1, 1e-300}}
	var market, libsvm bytes.Buffer
	must.Succeed(t, s.WriteMarket(&market))
	if want := "%%MatrixMarket matrix coordinate real general\n3 3 3\n1 1 0.5\n1 3 -1\n3 2 1e-300\n"; market.String() != want {
		t.Errorf("%q, want %q", market.String(), want)
	}
	must.Succeed(t, s.WriteLIBSVM(&libsvm, []string{"1", "", "-2.5"}))
	if want := "1 1:0.5 3:-1\n0\n-2.5 2:1e-300\n"; libsvm.String() != want {
		t.Errorf("%q, want %q", libsvm.String(), want)
	}
	if err := s.WriteLIBSVM(io.Discard, []string{"1", "x", "2"}); err == nil || !strings.Contains(err.Error(), "row 2") {
		t.Errorf("a label x: %v", err)
	}
}

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
