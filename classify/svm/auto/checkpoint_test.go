package auto_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/svm/auto"
	"github.com/seqsvm/seqsvm/internal/must"
)

// store keeps all states that were written.
type store struct{ states [][]byte }

func (s *store) Open() (io.ReadCloser, error) {
	if len(s.states) == 0 {
		return nil, fs.ErrNotExist
	}
	return io.NopCloser(bytes.NewReader(s.states[len(s.states)-1])), nil
}

func (s *store) Write(write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	s.states = append(s.states, b.Bytes())
	return nil
}

func numbers(sol svm.Solution) []float64 {
	return append(slices.Clone(sol.Table), sol.Rho, sol.Primal, sol.Dual, sol.Gap,
		float64(sol.Iterations), float64(sol.Products))
}

// problems are those without a risk of their own.
func problems(y []float64) map[string]svm.Problem {
	all := allProblems(y, svm.Costs{Positive: 1, Negative: 0.5})
	maps.DeleteFunc(all, func(_ string, p svm.Problem) bool { return p.Risk != nil })
	return all
}

// TestResume interrupts runs of every problem after each iteration: what is resumed ends with the same bits.
func TestResume(t *testing.T) {
	r, y, space, _ := random(50, 4, 6)
	for name := range problems(y) {
		solve := func(c *svm.Checkpoint) svm.Solution {
			p := problems(y)[name]
			p.Tol = 1e-3
			sol, err := auto.Tables{Checkpoint: c}.Solve(t.Context(), space, split(r, 2), p)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			return sol
		}
		want := numbers(solve(nil))
		var all store
		if got := numbers(solve(&svm.Checkpoint{Store: &all, Every: 1})); !slices.Equal(got, want) {
			t.Fatalf("%s: %v with a checkpoint, %v without", name, got, want)
		}
		for i := 0; i < len(all.states); i += 1 + len(all.states)/3 {
			from := store{all.states[i : i+1 : i+1]}
			if got := numbers(solve(&svm.Checkpoint{Store: &from, Every: time.Hour})); !slices.Equal(got, want) {
				t.Errorf("%s: %v from state %d of %d, want %v", name, got, i, len(all.states), want)
			}
		}
	}
}

// TestInterruptWritesState ends runs in the middle, long before a state is due: each writes one, from which it goes on
// to the same bits.
func TestInterruptWritesState(t *testing.T) {
	r, y, space, _ := random(50, 4, 6)
	solve := func(ctx context.Context, name string, kept *store, progress func(svm.Progress)) ([]float64, error) {
		p := problems(y)[name]
		p.Tol, p.Progress = 1e-9, progress
		c := &svm.Checkpoint{Store: kept, Every: time.Hour}
		sol, err := auto.Tables{Checkpoint: c}.Solve(ctx, space, split(r, 2), p)
		return numbers(sol), err
	}
	for name := range problems(y) {
		want, err := solve(t.Context(), name, new(store), nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var kept store
		_, err = solve(ctx, name, &kept, func(p svm.Progress) {
			if p.Iterations == 2 && !p.Done {
				cancel()
			}
		})
		if cancel(); err == nil {
			continue // there are not two iterations
		}
		if !errors.Is(err, context.Canceled) || len(kept.states) != 1 {
			t.Errorf("%s: error %v, %d states", name, err, len(kept.states))
		}
		got, err := solve(t.Context(), name, &kept, nil)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v after an interrupt, want %v, %v", name, got, want, err)
		}
	}
}

// interrupted returns the last state of a run that was cancelled after some planes.
func interrupted(t testing.TB, r rows, space metric, p svm.Problem) []byte {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	p.Progress = func(r svm.Progress) {
		if r.Iterations == 6 {
			cancel()
		}
	}
	var kept store
	c := &svm.Checkpoint{Store: &kept, Every: 1, Name: "a"}
	if _, err := (auto.Tables{Checkpoint: c}).Solve(ctx, space, r, p); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want %v", err, context.Canceled)
	}
	return kept.states[len(kept.states)-1]
}

// TestForeignCheckpoints names what does not fit, and keeps it.
func TestForeignCheckpoints(t *testing.T) {
	r, y, space, _ := random(60, 5, 7)
	p := must.Get(svm.Classify(y, svm.Costs{}))(t)
	p.Tol = 1e-9
	state := interrupted(t, r, space, p)
	other, _, _, _ := random(60, 5, 8)
	labels := slices.Clone(y)
	labels[3] = -labels[3]
	ofLabels, _ := svm.Classify(labels, svm.Costs{})
	ofLabels.Tol = p.Tol
	costs, coarse := p, p
	costs.Costs.Positive, coarse.Tol = 2, 1e-3
	damaged := slices.Clone(state)
	damaged[len(damaged)/2] ^= 1
	for _, c := range []struct {
		name, want string
		records    rows
		problem    svm.Problem
		run        string
		state      []byte
	}{
		{"the same", "", r, p, "a", state},
		{"other records", "other records", other, p, "a", state},
		{"other labels", "other records, labels or options", r, ofLabels, "a", state},
		{"other costs", "other records, labels or options", r, costs, "a", state},
		{"another tolerance", "other records, labels or options", r, coarse, "a", state},
		{"another name", "other records, labels or options", r, p, "b", state},
		{"a bit", "damaged", r, p, "a", damaged},
		{"an end", "damaged", r, p, "a", state[:len(state)-1]},
		{"a tail", "damaged", r, p, "a", append(slices.Clone(state), 0)},
		{"half", "damaged", r, p, "a", state[:len(state)/2]},
		{"nothing", "not a checkpoint", r, p, "a", nil},
		{"a text", "not a checkpoint", r, p, "a", bytes.Repeat([]byte("text "), 100)},
	} {
		kept := &store{[][]byte{c.state}}
		solver := auto.Tables{Checkpoint: &svm.Checkpoint{Store: kept, Every: time.Hour, Name: c.run}}
		_, err := solver.Solve(t.Context(), space, c.records, c.problem)
		if c.want == "" && err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if c.want != "" && (!errors.As(err, new(*svm.CheckpointError)) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
		if len(kept.states) != 1 {
			t.Errorf("%s: the state was replaced", c.name)
		}
	}
}

// broken is a store of which nothing can be read or written.
type broken struct{ openError error }

var errBroken = errors.New("the disk is full")

func (b broken) Open() (io.ReadCloser, error)        { return nil, b.openError }
func (b broken) Write(func(w io.Writer) error) error { return errBroken }

func TestBrokenStores(t *testing.T) {
	r, y, space, _ := random(60, 5, 7)
	p := must.Get(svm.Classify(y, svm.Costs{}))(t)
	for _, openError := range []error{errBroken, fs.ErrNotExist} {
		solver := auto.Tables{Checkpoint: &svm.Checkpoint{Store: broken{openError}, Every: 1}}
		if _, err := solver.Solve(t.Context(), space, r, p); !errors.Is(err, errBroken) {
			t.Errorf("error %v, want %v", err, errBroken)
		}
	}
}

// FuzzCheckpoint has no state crash a run, or make it endless: a state with a right checksum too.
func FuzzCheckpoint(f *testing.F) {
	r, y, space, _ := random(30, 4, 9)
	p := must.Get(svm.Classify(y, svm.Costs{}))(f)
	p.Tol = 1e-9
	state := interrupted(f, r, space, p)
	for _, at := range []int{60, 90, 200, 400, len(state) - 70} {
		f.Add(at, uint64(0x7fefffffffffffff))
		f.Add(at, uint64(3))
	}
	f.Fuzz(func(t *testing.T, at int, word uint64) {
		damaged := slices.Clone(state)
		if at < 0 || at+8 > len(damaged) {
			return
		}
		binary.LittleEndian.PutUint64(damaged[at:], word)
		damaged = sealed(damaged)
		solver := auto.Tables{
			MaxIterations: 0, Checkpoint: &svm.Checkpoint{Store: &store{[][]byte{damaged}}, Every: time.Hour, Name: "a"},
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		if _, err := solver.Solve(ctx, space, r, p); errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("word %d at %d: %v", word, at, err)
		}
	})
}

// sealed gives a state the checksum that it should have.
func sealed(state []byte) []byte {
	body := state[:len(state)-sha256.Size]
	sum := sha256.Sum256(body)
	return append(body, sum[:]...)
}
