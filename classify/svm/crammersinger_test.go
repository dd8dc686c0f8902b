package svm

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/classify/internal/bundle"
	"github.com/seqsvm/seqsvm/classify/internal/svmtest"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// mixture returns n records of several classes that overlap, each with about one in ten features, and every seventh
// without any.
func mixture(n, classes, features int, seed uint64) (*svmtest.Gram, []int) {
	rng := rand.New(rand.NewPCG(seed, 77))
	g, y := &svmtest.Gram{Features: features, Own: make([]float64, n)}, make([]int, n)
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
		g.Own[i] = 0.1 * float64(i%3)
	}
	return g, y
}

// Records that are read ahead change nothing.
func TestReadingAhead(t *testing.T) {
	g, y := mixture(2000, 5, 90, 3)
	var want *multiclassRun
	for _, distant := range []bool{false, true} {
		r, err := CrammerSinger{Seed: 4}.newRun(g, MulticlassProblem{Y: y, Classes: 5})
		if err != nil {
			t.Fatal(err)
		}
		r.distant = distant
		if err := r.run(t.Context(), r, 1e-3, 1000, nil, nil); err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = r
		}
		if r.proved != want.proved || r.passes != want.passes || !reflect.DeepEqual(r.best, want.best) {
			t.Errorf("%+v after %d passes, want %+v after %d", r.proved, r.passes, want.proved, want.passes)
		}
	}
}

// checkJoint recomputes from the definition all that a solution claims.
func checkJoint(t *testing.T, name string, k *Precomputed, y []int, costs []float64,
	sol MulticlassSolution, tol float64) {
	t.Helper()
	classes := len(sol.Coef)
	cost := func(i int) float64 {
		if costs == nil {
			return 1
		}
		return costs[y[i]]
	}
	scores := make([][]float64, classes)
	square, linear, loss := 0.0, 0.0, 0.0
	for m, alpha := range sol.Coef {
		scores[m] = make([]float64, k.N)
		for i := range k.N {
			scores[m][i] = dot(k.row(i), alpha)
			square += alpha[i] * scores[m][i]
			if m != y[i] {
				linear -= alpha[i]
			}
		}
	}
	for i, c := range y {
		sum, worst := 0.0, 0.0
		for m := range classes {
			a := sol.Coef[m][i]
			sum += a
			if m == c && a > cost(i)*(1+1e-12) || m != c && a > 0 {
				t.Errorf("%s: coefficient %v of record %d for class %d, which is of class %d", name, a, i, m, c)
			}
			if m != c {
				worst = max(worst, 1+scores[m][i]-scores[c][i])
			}
		}
		if math.Abs(sum) > 1e-9*cost(i) {
			t.Errorf("%s: coefficients of record %d sum to %v", name, i, sum)
		}
		loss += cost(i) * worst
	}
	primal, dual := square/2+loss, linear-square/2
	if math.Abs(primal-sol.Primal) > 1e-9*primal || sol.Dual < dual-1e-9*primal {
		t.Errorf("%s: objectives %v and %v, want %v and %v", name, sol.Primal, sol.Dual, primal, dual)
	}
	if sol.Gap > tol || math.Abs(sol.Gap-bundle.RelativeGap(sol.Primal, sol.Dual)) > 1e-9 {
		t.Errorf("%s: gap %v, want at most %v and that of %v and %v", name, sol.Gap, tol, sol.Primal, sol.Dual)
	}
}

// multiTask is a solver and what a problem of several classes has besides its labels.
type multiTask struct {
	solver  CrammerSinger
	problem MulticlassProblem
}

func (s multiTask) Solve(ctx context.Context, g stringkernel.Gram, y []int, classes int) (MulticlassSolution, error) {
	s.problem.Y, s.problem.Classes = y, classes
	return s.solver.Solve(ctx, g, s.problem)
}

func mustSolveJoint(t *testing.T, s multiTask, g *svmtest.Gram, y []int, classes int) MulticlassSolution {
	t.Helper()
	sol, err := s.Solve(context.Background(), g, y, classes)
	if err != nil {
		t.Fatal(err)
	}
	return sol
}

func TestCrammerSingerCertificate(t *testing.T) {
	for _, classes := range []int{2, 3, 8} {
		g, y := mixture(200, classes, 60, 5)
		k := dense(g)
		for _, c := range []float64{1e-100, 1e-15, 1e-3, 0.1, 1, 10} {
			costs := make([]float64, classes)
			for m := range costs {
				costs[m] = c * float64(1+m)
			}
			for _, s := range []multiTask{
				{problem: MulticlassProblem{Costs: costs}}, {problem: MulticlassProblem{Costs: costs, Tol: 1e-6}},
				{CrammerSinger{NoShrinking: true}, MulticlassProblem{Costs: costs}},
				{CrammerSinger{Seed: 9}, MulticlassProblem{Costs: costs}},
			} {
				sol := mustSolveJoint(t, s, g, y, classes)
				checkJoint(t, fmt.Sprintf("%d classes, %+v", classes, s), k, y, costs, sol,
					max(s.problem.Tol, 1e-3)*(1+1e-9))
			}
		}
	}
}

// TestCrammerSingerOfTwoClasses: with two classes w_1 = −w_2 and the problem is half that of two classes without a
// bias, at twice the cost.
func TestCrammerSingerOfTwoClasses(t *testing.T) {
	half, labels := mixture(100, 2, 60, 8)
	g := &svmtest.Gram{Features: half.Features}
	var y []int
	var signs []float64
	for i, c := range labels { // with its opposite, so that the best bias is 0
		var opposite []float64
		for _, v := range half.Values[i] {
			opposite = append(opposite, -v)
		}
		g.IDs, g.Values = append(g.IDs, half.IDs[i], half.IDs[i]), append(g.Values, half.Values[i], opposite)
		y, signs = append(y, c, 1-c), append(signs, float64(2*c-1), float64(1-2*c))
	}
	for _, c := range []float64{0.1, 1} {
		joint := mustSolveJoint(t, multiTask{CrammerSinger{}, MulticlassProblem{Costs: []float64{c, c}, Tol: 1e-7}}, g,
			y, 2)
		two := mustSolve(t, task{SMO{}, Problem{Costs: Costs{2 * c, 2 * c}, Tol: 1e-7}}, g, signs)
		if math.Abs(joint.Primal-two.Primal/2) > 1e-6*joint.Primal {
			t.Errorf("C %v: primal %v, want half of %v", c, joint.Primal, two.Primal)
		}
	}
}

func TestCrammerSingerAgainstLIBLINEAR(t *testing.T) {
	program := liblinear(t)
	g, y := mixture(300, 5, 200, 3)
	g.Own = nil
	for _, c := range []float64{0.01, 1, 10} {
		sol := mustSolveJoint(t, multiTask{CrammerSinger{},
			MulticlassProblem{Costs: []float64{c, c, c, c, c}, Tol: 1e-6}}, g, y, 5)
		want := jointLIBLINEAR(t, program, g, y, 5, c)
		if math.Abs(sol.Primal-want) > 1e-4*want {
			t.Errorf("C %v: primal %v, LIBLINEAR %v", c, sol.Primal, want)
		}
	}
}

// jointLIBLINEAR returns the primal value of LIBLINEAR's solution of Crammer and Singer's problem (-s 4).
func jointLIBLINEAR(t *testing.T, program string, g *svmtest.Gram, y []int, classes int, c float64) float64 {
	t.Helper()
	dir := t.TempDir()
	data, model := filepath.Join(dir, "data.txt"), filepath.Join(dir, "model.txt")
	var text bytes.Buffer
	for i, class := range y {
		fmt.Fprintf(&text, "%d", class)
		for e, id := range g.IDs[i] {
			fmt.Fprintf(&text, " %d:%.17g", id+1, g.Values[i][e])
		}
		text.WriteByte('\n')
	}
	if err := os.WriteFile(data, text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(program, "-s", "4", "-B", "-1", "-e", "1e-7", "-c", fmt.Sprint(c), data,
		model).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	w, order := readJointLIBLINEAR(t, model)
	objective := 0.0
	for _, row := range w {
		objective += dot(row, row) / 2
	}
	for i, class := range y {
		scores := make([]float64, classes)
		for e, id := range g.IDs[i] {
			if int(id) < len(w) {
				for m := range w[id] {
					scores[order[m]] += w[id][m] * g.Values[i][e]
				}
			}
		}
		worst := 0.0
		for m, s := range scores {
			if m != class {
				worst = max(worst, 1+s-scores[class])
			}
		}
		objective += c * worst
	}
	return objective
}

// readJointLIBLINEAR returns the weights of each feature, and which class each column is.
func readJointLIBLINEAR(t *testing.T, path string) (w [][]float64, order []int) {
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	weights := false
	for lines := bufio.NewScanner(file); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		switch {
		case line == "w":
			weights = true
		case strings.HasPrefix(line, "label "):
			for _, label := range strings.Fields(line)[1:] {
				order = append(order, int(parse(t, label)))
			}
		case weights:
			var row []float64
			for _, cell := range strings.Fields(line) {
				row = append(row, parse(t, cell))
			}
			w = append(w, row)
		}
	}
	return w, order
}

func TestCrammerSingerErrors(t *testing.T) {
	g, y := mixture(20, 3, 30, 1)
	ctx := context.Background()
	for want, solve := range map[string]func() error{
		"explicit feature rows": func() error {
			_, err := multiTask{CrammerSinger{}, MulticlassProblem{}}.Solve(ctx, dense(g), y, 3)
			return err
		},
		"no Gram matrix": func() error {
			_, err := multiTask{CrammerSinger{}, MulticlassProblem{}}.Solve(ctx, nil, y, 3)
			return err
		},
		"2 labels for a Gram": func() error {
			_, err := multiTask{CrammerSinger{}, MulticlassProblem{}}.Solve(ctx, g, y[:2], 3)
			return err
		},
		"1 classes": func() error {
			_, err := multiTask{CrammerSinger{}, MulticlassProblem{}}.Solve(ctx, g, y, 1)
			return err
		},
		"y[2] = 2, want 0 to 1": func() error {
			_, err := multiTask{CrammerSinger{}, MulticlassProblem{}}.Solve(ctx, g, y, 2)
			return err
		},
		"1 costs for 3 classes": func() error {
			_, err := multiTask{CrammerSinger{}, MulticlassProblem{Costs: []float64{1}}}.Solve(ctx, g, y, 3)
			return err
		},
		"Costs[1] = 0": func() error {
			_, err := multiTask{CrammerSinger{}, MulticlassProblem{Costs: []float64{1, 0, 1}}}.Solve(ctx, g, y, 3)
			return err
		},
		"Tol = 2": func() error {
			_, err := multiTask{CrammerSinger{}, MulticlassProblem{Tol: 2}}.Solve(ctx, g, y, 3)
			return err
		},
		"MaxIterations = -1": func() error {
			_, err := multiTask{CrammerSinger{MaxIterations: -1}, MulticlassProblem{}}.Solve(ctx, g, y, 3)
			return err
		},
		"(3, 3) of the Gram": func() error {
			bad, _ := mixture(20, 3, 30, 1)
			bad.Values[3][0] = math.NaN()
			_, err := multiTask{CrammerSinger{}, MulticlassProblem{}}.Solve(ctx, bad, y, 3)
			return err
		},
		context.Canceled.Error(): func() error {
			done, cancel := context.WithCancel(ctx)
			cancel()
			_, err := multiTask{CrammerSinger{}, MulticlassProblem{}}.Solve(done, g, y, 3)
			return err
		},
	} {
		if err := solve(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	if _, err := (multiTask{CrammerSinger{}, MulticlassProblem{}}).Solve(ctx, dense(g), y,
		3); !errors.Is(err, ErrNoRows) {
		t.Errorf("error %v, want %v", err, ErrNoRows)
	}
}

func TestCrammerSingerIsDeterministicAndReports(t *testing.T) {
	g, y := mixture(700, 4, 60, 3)
	var last Progress
	s := multiTask{CrammerSinger{Seed: 7}, MulticlassProblem{Progress: func(p Progress) { last = p }}}
	a, b := mustSolveJoint(t, s, g, y, 4), mustSolveJoint(t, s, g, y, 4)
	if !reflect.DeepEqual(a, b) {
		t.Error("two runs differ")
	}
	if !last.Done || last.Primal != b.Primal || last.Iterations != b.Iterations {
		t.Errorf("last report %+v for a solution of primal %v", last, b.Primal)
	}
	if limited := mustSolveJoint(t, multiTask{CrammerSinger{MaxIterations: 1}, MulticlassProblem{Tol: 1e-9}}, g, y,
		4); limited.Iterations != 1 || limited.Gap <= 1e-9 {
		t.Errorf("gap %v after %d passes", limited.Gap, limited.Iterations)
	}
	if sol := mustSolveJoint(t, multiTask{CrammerSinger{}, MulticlassProblem{Tol: 1e-16}}, g, y, 4); sol.Gap > 1e-7 {
		t.Errorf("gap %v at the limits of float64", sol.Gap)
	}
}

// Records that rest and are screened out change nothing but the time: the coefficients have the same bits on several
// processors, and the objective is that of visiting all.
func TestCrammerSingerScreens(t *testing.T) {
	g, y := mixture(10_000, 3, 120, 5)
	solve := func(processors int, s CrammerSinger) MulticlassSolution {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		return mustSolveJoint(t, multiTask{s, MulticlassProblem{}}, g, y, 3)
	}
	sol := solve(1, CrammerSinger{})
	if again := solve(3, CrammerSinger{}); !reflect.DeepEqual(again, sol) {
		t.Error("other coefficients on 3 processors")
	}
	want := solve(1, CrammerSinger{NoShrinking: true})
	if sol.Gap > 1e-3 || sol.Dual > want.Primal || sol.Primal < want.Dual {
		t.Errorf("objectives %v and %v, want between %v and %v", sol.Primal, sol.Dual, want.Primal, want.Dual)
	}
}

func TestLevelOf(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := rapid.SliceOfN(rapid.Float64Range(-5, 5), 2, 9).Draw(t, "base")
		y, most := rapid.IntRange(0, len(base)-1).Draw(t, "y"),
			rapid.SampledFrom([]float64{1e-3, 0.5, 1, 20}).Draw(t, "most")
		beta := levelOf(base, y, most)
		sum := 0.0
		for m, b := range base {
			bound := 0.0
			if m == y {
				bound = most
			}
			sum += min(bound, beta-b)
		}
		if math.Abs(sum) > 1e-12 {
			t.Fatalf("Σ min(bound, %v − base) = %v, want 0", beta, sum)
		}
	})
}
