package classify_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/internal/svmtest"
	"github.com/seqsvm/seqsvm/classify/svm/auto"
	"github.com/seqsvm/seqsvm/classify/threshold"
	"github.com/seqsvm/seqsvm/internal/must"
)

// TestBinaryRelevance: each machine is the two-class problem of its label, and its threshold comes from records left
// out.
func TestBinaryRelevance(t *testing.T) {
	d := classify.MultilabelToy(t, 90)
	if want := []string{"a", "b", "c", "fourth", "once"}; !slices.Equal(d.Classes, want) {
		t.Fatalf("classes %q, want %q", d.Classes, want)
	}
	m := must.Get(classify.Trainer{Kernel: classify.ToyKernel{}}.Train(context.Background(), d))(t)
	if m.Scheme != decide.MultiLabel {
		t.Fatalf("scheme %s", m.Scheme)
	}
	g := must.Get(classify.ToyKernel{}.Gram(t.Context(), d.Corpus))(t)
	for c := range d.Classes {
		y := make([]float64, d.Len())
		for i, set := range d.LabelSets {
			y[i] = -1
			if slices.Contains(set, c) {
				y[i] = 1
			}
		}
		want := classify.MustSolve(t, auto.Solver{}, g, y, 1, 0)
		if got := m.Machines[c]; got.Rho != want.Rho || got.Primal != want.Primal {
			t.Errorf("class %s: %+v, want primal %v", d.Classes[c], got, want.Primal)
		}
	}
	if m.Machines[4].Threshold != 0 {
		t.Errorf("threshold %v of a label that occurs once, want 0", m.Machines[4].Threshold)
	}
	c := must.Get(m.Classifier(t.Context()))(t)
	for i := range d.Len() {
		p := c.Decide(d.Corpus.Seq(i))
		for label, score := range p.Scores {
			if slices.Contains(p.Labels, label) != (score > m.Machines[label].Threshold) {
				t.Fatalf("record %d: labels %v for scores %v", i, p.Labels, p.Scores)
			}
		}
	}
}

// TestFitThreshold: package threshold compares the F1 with that at every threshold.
func TestFitThreshold(t *testing.T) {
	for _, c := range []struct {
		decisions, y []float64
		want         float64
	}{
		{[]float64{2, 1, -1, -2}, []float64{1, 1, -1, -1}, 0},
		{[]float64{2, -0.5, -1, -2}, []float64{1, 1, -1, -1}, -0.75},
		{[]float64{2, 1}, []float64{1, 1}, 0},
		{[]float64{2, 1}, []float64{-1, -1}, 0},
		{[]float64{1, 1, 1}, []float64{1, -1, 1}, 0},
		{nil, nil, 0},
		// no number lies between them, and the greater has to be above
		{[]float64{1 + 0x1p-51, 1 + 0x1p-52}, []float64{1, -1}, 1 + 0x1p-52},
		{[]float64{-1e20, -2e20}, []float64{1, -1}, -1.5e20},
		{[]float64{2e20, 1e20}, []float64{-1, 1}, math.Nextafter(1e20, 0)},
	} {
		if got := threshold.Fit(c.decisions, c.y); got != c.want {
			t.Errorf("%v, %v: threshold %v, want %v", c.decisions, c.y, got, c.want)
		}
	}
}

func TestMultilabelErrors(t *testing.T) {
	corpus := svmtest.Corpus(2)
	for want, labels := range map[string][][]string{
		`"s1" (number 2): an empty label`:   {{"a"}, {"b", ""}},
		`the labels of 2 records are ["a"]`: {{"a"}, {"a"}},
		"1 labels for 2 records":            {{"a"}},
	} {
		if _, err := dataset.NewMultilabel(corpus, labels, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	d := classify.MultilabelToy(t, 30)
	for want, tr := range map[string]classify.Trainer{
		"Probability = true, want false for records of several labels": {
			Kernel: classify.ToyKernel{}, Probability: true,
		},
		"Multiclass = one-vs-one, want one-vs-rest for records of several labels": {
			Kernel: classify.ToyKernel{}, Multiclass: decide.OneVsOne,
		},
	} {
		if _, err := tr.Train(context.Background(), d); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	for want, set := range map[string][]int{"class index 1 after 1, want ascending indices": {1, 1},
		"class index 9, want 0 to 4": {1, 9}} {
		damaged := *d
		damaged.LabelSets = slices.Clone(d.LabelSets)
		damaged.LabelSets[7] = set
		if _, err := (classify.Trainer{Kernel: classify.ToyKernel{}}).Train(context.Background(), &damaged); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// TestSubsetIsStratifiedByItself: the rarest label of a record is that of the subset, whatever the other records have.
func TestSubsetIsStratifiedByItself(t *testing.T) {
	d := must.Get(dataset.NewMultilabel(svmtest.Corpus(6), [][]string{{"a", "b"}, {"a"}, {"a"}, {"b"}, {"b"}, {"b"}}, nil))(t)
	if !slices.Equal(d.Y, []int{0, 0, 0, 1, 1, 1}) {
		t.Errorf("classes %v of the whole", d.Y)
	}
	if s := d.Subset([]int{2, 1, 0}); !slices.Equal(s.Y, []int{0, 0, 1}) {
		t.Errorf("classes %v of the subset, want b for the last, which has the only one", s.Y)
	}
}

// TestLabelSetsMerge: a label that a record has more than once counts once, and a record may have none.
func TestLabelSetsMerge(t *testing.T) {
	d := must.Get(dataset.NewMultilabel(svmtest.Corpus(4), [][]string{{"b", "a", "b"}, {}, {"a", "a"}, nil}, nil))(t)
	for i, want := range [][]int{{0, 1}, {}, {0}, {}} {
		if !slices.Equal(d.LabelSets[i], want) {
			t.Errorf("record %d: labels %v, want %v", i, d.LabelSets[i], want)
		}
	}
	if _, err := (classify.Trainer{Kernel: classify.ToyKernel{}}).Train(t.Context(), d); err != nil {
		t.Error(err)
	}
}
