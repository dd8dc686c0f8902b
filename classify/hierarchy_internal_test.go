package classify

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/internal/svmtest"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// hierarchyToy has leaves on three levels: a, b/x, b/y/1, b/y/2, b/z, where the letter a record prefers tells a from b.
func hierarchyToy(t *testing.T, n int) *dataset.Dataset {
	t.Helper()
	labels := make([]string, n)
	for i := range labels {
		labels[i] = []string{"a", "b/x", "b/y/1", "a", "b/y/2", "b/z"}[i%6]
	}
	d := must.Get(dataset.New(svmtest.Corpus(n), labels, nil))(t)
	must.Succeed(t, d.SetHierarchy("/"))
	return d
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
		if _, err := dataset.Nodes(classes, "/"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	var b stringkernel.CorpusBuilder
	for i := range 3 {
		b.Add(fmt.Sprint("r", i), []byte("x"))
	}
	of := must.Get(dataset.New(b.Corpus(), []string{"a/x", "b", "a/"}, nil))(t)
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
			Kernel: toyKernel{}, Multiclass: decide.OneVsOne,
		},
	} {
		if _, err := tr.Train(context.Background(), d); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	if err := multilabelToy(t, 30).SetHierarchy("/"); err == nil {
		t.Error("a hierarchy of several labels per record")
	}
	bad := decide.Rule{Classes: []string{"a", "b/x", "b/y"}, Scheme: decide.Hierarchy, Positive: 1, Separator: "/",
		Machines: make([]decide.Binary, 3)}
	if err := bad.Check(); err == nil || !strings.Contains(err.Error(), "3 machines for hierarchy") {
		t.Errorf("error %v for too many machines", err)
	}
	bad.Machines = []decide.Binary{{Positive: 1, Negative: 0}, {Positive: 1, Negative: 2}}
	if err := bad.Check(); err == nil || !strings.Contains(err.Error(), "machine 1") {
		t.Errorf("error %v for a machine of the wrong classes", err)
	}
	bad.Scheme, bad.Machines = decide.OneVsRest, make([]decide.Binary, 3)
	if err := bad.Check(); err == nil || !strings.Contains(err.Error(), `separator "/" of a hierarchy`) {
		t.Errorf("error %v for a separator without a hierarchy", err)
	}
}
