package classify_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/internal/strongest"
)

// TestHierarchyTrainsTopDown: the machines of a node are those of a data set of the records below it, labelled by
// child.
func TestHierarchyTrainsTopDown(t *testing.T) {
	d := classify.HierarchyToy(t, 120)
	for _, tr := range []classify.Trainer{{Kernel: classify.ToyKernel{}, Tol: 1e-6},
		{Kernel: classify.RowsToy{}, Multiclass: decide.CrammerSinger, Tol: 1e-6}, {Kernel: classify.ToyKernel{}, ClassWeight: classify.WeightBalanced}} {
		m := must.Get(tr.Train(context.Background(), d))(t)
		if m.Scheme != decide.Hierarchy || len(m.Machines) != 1+3+1 {
			t.Fatalf("scheme %s with %d machines, want 1, 3 and 1", m.Scheme, len(m.Machines))
		}
		at := 0
		for _, node := range []struct{ prefix string }{{""}, {"b/"}, {"b/y/"}} {
			var index []int
			var labels []string
			for i, c := range d.Y {
				if rest, below := strings.CutPrefix(d.Classes[c], node.prefix); below {
					name, _, _ := strings.Cut(rest, "/")
					index, labels = append(index, i), append(labels, name)
				}
			}
			part := must.Get(dataset.New(d.Corpus.Subset(index), labels, nil))(t)
			want := must.Get(tr.Train(context.Background(), part))(t)
			for k, machine := range want.Machines {
				if got := m.Machines[at+k]; math.Abs(got.Primal-machine.Primal) > 2e-3*max(got.Primal, machine.Primal) {
					t.Errorf("node %q, machine %d: primal %v, want %v", node.prefix, k, got.Primal, machine.Primal)
				}
			}
			at += len(want.Machines)
		}
	}
}

// TestHierarchyDescends: each prediction is where a walk by the machines' decision values ends.
func TestHierarchyDescends(t *testing.T) {
	d := classify.HierarchyToy(t, 120)
	m := must.Get(classify.Trainer{Kernel: classify.ToyKernel{}}.Train(context.Background(), d))(t)
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.SliceOfN(rapid.Float64Range(-2, 2), 5, 5).Draw(t, "scores")
		v := slices.Clone(f)
		for k := range v {
			v[k] -= m.Machines[k].Rho
		}
		want := "a" // classes a, b/x, b/y/1, b/y/2, b/z; machine 0 is for b, 1 to 3 for x, y and z, 4 for 2
		if v[0] > 0 {
			switch strongest.Index(v[1:4]) {
			case 0:
				want = "b/x"
			case 1:
				want = "b/y/1"
				if v[4] > 0 {
					want = "b/y/2"
				}
			case 2:
				want = "b/z"
			}
		}
		p := m.Combine(f)
		if got := m.Classes[p.Class]; got != want {
			t.Fatalf("%v: class %s, want %s", v, got, want)
		}
		if want := min(v[0], v[2], -v[4]); p.Scores[2] != want {
			t.Fatalf("score %v of b/y/1, want %v", p.Scores[2], want)
		}
		terms, bias := m.Terms(2)
		sum := bias
		for _, term := range terms {
			sum += term.Sign * f[term.Machine]
		}
		if want := v[0] + v[2] - v[4]; sum-want > 1e-12 || want-sum > 1e-12 {
			t.Fatalf("terms of b/y/1 sum to %v, want %v", sum, want)
		}
	})
}
