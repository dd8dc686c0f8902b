package svm_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/seqsvm/seqsvm/classify/internal/svmtest"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/svm/descent"
	"github.com/seqsvm/seqsvm/classify/svm/smo"
	"github.com/seqsvm/seqsvm/internal/must"
)

// mixture returns n records of several classes that overlap, each with about one in ten features, and every seventh
// without any.
func mixture(n, classes, features int, seed uint64) (*svmtest.Gram, []int) {
	rng := rand.New(rand.NewPCG(seed, 77))
	g, y := &svmtest.Gram{Features: features}, make([]int, n)
	for i := range y {
		y[i] = i % classes
		var ids []int32
		var values []float64
		for f := range features {
			if i%7 != 6 && rng.IntN(10) == 0 {
				v := rng.NormFloat64()
				if f%classes == y[i] {
					v += 0.7
				}
				ids, values = append(ids, int32(f)), append(values, v)
			}
		}
		g.IDs, g.Values = append(g.IDs, ids), append(g.Values, values)
	}
	return g, y
}

// signs returns +1 for class 1, −1 for the others.
func signs(class []int) []float64 {
	y := make([]float64, len(class))
	for i, c := range class {
		if y[i] = -1; c == 1 {
			y[i] = 1
		}
	}
	return y
}

// liblinear returns the weights of each feature by class, without a bias.
func liblinear(t *testing.T, g *svmtest.Gram, y []int, solver string, c float64) (w [][]float64) {
	t.Helper()
	var text strings.Builder
	for i, class := range y {
		fmt.Fprint(&text, class)
		for k, id := range g.IDs[i] {
			fmt.Fprintf(&text, " %d:%.17g", id+1, g.Values[i][k])
		}
		text.WriteByte('\n')
	}
	data, file := filepath.Join(t.TempDir(), "data.txt"), filepath.Join(t.TempDir(), "model.txt")
	must.Succeed(t, os.WriteFile(data, []byte(text.String()), 0o644))
	options := []string{"-s", solver, "-B", "-1", "-e", "1e-8", "-c", fmt.Sprint(c), data, file}
	if out, err := exec.Command("liblinear-train", options...).CombinedOutput(); errors.Is(err, exec.ErrNotFound) {
		t.Skip("liblinear-train is not on the PATH (Debian: liblinear-tools)")
	} else if err != nil {
		t.Fatalf("liblinear-train: %v\n%s", err, out)
	}
	head, weights, _ := strings.Cut(string(must.Get(os.ReadFile(file))(t)), "\nw\n")
	_, list, _ := strings.Cut(head, "label ")
	parse := func(s string) float64 { return must.Get(strconv.ParseFloat(s, 64))(t) }
	order := strings.Fields(strings.Split(list, "\n")[0])
	for line := range strings.Lines(weights) {
		row := make([]float64, len(order))
		for k, cell := range strings.Fields(line) {
			row[int(parse(order[k]))] = parse(cell)
		}
		w = append(w, row)
	}
	return w
}

// scores are those of all classes.
func scores(g *svmtest.Gram, w [][]float64, i int) []float64 {
	f := make([]float64, len(w[0]))
	for k, id := range g.IDs[i] {
		if int(id) < len(w) {
			floats.AddScaled(f, g.Values[i][k], w[id])
		}
	}
	return f
}

// TestAgainstLIBLINEAR compares with LIBLINEAR's dual coordinate descent (-s 3: hinge, -s 1: squared hinge) without a
// bias, and with one on records whose best bias is 0: with their mirror images of the other label.
func TestAgainstLIBLINEAR(t *testing.T) {
	g, class := mixture(120, 2, 90, 31)
	mirrored, both := &svmtest.Gram{Features: g.Features, IDs: slices.Concat(g.IDs, g.IDs), Values: slices.Clone(g.Values)},
		slices.Clone(class)
	for i, row := range g.Values {
		mirrored.Values = append(mirrored.Values, floats.ScaleTo(make([]float64, len(row)), -1, row))
		both = append(both, 1-class[i])
	}
	for _, c := range []float64{0.1, 1, 10} {
		for _, loss := range []svm.Loss{svm.Hinge, svm.SquaredHinge} {
			for _, data := range []struct {
				g      *svmtest.Gram
				class  []int
				noBias bool
			}{{g, class, true}, {mirrored, both, false}} {
				w := liblinear(t, data.g, data.class, map[svm.Loss]string{svm.Hinge: "3", svm.SquaredHinge: "1"}[loss], c)
				y, want := signs(data.class), 0.0
				for i, v := range y {
					f := floats.Sum(scores(data.g, w, i)) * v // one column, of the label of the first record: 0
					xi := max(0, 1+f)
					if loss == svm.SquaredHinge {
						xi *= xi
					}
					want += c * xi
				}
				for _, row := range w {
					want += floats.Dot(row, row) / 2
				}
				p := svm.Problem{Linear: y, Weights: y, Costs: svm.Costs{Positive: c, Negative: c}, Loss: loss, Tol: 1e-7,
					NoBias: data.noBias}
				for _, s := range []svm.Solver{descent.Solver{}, smo.Solver{}} {
					if sol := mustSolve(t, s, data.g, p); math.Abs(sol.Primal-want) > 1e-5*want {
						t.Errorf("%+v, C %v, %s: primal %v, LIBLINEAR %v", s, c, loss, sol.Primal, want)
					}
				}
			}
		}
	}
}

// TestCrammerSingerAgainstLIBLINEAR compares with -s 4.
func TestCrammerSingerAgainstLIBLINEAR(t *testing.T) {
	g, y := mixture(300, 5, 200, 3)
	for _, c := range []float64{0.01, 1, 10} {
		w, want := liblinear(t, g, y, "4", c), 0.0
		for _, row := range w {
			want += floats.Dot(row, row) / 2
		}
		for i, class := range y {
			f := scores(g, w, i)
			floats.AddConst(1-f[class], f)
			f[class] = 0
			want += c * floats.Max(f)
		}
		sol, err := descent.CrammerSinger{}.Solve(t.Context(), g,
			svm.MulticlassProblem{Y: y, Classes: 5, Costs: slices.Repeat([]float64{c}, 5), Tol: 1e-6})
		if err != nil || math.Abs(sol.Primal-want) > 1e-4*want {
			t.Errorf("C %v: primal %v, LIBLINEAR %v; error %v", c, sol.Primal, want, err)
		}
	}
}
