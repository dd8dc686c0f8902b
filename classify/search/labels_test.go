package search_test

import (
	"context"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/classify/search"
	"github.com/seqsvm/seqsvm/internal/must"
)

// severalLabels has one to three labels of four per record, given by words of the records of noisyWords.
func severalLabels(t *testing.T, n int, seed uint64) *dataset.Dataset {
	t.Helper()
	d := noisyWords(t, n, 4, seed)
	return relabelled(t, d, labelSets(d, seed))
}

func labelSets(d *dataset.Dataset, seed uint64) [][]string {
	rng := rand.New(rand.NewPCG(seed, 2))
	sets := make([][]string, d.Len())
	for i, y := range d.Y {
		for c, class := range d.Classes {
			if c == y || rng.IntN(5) == 0 {
				sets[i] = append(sets[i], class)
			}
		}
	}
	return sets
}

func relabelled(t *testing.T, d *dataset.Dataset, sets [][]string) *dataset.Dataset {
	t.Helper()
	return must.Get(dataset.NewMultilabel(d.Corpus, sets, nil))(t)
}

// paths are classes of a hierarchy of two levels.
func paths(t *testing.T, n int, seed uint64) *dataset.Dataset {
	t.Helper()
	d := noisyWords(t, n, 5, seed)
	names := []string{"a/x", "a/y", "a/z", "b", "c/x"}
	labels := make([]string, n)
	for i, y := range d.Y {
		labels[i] = names[y]
	}
	d = must.Get(dataset.New(d.Corpus, labels, nil))(t)
	must.Succeed(t, d.SetHierarchy("/"))
	return d
}

// TestKindsOfLabels: a grid of one candidate is its cross-validation, to the last bit, for every metric there is, of
// several labels per record and in a hierarchy.
func TestKindsOfLabels(t *testing.T) {
	for name, d := range map[string]*dataset.Dataset{"labels": severalLabels(t, 48, 8), "hierarchy": paths(t, 48, 9)} {
		fold := folds(t, d, 4)
		for i, trainer := range candidates(plain)[:5] {
			outcome := must.Get(classify.CrossValidate(context.Background(), trainer, d, fold))(t)
			wantMean, wantSD := expected(t, d, outcome)
			names := d.MetricNames()
			if i > 0 {
				names = names[:1] // what is reported does not depend on the one that is searched by
			}
			for _, metric := range names {
				table := must.Get(search.Search{Candidates: []classify.Trainer{trainer},
					Metric: metric}.Run(context.Background(), d, fold))(t)
				r := table.Results[0]
				if !reflect.DeepEqual(r.Mean, wantMean) || !reflect.DeepEqual(r.SD, wantSD) {
					t.Errorf("%s, kernel %d: %v ± %v, want %v ± %v", name, i, r.Mean, r.SD, wantMean, wantSD)
				}
				mean, _ := table.Value(0)
				if want := float64(r.Mean.Values[slices.Index(d.MetricNames(), metric)]); mean != want {
					t.Errorf("%s: the %s is %v, want %v", name, metric, mean, want)
				}
			}
		}
	}
}

// expected measures a cross-validation fold by fold with package metrics alone.
func expected(t *testing.T, d *dataset.Dataset, o *classify.CVResult) (mean, sd metrics.Scalars) {
	t.Helper()
	var reports []metrics.Report
	for f := range o.Folds {
		var truth, predicted [][]int
		var class, decided []int
		scores := make([][]float64, len(d.Classes))
		for i, p := range o.Predictions {
			if o.Fold[i] != f {
				continue
			}
			class, decided, predicted = append(class, d.Y[i]), append(decided, p.Class), append(predicted, p.Labels)
			if d.LabelSets != nil {
				truth = append(truth, d.LabelSets[i])
			}
			for c := range scores {
				scores[c] = append(scores[c], p.Scores[c])
			}
		}
		if d.LabelSets != nil {
			r := must.Get(metrics.EvaluateLabels(d.Classes, truth, predicted, scores))(t)
			reports = append(reports, r)
			continue
		}
		r := must.Get(metrics.Evaluate(d.Classes, class, decided, scores, 0))(t)
		must.Succeed(t, r.AddLevels("/", class, decided))
		reports = append(reports, r)
	}
	return metrics.MeanSD(reports)
}

// TestDefaultMetrics: what is maximised if nothing is said.
func TestDefaultMetrics(t *testing.T) {
	two := noisyWords(t, 20, 2, 1)
	for want, d := range map[string]*dataset.Dataset{
		"auroc": two, "accuracy": noisyWords(t, 20, 3, 1), "f1_micro": severalLabels(t, 20,
			1), "accuracy of paths": paths(t, 20, 1),
	} {
		if got := d.DefaultMetric(); got != strings.Fields(want)[0] {
			t.Errorf("%s, want %s", got, want)
		}
	}
	must.Succeed(t, two.SetHierarchy("/"))
	if got := two.DefaultMetric(); got != "accuracy" {
		t.Errorf("%s in a hierarchy of two classes, want accuracy", got)
	}
}

// TestNestedOfPaths counts every record once, on every level.
func TestNestedOfPaths(t *testing.T) {
	d := paths(t, 60, 11)
	nested := must.Get(search.Search{Candidates: candidates(plain)[:3],
		Metric: "accuracy_level_1"}.Nested(context.Background(), d, folds(t, d, 3), 3, 1))(t)
	n := 0
	for _, r := range nested.Folds {
		if n += r.N; !(r.Value("accuracy_level_1") >= r.Value("accuracy")) {
			t.Errorf("the first level has %v, the whole path %v", r.Value("accuracy_level_1"), r.Value("accuracy"))
		}
	}
	if n != d.Len() || nested.Metric != "accuracy_level_1" || !slices.Equal(nested.Mean.Names, d.MetricNames()) {
		t.Errorf("%d records, %s of %q", n, nested.Metric, nested.Mean.Names)
	}
}
