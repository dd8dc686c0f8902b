package classify

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/classify/internal/svmtest"
	"github.com/seqsvm/seqsvm/internal/strongest"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// hierarchyToy has leaves on three levels: a, b/x, b/y/1, b/y/2, b/z, where the letter a record prefers tells a from b.
func hierarchyToy(t *testing.T, n int) *Dataset {
	t.Helper()
	labels := make([]string, n)
	for i := range labels {
		labels[i] = []string{"a", "b/x", "b/y/1", "a", "b/y/2", "b/z"}[i%6]
	}
	d, err := NewDataset(svmtest.Corpus(n), labels, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.SetHierarchy("/"); err != nil {
		t.Fatal(err)
	}
	return d
}

// TestHierarchyTrainsTopDown: the machines of a node are those of a data set of the records below it, labelled by
// child.
func TestHierarchyTrainsTopDown(t *testing.T) {
	d := hierarchyToy(t, 120)
	for _, tr := range []Trainer{{Kernel: toyKernel{}, Tol: 1e-6},
		{Kernel: rowsToy{}, Multiclass: CrammerSinger, Tol: 1e-6}, {Kernel: toyKernel{}, ClassWeight: WeightBalanced}} {
		m, err := tr.Train(context.Background(), d)
		if err != nil {
			t.Fatal(err)
		}
		if m.Scheme != Hierarchy || len(m.Machines) != 1+3+1 {
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
			part, err := NewDataset(d.Corpus.Subset(index), labels, nil)
			if err != nil {
				t.Fatal(err)
			}
			want, err := tr.Train(context.Background(), part)
			if err != nil {
				t.Fatal(err)
			}
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
	d := hierarchyToy(t, 120)
	m, err := Trainer{Kernel: toyKernel{}}.Train(context.Background(), d)
	if err != nil {
		t.Fatal(err)
	}
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

func TestHierarchyErrors(t *testing.T) {
	for want, classes := range map[string][]string{
		`label "a" is an inner node of the hierarchy, above "a/b"`: {"a", "a/b"},
		`label "a//b" has an empty level`:                          {"a//b", "c"},
		`label "/a" has an empty level`:                            {"/a", "c"},
		`label "a/" has an empty level`:                            {"a/", "c"},
		`has more than 64 levels`:                                  {strings.Repeat("a/", 70) + "b", "c"},
		`the classes below "a" are not consecutive`:                {"a/b", "c", "a/d"},
	} {
		if _, err := innerNodes(classes, "/"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	var b stringkernel.CorpusBuilder
	for i := range 3 {
		b.Add(fmt.Sprint("r", i), []byte("x"))
	}
	of, err := NewDataset(b.Corpus(), []string{"a/x", "b", "a/"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var record *stringkernel.RecordError
	if err := of.SetHierarchy("/"); !errors.As(err, &record) || record.Record != 2 || record.Name != "r2" {
		t.Errorf("error %v, want one about record 2", err)
	}
	d := hierarchyToy(t, 60)
	for want, tr := range map[string]Trainer{
		"Probability = true, want false in a hierarchy": {
			Kernel: toyKernel{}, Probability: true,
		},
		"Multiclass = one-vs-one, want one-vs-rest or crammer-singer in a hierarchy": {
			Kernel: toyKernel{}, Multiclass: OneVsOne,
		},
	} {
		if _, err := tr.Train(context.Background(), d); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	if err := multilabelToy(t, 30).SetHierarchy("/"); err == nil {
		t.Error("a hierarchy of several labels per record")
	}
	bad := Rule{Classes: []string{"a", "b/x", "b/y"}, Scheme: Hierarchy, Positive: 1, Separator: "/",
		Machines: make([]Binary, 3)}
	if err := bad.Check(); err == nil || !strings.Contains(err.Error(), "3 machines for hierarchy") {
		t.Errorf("error %v for too many machines", err)
	}
	bad.Machines = []Binary{{Positive: 1, Negative: 0}, {Positive: 1, Negative: 2}}
	if err := bad.Check(); err == nil || !strings.Contains(err.Error(), "machine 1") {
		t.Errorf("error %v for a machine of the wrong classes", err)
	}
	bad.Scheme, bad.Machines = OneVsRest, make([]Binary, 3)
	if err := bad.Check(); err == nil || !strings.Contains(err.Error(), `separator "/" of a hierarchy`) {
		t.Errorf("error %v for a separator without a hierarchy", err)
	}
}
