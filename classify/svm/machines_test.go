package svm

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/classify/internal/svmtest"
	"github.com/seqsvm/seqsvm/classify/risk"
)

// libsvmMachine is a machine that LIBSVM has too.
type libsvmMachine struct {
	options string
	risk    func(y []float64) risk.Risk
	target  func(y []float64) []float64 // what LIBSVM is given
	scale   func(coef []float64) float64
	golden  float64 // the objective ½ aᵀKa + R(Ka) of LIBSVM 3.24's coefficients on formulaProblem
}

const (
	testC, testEpsilon, testNu = 2.0, 0.1, 0.4
)

// libsvmMachines are those of svm-train -t 4 -e 1e-9 OPTIONS. LIBSVM scales the coefficients of ν-classification so
// that the margin is 1, and those of one class so that they sum to νn; the latter's scores have the other sign.
var libsvmMachines = []libsvmMachine{
	{
		options: "-s 1 -n 0.4", golden: -0.000284578060,
		risk: func(y []float64) risk.Risk {
			h := risk.NuClasses(y, testNu)
			return h
		},
		target: func(y []float64) []float64 { return y },
		scale:  func(coef []float64) float64 { return testNu / size(coef) },
	},
	{
		options: "-s 2 -n 0.4", golden: -0.207479616977,
		risk:   func(y []float64) risk.Risk { return risk.OneClass(len(y), nil, testNu) },
		target: func(y []float64) []float64 { return y },
		scale:  func(coef []float64) float64 { return -1 / size(coef) },
	},
	{
		options: "-s 3 -c 2 -p 0.1", golden: 14.8785655843,
		risk:   func(y []float64) risk.Risk { return risk.Insensitive(waves(y), nil, testC, testEpsilon) },
		target: waves,
		scale:  func([]float64) float64 { return 1 },
	},
	{
		options: "-s 4 -c 2 -n 0.4", golden: 11.6585172627,
		risk:   func(y []float64) risk.Risk { return risk.NuInsensitive(waves(y), testC, testNu) },
		target: waves,
		scale:  func([]float64) float64 { return 1 },
	},
}

// waves are numbers to learn.
func waves(y []float64) []float64 {
	out := make([]float64, len(y))
	for i, v := range y {
		out[i] = v/2 + math.Sin(float64(i))
	}
	return out
}

func size(v []float64) (sum float64) {
	for _, x := range v {
		sum += math.Abs(x)
	}
	return sum
}

// objective is ½ aᵀKa + R(Ka).
func objective(g *Precomputed, r risk.Risk, a []float64) float64 {
	f := make([]float64, g.N)
	g.MulVecTo(f, a)
	value, _ := r.Plane(make([]float64, g.N), f)
	return dot(a, f)/2 + value
}

func TestGoldenMachines(t *testing.T) {
	g, y := formulaProblem()
	for _, m := range libsvmMachines {
		checkMachine(t, m.options, g, m.risk(y), m.golden)
	}
}

// checkMachine compares the optimum with that of LIBSVM to 1e-6, and a solution's values with their definitions.
func checkMachine(t *testing.T, name string, g *Precomputed, r risk.Risk, want float64) {
	t.Helper()
	sol, err := CuttingPlane{}.Solve(context.Background(), g, Problem{Risk: r, Tol: 1e-9})
	if err != nil {
		t.Fatal(err)
	}
	if sol.Gap > 1e-9 {
		t.Errorf("%s: gap %v", name, sol.Gap)
	}
	if primal := objective(g, r, sol.Coef); math.Abs(primal-sol.Primal) > 1e-12*(1+math.Abs(primal)) {
		t.Errorf("%s: primal %v, want %v", name, sol.Primal, primal)
	}
	if sol.Dual > want+1e-9*math.Abs(want) || math.Abs(sol.Primal-want) > 1e-6*math.Abs(want) {
		t.Errorf("%s: %v to %v, LIBSVM %v", name, sol.Dual, sol.Primal, want)
	}
}

// TestMachinesAgainstLIBSVM runs LIBSVM where it is installed.
func TestMachinesAgainstLIBSVM(t *testing.T) {
	if _, err := exec.LookPath("svm-train"); err != nil {
		t.Skip("svm-train of LIBSVM is not on the PATH (Debian: libsvm-tools)")
	}
	planted, y := svmtest.Planted(120, 60, 4, 0.25, 0.1, 21)
	small, labels := formulaProblem()
	for _, m := range libsvmMachines {
		for _, data := range []struct {
			g *Precomputed
			y []float64
		}{{dense(planted), y}, {small, labels}} {
			coef := machineOfLIBSVM(t, data.g, m.target(data.y), m.options)
			scale := m.scale(coef)
			for i := range coef {
				coef[i] *= scale
			}
			r := m.risk(data.y)
			checkMachine(t, fmt.Sprintf("%s, %d records", m.options, data.g.N), data.g, r, objective(data.g, r, coef))
		}
	}
}

// machineOfLIBSVM returns the coefficients that svm-train finds.
func machineOfLIBSVM(t *testing.T, g *Precomputed, target []float64, options string) []float64 {
	t.Helper()
	dir := t.TempDir()
	matrix, model := filepath.Join(dir, "matrix.txt"), filepath.Join(dir, "model.txt")
	var text bytes.Buffer
	for i, v := range target {
		fmt.Fprintf(&text, "%.17g 0:%d", v, i+1)
		for j, k := range g.row(i) {
			fmt.Fprintf(&text, " %d:%.17g", j+1, k)
		}
		text.WriteByte('\n')
	}
	if err := os.WriteFile(matrix, text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	args := append(strings.Fields("-q -t 4 -e 1e-9 "+options), matrix, model)
	if out, err := exec.Command("svm-train", args...).CombinedOutput(); err != nil {
		t.Fatalf("svm-train: %v\n%s", err, out)
	}
	stored, err := os.ReadFile(model)
	if err != nil {
		t.Fatal(err)
	}
	_, vectors, _ := strings.Cut(string(stored), "SV\n")
	coef := make([]float64, g.N)
	for line := range strings.Lines(vectors) {
		fields := strings.Fields(line)
		value, err := strconv.ParseFloat(fields[0], 64)
		number, err2 := strconv.Atoi(strings.TrimPrefix(fields[1], "0:"))
		if err != nil || err2 != nil {
			t.Fatalf("model line %q", line)
		}
		coef[number-1] = value
	}
	return coef
}
