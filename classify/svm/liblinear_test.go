package svm

import (
	"bufio"
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/classify/internal/svmtest"
)

// TestAgainstLIBLINEAR compares with LIBLINEAR's dual coordinate descent (-s 3: hinge, -s 1: squared hinge) without a
// bias. Every record x of label y has a mirror image −x of label −y, so that by symmetry the best bias is 0 and the two
// problems have the same optimum.
func TestAgainstLIBLINEAR(t *testing.T) {
	program := liblinear(t)
	const features = 150
	rng := rand.New(rand.NewPCG(31, 1))
	g, y := &svmtest.Gram{Features: features}, []float64(nil)
	for i := range 60 {
		var ids []int32
		var values, opposite []float64
		label := float64(1 - 2*(i%2))
		for f := range features {
			if rng.IntN(10) == 0 {
				v := rng.NormFloat64() + 0.3*label
				ids, values, opposite = append(ids, int32(f)), append(values, v), append(opposite, -v)
			}
		}
		g.IDs, g.Values, y = append(g.IDs, ids, ids), append(g.Values, values, opposite), append(y, label, -label)
	}
	for _, costs := range []Costs{{0.1, 0.1}, {1, 1}, {10, 10}} {
		for loss, solvers := range map[Loss]map[string]task{Hinge: coordinateSolvers(costs, 1e-7),
			SquaredHinge: squaredSolvers(costs, 1e-7)} {
			want := liblinearObjective(t, program, g, y, costs, loss)
			for name, s := range solvers {
				sol := mustSolve(t, s, g, y)
				if math.Abs(sol.Primal-want) > 1e-5*want {
					t.Errorf("%s, %v, %s: primal %v, LIBLINEAR %v", name, costs, loss, sol.Primal, want)
				}
			}
		}
	}
}

// liblinear returns the path of LIBLINEAR's training program.
func liblinear(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("solving to LIBLINEAR's digits takes minutes under the race detector")
	}
	program, err := exec.LookPath("liblinear-train")
	if err != nil {
		t.Skip("liblinear-train is not on the PATH (Debian: liblinear-tools)")
	}
	return program
}

// liblinearObjective returns ½‖w‖² + Σ C max(0, 1 − y⟨w, x⟩) of LIBLINEAR's w, or with the squares.
func liblinearObjective(t *testing.T, program string, g *svmtest.Gram, y []float64, costs Costs, loss Loss) float64 {
	t.Helper()
	dir := t.TempDir()
	data, model := filepath.Join(dir, "data.txt"), filepath.Join(dir, "model.txt")
	var text bytes.Buffer
	for i, v := range y {
		fmt.Fprintf(&text, "%+d", int(v))
		for k, id := range g.IDs[i] {
			fmt.Fprintf(&text, " %d:%.17g", id+1, g.Values[i][k])
		}
		text.WriteByte('\n')
	}
	if err := os.WriteFile(data, text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(program, "-s", map[Loss]string{Hinge: "3", SquaredHinge: "1"}[loss], "-B", "-1", "-e",
		"1e-9", "-c", fmt.Sprint(costs.Positive), data, model).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	file, err := os.Open(model)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var w []float64
	for lines, weights := bufio.NewScanner(file), false; lines.Scan(); {
		switch line := strings.TrimSpace(lines.Text()); {
		case line == "w":
			weights = true
		case weights:
			w = append(w, parse(t, line)) // for the label of the first record, +1
		}
	}
	p := weighted(y, y, costs)
	objective := dot(w, w) / 2
	for i, v := range y {
		score := 0.0
		for k, id := range g.IDs[i] {
			score += w[id] * g.Values[i][k]
		}
		xi := max(0, 1-v*score)
		if loss == SquaredHinge {
			xi *= xi
		}
		objective += p.cost(i) * xi
	}
	return objective
}
