package process_test

import (
	"bufio"
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
	"github.com/seqsvm/seqsvm/classify/process"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/must"
)

// The objective is LIBLINEAR's, by its primal (-s 0) and its dual solver (-s 7) of logistic regression without bias.
func TestLogisticAgainstLIBLINEAR(t *testing.T) {
	program, err := exec.LookPath("liblinear-train")
	if err != nil {
		t.Skip("liblinear-train is not on the PATH (Debian: liblinear-tools)")
	}
	g, y := svmtest.Planted(200, 60, 4, 0.1, 0.05, 3)
	var data bytes.Buffer
	for i, v := range y {
		fmt.Fprintf(&data, "%+d", int(v))
		for k, id := range g.IDs[i] {
			fmt.Fprintf(&data, " %d:%.17g", id+1, g.Values[i][k])
		}
		data.WriteByte('\n')
	}
	dir := t.TempDir()
	input, model := filepath.Join(dir, "data.txt"), filepath.Join(dir, "model.txt")
	must.Succeed(t, os.WriteFile(input, data.Bytes(), 0o644))
	for _, c := range []float64{0.1, 1, 100} {
		got := must.Get(process.Logistic{}.Solve(context.Background(), g,
			svm.Problem{Weights: y, NoBias: true, Costs: svm.Costs{Positive: c, Negative: c}, Tol: 1e-9}))(t)
		for _, solver := range []string{"0", "7"} {
			out, err := exec.Command(program, "-s", solver, "-B", "-1", "-e", "1e-9", "-c", fmt.Sprint(c), input, model).
				CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			if want := logisticObjective(t, model, g, y, c); relative(got.Primal, want) > 1e-6 {
				t.Errorf("C = %g: primal %v, LIBLINEAR -s %s %v", c, got.Primal, solver, want)
			}
		}
	}
}

// logisticObjective returns that of the weights in a model file of LIBLINEAR.
func logisticObjective(t *testing.T, model string, g *svmtest.Gram, y []float64, c float64) float64 {
	t.Helper()
	file := must.Get(os.ReadFile(model))(t)
	_, body, _ := strings.Cut(string(file), "\nw\n")
	var w []float64
	for lines := bufio.NewScanner(strings.NewReader(body)); lines.Scan(); {
		v := must.Get(strconv.ParseFloat(strings.TrimSpace(lines.Text()), 64))(t)
		w = append(w, v) // for the label of the first record, +1
	}
	objective := 0.0
	for _, v := range w {
		objective += v * v / 2
	}
	for i, v := range y {
		score := 0.0
		for k, id := range g.IDs[i] {
			score += w[id] * g.Values[i][k]
		}
		objective += c * math.Log1p(math.Exp(-v*score))
	}
	return objective
}
