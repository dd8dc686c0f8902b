package svm

import (
	"bufio"
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/classify/internal/svmtest"
)

// formulaProblem is a Gaussian kernel on 14 points of the plane that anyone can recompute.
func formulaProblem() (*Precomputed, []float64) {
	const n = 14
	g, y := &Precomputed{N: n, K: make([]float64, n*n)}, make([]float64, n)
	x := func(i int) (float64, float64) { return math.Sin(float64(i * i)), math.Cos(float64(3 * i)) }
	for i := range n {
		y[i] = -1
		if (5*i*i+i)%7 < 4 {
			y[i] = 1
		}
		for j := range n {
			a, b := x(i)
			c, d := x(j)
			g.K[i*n+j] = math.Exp(-((a-c)*(a-c) + (b-d)*(b-d)) / 2)
		}
	}
	return g, y
}

// libsvmSolution is what svm-train says: signed coefficients, rho, and the dual objective (obj with its sign changed).
type libsvmSolution struct {
	alpha     []float64
	rho, dual float64
}

// golden holds LIBSVM 3.24's answers (Debian libsvm-tools 3.24+ds-6) to formulaProblem, whose rows were written with 17
// digits:
//
//	svm-train -s 0 -t 4 -e 1e-12 OPTIONS matrix.txt
//
// Coefficients and rho are those of the model file, the objective is the one printed (six decimals). LIBSVM keeps rows
// in single precision, which shows in its sixth digit at C = 100.
var golden = []struct {
	options string
	costs   Costs
	libsvmSolution
}{
	{"-c 2", Costs{2, 2}, libsvmSolution{[]float64{1.6270323520253454, -1.1519902106664686, 2, 0, 2,
		-0.57069649696593561, -2, 2, -2, 2,
		-2, 2, -1.9043456443929412, -2}, -0.050075645233964683, 19.561254}},
	{"-c 1 -w1 3 -w-1 0.5", Costs{3, 0.5},
		libsvmSolution{[]float64{0, -0.5, 0.66337003059053223, -0.5, 0.13711537677824862, -0.5, -0.5, 0, -0.5,
			1.9745750489130893, -0.5, 1.2249395437181296, -0.5, -0.5}, -0.89233559051040012, 7.632904}},
	{"-c 100", Costs{100, 100},
		libsvmSolution{[]float64{0, -10.375298115853578, 3.5096151290447808, 0, 31.136381206628716, -9.3867731993518859,
			-20.406894331958569, 0, -40.016459914971009, 100, 0, 45.43637782559022, -99.896948599128635, 0},
			-1.4545294312180188, 190.757826}},
}

func TestGoldenLIBSVM(t *testing.T) {
	g, y := formulaProblem()
	for _, want := range golden {
		for name, s := range solvers(want.costs, 1e-11) {
			sol := mustSolve(t, s, g, y)
			compareLIBSVM(t, want.options+", "+name, g, y, sol, want.libsvmSolution, 1e-5)
		}
	}
}

// compareLIBSVM compares objectives to 1e-6, rho and decision values to tol.
func compareLIBSVM(t *testing.T, name string, g *Precomputed, y []float64, got Solution,
	want libsvmSolution, tol float64) {
	t.Helper()
	if math.Abs(got.Dual-want.dual) > 1e-6*(1+want.dual) {
		t.Errorf("%s: dual %v, LIBSVM %v", name, got.Dual, want.dual)
	}
	if math.Abs(got.Rho-want.rho) > tol {
		t.Errorf("%s: rho %v, LIBSVM %v", name, got.Rho, want.rho)
	}
	for i := range y {
		a, b := dot(g.row(i), got.Coef)-got.Rho, dot(g.row(i), want.alpha)-want.rho
		if math.Abs(a-b) > tol*(1+math.Abs(b)) {
			t.Errorf("%s: decision value %d is %v, LIBSVM %v", name, i, a, b)
		}
	}
}

// TestAgainstLIBSVM runs LIBSVM where it is installed.
func TestAgainstLIBSVM(t *testing.T) {
	if _, err := exec.LookPath("svm-train"); err != nil {
		t.Skip("svm-train of LIBSVM is not on the PATH (Debian: libsvm-tools)")
	}
	g, y := svmtest.Planted(200, 60, 4, 0.25, 0.1, 21)
	motifs := dense(g)
	gauss, labels := points(150, 4, true, 22)
	for _, data := range []struct {
		name string
		g    *Precomputed
		y    []float64
	}{{"motifs", motifs, y}, {"points", gauss, labels}} {
		for _, costs := range []Costs{{1, 1}, {10, 2}} {
			want := runLIBSVM(t, data.g, data.y, costs)
			for name, s := range solvers(costs, 1e-9) {
				sol := mustSolve(t, s, data.g, data.y)
				compareLIBSVM(t, fmt.Sprintf("%s, %v, %s", data.name, costs, name), data.g, data.y, sol, want, 1e-3)
			}
		}
	}
}

func runLIBSVM(t *testing.T, g *Precomputed, y []float64, costs Costs) libsvmSolution {
	t.Helper()
	dir := t.TempDir()
	matrix, model := filepath.Join(dir, "matrix.txt"), filepath.Join(dir, "model.txt")
	var text bytes.Buffer
	for i, v := range y {
		fmt.Fprintf(&text, "%+d 0:%d", int(v), i+1)
		for j, k := range g.row(i) {
			fmt.Fprintf(&text, " %d:%.17g", j+1, k)
		}
		text.WriteByte('\n')
	}
	if err := os.WriteFile(matrix, text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("svm-train", "-s", "0", "-t", "4", "-c", "1", "-e", "1e-8",
		"-w1", fmt.Sprint(costs.Positive), "-w-1", fmt.Sprint(costs.Negative), matrix, model).Output()
	if err != nil {
		t.Fatal(err)
	}
	s := libsvmSolution{alpha: make([]float64, len(y))}
	if _, rest, found := strings.Cut(string(out), "obj = "); found {
		number, _, _ := strings.Cut(rest, ",")
		s.dual = -parse(t, number)
	}
	readLIBSVMModel(t, model, y[0], &s)
	return s
}

// readLIBSVMModel reads rho and coefficients, which speak for the label of the first record.
func readLIBSVMModel(t *testing.T, name string, sign float64, s *libsvmSolution) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines, vectors := bufio.NewScanner(f), false; lines.Scan(); {
		fields := strings.Fields(lines.Text())
		switch {
		case fields[0] == "rho":
			s.rho = sign * parse(t, fields[1])
		case fields[0] == "SV":
			vectors = true
		case vectors:
			record := parse(t, strings.TrimPrefix(fields[1], "0:"))
			s.alpha[int(record)-1] = sign * parse(t, fields[0])
		}
	}
}

func parse(t *testing.T, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
