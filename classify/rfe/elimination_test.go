package rfe_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/bow"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/rfe"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/svm/smo"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
)

// labelledTexts makes a data set of texts "label words…".
func labelledTexts(t *testing.T, texts []string) *dataset.Dataset {
	t.Helper()
	var seqs [][]byte
	var labels []string
	for _, text := range texts {
		label, words, _ := strings.Cut(text, " ")
		seqs, labels = append(seqs, []byte(words)), append(labels, label)
	}
	c := must.Get(stringkernel.NewCorpus(seqs, nil))(t)
	return must.Get(dataset.New(c, labels, nil))(t)
}

// noisyTexts draws texts of n words each from a vocabulary of n; every text of the class a has alpha or aleph
// besides, every other beta.
func noisyTexts(seed uint64, texts, n, vocabulary int, planted bool) (list []string) {
	r := rand.New(rand.NewPCG(seed, 1))
	for i := range texts {
		label, mark := "a", []string{"alpha", "aleph"}[i/2%2]
		if i%2 == 1 {
			label, mark = "b", "beta"
		}
		words := []string{label}
		for range n {
			words = append(words, fmt.Sprintf("w%d", r.IntN(vocabulary)))
		}
		if planted {
			words = append(words, mark)
		}
		list = append(list, strings.Join(words, " "))
	}
	return list
}

func elimination(step float64) rfe.Elimination {
	return rfe.Elimination{Trainer: classify.Trainer{Kernel: compose.Normalized(bow.Kernel{}), Tol: 1e-8},
		Step: step}
}

// Features that tell the classes are the last that are left out.
func TestPlantedFeaturesAreKept(t *testing.T) {
	d := labelledTexts(t, noisyTexts(1, 60, 12, 300, true))
	for _, step := range []float64{0, 0.1, 1, 7} {
		names := must.Get(elimination(step).Select(t.Context(), d, 3))(t)
		if slices.Sort(names); !slices.Equal(names, []string{"aleph", "alpha", "beta"}) {
			t.Errorf("step %v: %q are kept", step, names)
		}
	}
}

// Each criterion finds features that tell the classes, and within folds, too.
func TestPlantedFeaturesAreFiltered(t *testing.T) {
	d := labelledTexts(t, noisyTexts(1, 60, 12, 300, true))
	fold := must.Get(d.Folds(5, 1))(t)
	for _, by := range rfe.Criteria()[1:] {
		e := elimination(0)
		e.By = by
		names := must.Get(e.Select(t.Context(), d, 3))(t)
		if slices.Sort(names); !slices.Equal(names, []string{"aleph", "alpha", "beta"}) {
			t.Errorf("%s: %q are kept", by, names)
		}
		outcomes := must.Get(e.CrossValidate(t.Context(), d, fold, []int{200, 3}))(t)
		for i, p := range outcomes[1].Predictions {
			if p.Class != d.Y[i] {
				t.Errorf("%s: record %d is of class %d by three features", by, i, p.Class)
			}
		}
	}
}

// naiveSelect eliminates one feature at a time from rows of maps, with the solution of SMO on the full matrix.
func naiveSelect(t *testing.T, d *dataset.Dataset, k stringkernel.Enumerator, keep int) []string {
	t.Helper()
	rows, left := make([]map[string]float64, d.Len()), map[string]bool{}
	for i := range rows {
		rows[i] = map[string]float64{}
		k.EachFeature(d.Corpus.Seq(i), func(name string, value float64) { rows[i][name], left[name] = value, true })
	}
	for {
		squares := map[string]float64{}
		for c := range d.Classes {
			if len(d.Classes) == 2 && c == 0 {
				continue
			}
			y, matrix := make([]float64, d.Len()), make([][]float64, d.Len())
			for i := range rows {
				if y[i] = -1; d.Y[i] == c {
					y[i] = 1
				}
				matrix[i] = make([]float64, d.Len())
				for j := range rows {
					for name := range left {
						matrix[i][j] += rows[i][name] * rows[j][name]
					}
				}
			}
			g := must.Get(svm.NewPrecomputed(matrix))(t)
			p := must.Get(svm.Classify(y, svm.Costs{}))(t)
			p.Tol = 1e-10
			s := must.Get(smo.Solver{}.Solve(t.Context(), g, p))(t)
			for name := range left {
				w := 0.0
				for i, a := range s.Coef {
					w += a * rows[i][name]
				}
				squares[name] += w * w
			}
		}
		var names []string
		for name := range left {
			names = append(names, name)
		}
		slices.SortFunc(names, func(a, b string) int {
			return cmp.Or(cmp.Compare(squares[b], squares[a]), cmp.Compare(a, b))
		})
		if len(names) <= keep {
			return names
		}
		delete(left, names[len(names)-1])
	}
}

// Step 1 is the elimination of one feature after the other, with two classes and more.
func TestEliminationIsTheNaiveOne(t *testing.T) {
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 2))
		var texts []string
		for i := range 18 {
			label := "abc"[i%(2+int(seed%2)):][:1]
			var words []string
			for range 8 + r.IntN(8) {
				words = append(words, fmt.Sprintf("w%d", r.IntN(14)))
			}
			texts = append(texts, label+" "+strings.Join(words, " "))
		}
		d := labelledTexts(t, texts)
		e := elimination(1)
		e.Trainer.Tol, e.Trainer.Multiclass = 1e-10, decide.OneVsRest
		fitted := must.Get(stringkernel.Fit(t.Context(), e.Trainer.Kernel, d.Corpus))(t)
		for _, keep := range []int{9, 4, 1} {
			got := must.Get(e.Select(t.Context(), d, keep))(t)
			if want := naiveSelect(t, d, stringkernel.EnumeratorOf(fitted), keep); !slices.Equal(got, want) {
				t.Errorf("seed %d: %q are kept, one by one %q", seed, got, want)
			}
		}
	}
}

// Texts of noise can be separated if features are chosen on all of them, and must not be if they are chosen within
// folds.
func TestEliminationIsWithinFolds(t *testing.T) {
	d := labelledTexts(t, noisyTexts(3, 60, 30, 2000, false))
	e := elimination(0.3)
	fold := must.Get(d.Folds(10, 1))(t)
	accuracy := func(o *classify.CVResult) float64 {
		right := 0.0
		for i, p := range o.Predictions {
			if p.Class == d.Y[i] {
				right++
			}
		}
		return right / float64(d.Len())
	}
	count := must.Get(e.Count(t.Context(), d))(t)
	outcomes := must.Get(e.CrossValidate(t.Context(), d, fold, e.Sizes(count)))(t)
	for s, o := range outcomes {
		if a := accuracy(o); a < 0.2 || a > 0.75 {
			t.Errorf("size %d: accuracy %v on noise", e.Sizes(count)[s], a)
		}
	}
	names := must.Get(e.Select(t.Context(), d, 60))(t)
	e.Trainer.Kernel = compose.Normalized(bow.Kernel{Dict: names})
	biased := must.Get(e.CrossValidate(t.Context(), d, fold, []int{60}))(t)
	if a := accuracy(biased[0]); a < 0.8 {
		t.Errorf("chosen on all records: accuracy %v, which the test of the folds relies on", a)
	}
}

// With all features the outcome is that of cross-validation, of several labels and hierarchies, too; the number of
// processors changes no bit.
func TestFirstRoundIsCrossValidation(t *testing.T) {
	texts := noisyTexts(6, 48, 10, 60, true)
	several, paths := make([][]string, len(texts)), make([]string, len(texts))
	for i, text := range texts {
		label, _, _ := strings.Cut(text, " ")
		several[i], paths[i] = []string{label}, label+"/"+[]string{"x", "y", "z"}[i/2%3]
		if i%5 == 0 {
			several[i] = append(several[i], "fifth")
		}
	}
	d := labelledTexts(t, texts)
	sets := must.Get(dataset.NewMultilabel(d.Corpus, several, nil))(t)
	tree, err := dataset.New(d.Corpus, paths, nil)
	if err == nil {
		err = tree.SetHierarchy("/")
	}
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		d      *dataset.Dataset
		kernel stringkernel.Kernel
	}{
		"several labels": {sets, bow.Kernel{}}, "hierarchy": {tree, bow.Kernel{}}, "fitted": {d, bow.Kernel{TFIDF: true}},
		"k-mers": {d, spectrum.Kernel{K: 3, Alphabet: stringkernel.Bytes}},
	} {
		d, e := c.d, elimination(0)
		e.Trainer.Kernel = compose.Normalized(c.kernel)
		fold := must.Get(d.Folds(4, 1))(t)
		outcomes := must.Get(e.CrossValidate(t.Context(), d, fold, []int{1 << 30, 40, 5}))(t)
		processors := runtime.GOMAXPROCS(1)
		again, err := e.CrossValidate(t.Context(), d, fold, []int{1 << 30, 40, 5})
		runtime.GOMAXPROCS(processors)
		if err != nil || !reflect.DeepEqual(again, outcomes) {
			t.Errorf("%s: another outcome on one processor (%v)", name, err)
		}
		whole := must.Get(classify.CrossValidate(t.Context(), e.Trainer, d, fold))(t)
		for i, p := range outcomes[0].Predictions {
			want := whole.Predictions[i]
			if len(p.Scores) != len(want.Scores) || p.Class != want.Class || !slices.Equal(p.Labels, want.Labels) {
				t.Errorf("%s: record %d: %v, by cross-validation %v", name, i, p, want)
				continue
			}
			for c, score := range p.Scores {
				if math.Abs(score-want.Scores[c]) > 1e-3 {
					t.Errorf("%s: record %d: class %d has %v, by cross-validation %v", name, i, c,
						score, want.Scores[c])
				}
			}
		}
	}
	names := must.Get(elimination(0.2).Select(t.Context(), sets, 3))(t)
	if slices.Sort(names); !slices.Equal(names, []string{"aleph", "alpha", "beta"}) {
		t.Errorf("%q are kept of several labels", names)
	}
}

func TestEliminationErrors(t *testing.T) {
	d := labelledTexts(t, noisyTexts(5, 8, 3, 10, true))
	for want, change := range map[string]func(e *rfe.Elimination){
		"Step = -1":  func(e *rfe.Elimination) { e.Step = -1 },
		"Step = 1.5": func(e *rfe.Elimination) { e.Step = 1.5 },
		"Least = -2": func(e *rfe.Elimination) { e.Least = -2 },
		"C = -1":     func(e *rfe.Elimination) { e.Trainer.C = -1 },
		"no list of features": func(e *rfe.Elimination) {
			e.Trainer.Kernel = substring.Kernel{Weight: substring.Constant}
		},
		"no record has any feature": func(e *rfe.Elimination) {
			e.Trainer.Kernel = spectrum.Kernel{K: 3, Alphabet: stringkernel.DNA}
		},
		"0 features to keep, want at": nil,
	} {
		e, keep := elimination(0), 2
		if change != nil {
			change(&e)
		} else {
			keep = 0
		}
		if _, err := e.Select(t.Context(), d, keep); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := elimination(0).CrossValidate(t.Context(), d, make([]int, 8), []int{3}); err == nil {
		t.Error("one fold is taken")
	}
	if _, err := elimination(0).CrossValidate(t.Context(), d, []int{0, 1, 0, 1, 1, 0, 1, 0},
		[]int{3, -1}); err == nil || !strings.Contains(err.Error(), "-1 features") {
		t.Errorf("%v for a negative size", err)
	}
	if _, err := elimination(0).CrossValidate(t.Context(), d, []int{0, 1, 0, 1, 1, 0, 1, 0}, []int{3, 4}); err == nil ||
		!strings.Contains(err.Error(), "4 features after 3") {
		t.Errorf("%v for sizes that rise", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := elimination(0).Select(ctx, d, 2); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that it is cancelled", err)
	}
}

// Sizes fall from all features to the least.
func TestSizes(t *testing.T) {
	for _, c := range []struct {
		step     float64
		least    int
		features int
		want     []int
	}{
		{0, 0, 20, []int{20, 10, 5, 3, 2, 1}},
		{0.1, 17, 20, []int{20, 18, 17}},
		{6, 3, 20, []int{20, 14, 8, 3}},
		{1, 3, 3, []int{3}},
		{1, 9, 3, []int{3}},
		{math.Inf(1), 0, 3, []int{3, 1}},
		{math.NaN(), 0, 3, []int{3, 2, 1}}, // Select and CrossValidate refuse it
	} {
		if got := (rfe.Elimination{Step: c.step, Least: c.least}).Sizes(c.features); !slices.Equal(got, c.want) {
			t.Errorf("step %v of %d: %v, want %v", c.step, c.features, got, c.want)
		}
	}
}
