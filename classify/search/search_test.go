package search_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/seqsvm/seqsvm/bow"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/search"
	"github.com/seqsvm/seqsvm/internal/heaptest"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
)

// noisyWords are texts of random words, of which one in ten tells the class.
func noisyWords(t *testing.T, n, classes int, seed uint64) *dataset.Dataset {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	var b stringkernel.CorpusBuilder
	labels := make([]string, n)
	for i := range n {
		class := i % classes
		labels[i] = fmt.Sprint("class", class)
		var words []string
		for range 10 {
			word := rng.IntN(60)
			if rng.IntN(10) == 0 {
				word = class
			}
			words = append(words, fmt.Sprintf("w%c%c", 'a'+word/8, 'a'+word%8))
		}
		b.Add(fmt.Sprintf("r%d", i), []byte(strings.Join(words, " ")))
	}
	return must.Get(dataset.New(b.Corpus(), labels, nil))(t)
}

// candidates are kernels of three families, each with several costs, in an order that mixes them.
func candidates(wrap func(stringkernel.Kernel) stringkernel.Kernel) (list []classify.Trainer) {
	for _, c := range []float64{10, 0.1, 1} {
		for _, k := range []stringkernel.Kernel{
			bow.Kernel{NGram: "1"}, bow.Kernel{NGram: "1-2", TFIDF: true},
			spectrum.Kernel{K: 3, Alphabet: stringkernel.Bytes},
			substring.Kernel{Weight: substring.Decay, Lambda: 0.5}, substring.Kernel{Weight: substring.Bounded, K: 3},
		} {
			list = append(list, classify.Trainer{Kernel: wrap(compose.Normalized(k)), C: c, Tol: 1e-6})
		}
	}
	list = append(list, list[0])
	list[len(list)-1].ClassWeight = classify.WeightBalanced
	return list
}

func plain(k stringkernel.Kernel) stringkernel.Kernel { return k }

func folds(t *testing.T, d *dataset.Dataset, k int) []int {
	t.Helper()
	return must.Get(d.Folds(k, 1))(t)
}

// TestRunEqualsCrossValidate holds every row of the table to the cross-validation of that candidate alone.
func TestRunEqualsCrossValidate(t *testing.T) {
	for _, classes := range []int{2, 3} {
		d := noisyWords(t, 90, classes, 1)
		fold := folds(t, d, 5)
		list := candidates(plain)
		table := must.Get(search.Search{Candidates: list}.Run(context.Background(), d, fold))(t)
		for i, trainer := range list {
			outcome := must.Get(classify.CrossValidate(context.Background(), trainer, d, fold))(t)
			measured := must.Get(search.MeasureFolds(d, outcome))(t)
			for f, report := range measured.Folds {
				for m, want := range report.Values {
					got := table.Results[i].Folds[f].Values[m]
					if math.Abs(float64(got-want)) > 1e-12 && (got.Defined() || want.Defined()) {
						t.Errorf("candidate %d, fold %d, metric %d: %v, cross-validation says %v", i, f, m, got, want)
					}
				}
			}
			if table.Results[i].Gap > 1e-6 {
				t.Errorf("candidate %d: gap %v", i, table.Results[i].Gap)
			}
		}
	}
}

// TestChoice recomputes the choices from the rows.
func TestChoice(t *testing.T) {
	d := noisyWords(t, 90, 2, 2)
	list := candidates(plain)
	for _, metric := range []string{"", "mcc"} {
		table := must.Get(search.Search{Candidates: list, Metric: metric}.Run(context.Background(), d, folds(t, d, 5)))(t)
		if metric == "" && table.Metric != "auroc" {
			t.Errorf("the default metric of two classes is %s", table.Metric)
		}
		best, sd := table.Value(table.Best)
		least := best - sd/math.Sqrt(5)
		for i := range list {
			mean, _ := table.Value(i)
			if mean > best {
				t.Errorf("%s: candidate %d has %v, more than the best, %v", metric, i, mean, best)
			}
			simpler := list[i].C < list[table.Simplest].C || list[i].C == list[table.Simplest].C && i < table.Simplest
			if mean >= least && simpler {
				t.Errorf("%s: candidate %d is within a standard error and simpler than %d", metric, i, table.Simplest)
			}
		}
		if mean, _ := table.Value(table.Simplest); mean < least {
			t.Errorf("%s: the simplest has %v, below %v", metric, mean, least)
		}
		if table.Picked(search.Best) != table.Best || table.Picked(search.OneSE) != table.Simplest {
			t.Error("picks are not what they say")
		}
	}
}

// spy is a kernel that notes the corpora it gets.
type spy struct {
	stringkernel.Kernel
	seen *corpora
}

type corpora struct {
	lock sync.Mutex
	list []*stringkernel.Corpus
}

func (k spy) note(c *stringkernel.Corpus) {
	k.seen.lock.Lock()
	defer k.seen.lock.Unlock()
	k.seen.list = append(k.seen.list, c)
}

func (k spy) Fitter() stringkernel.Fitter {
	if !stringkernel.DependsOnCorpus(k.Kernel) {
		return nil
	}
	return k
}

func (k spy) SelfContained() bool { return false }

func (k spy) Fit(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Kernel, error) {
	k.note(c)
	inner, err := stringkernel.Fit(ctx, k.Kernel, c)
	return spy{inner, k.seen}, err
}

func (k spy) Reference() *stringkernel.Corpus { return nil }

func (k spy) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	k.note(c)
	return k.Kernel.Gram(ctx, c)
}

func (k spy) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	k.note(sv)
	return k.Kernel.Merge(ctx, sv, c)
}

// TestNestedKeepsTheOuterFoldOut looks at all that kernels are given: a corpus that holds records of every outer fold
// would be one that some test record had a part in.
func TestNestedKeepsTheOuterFoldOut(t *testing.T) {
	d := noisyWords(t, 60, 2, 4)
	outer := folds(t, d, 3)
	foldOf := map[string]int{}
	for i, f := range outer {
		foldOf[d.Corpus.Name(i)] = f
	}
	seen := new(corpora)
	list := candidates(func(k stringkernel.Kernel) stringkernel.Kernel { return spy{k, seen} })
	nested := must.Get(search.Search{Candidates: list}.Nested(context.Background(), d, outer, 4, 1))(t)
	if len(seen.list) < 3*len(list) {
		t.Fatalf("the spy saw %d corpora only", len(seen.list))
	}
	for _, c := range seen.list {
		in := map[int]bool{}
		for i := range c.Len() {
			in[foldOf[c.Name(i)]] = true
		}
		if len(in) == 3 {
			t.Fatalf("a corpus of %d records has some of every outer fold", c.Len())
		}
	}
	n := 0
	for f, report := range nested.Folds {
		n += report.N
		if p := nested.Picked[f]; p < 0 || p >= len(list) {
			t.Errorf("fold %d picked candidate %d", f, p)
		}
	}
	if n != d.Len() || len(nested.Folds) != 3 || nested.Metric != "auroc" {
		t.Errorf("%d records in %d folds, metric %s", n, len(nested.Folds), nested.Metric)
	}
}

// TestNestedIsBlindToOuterLabels changes the labels of one outer fold: what was chosen for it stays, and what is
// measured turns round.
func TestNestedIsBlindToOuterLabels(t *testing.T) {
	d := noisyWords(t, 60, 2, 5)
	outer := folds(t, d, 3)
	s := search.Search{Candidates: candidates(plain), Metric: "accuracy", Pick: search.OneSE}
	before := must.Get(s.Nested(context.Background(), d, outer, 4, 1))(t)
	labels := make([]string, d.Len())
	for i, y := range d.Y {
		if outer[i] == 1 {
			y = 1 - y
		}
		labels[i] = d.Classes[y]
	}
	lying := must.Get(dataset.New(d.Corpus, labels, nil))(t)
	after := must.Get(s.Nested(context.Background(), lying, outer, 4, 1))(t)
	if before.Picked[1] != after.Picked[1] {
		t.Errorf("fold 2 picks %d or %d, as its own labels are", before.Picked[1]+1, after.Picked[1]+1)
	}
	if a, b := before.Folds[1].Value("accuracy"), after.Folds[1].Value("accuracy"); math.Abs(a+b-1) > 1e-12 {
		t.Errorf("accuracy of fold 2 is %v, and %v with all its labels turned", a, b)
	}
}

func TestErrors(t *testing.T) {
	d := noisyWords(t, 20, 2, 6)
	fold := folds(t, d, 2)
	good := classify.Trainer{Kernel: spectrum.Kernel{K: 2, Alphabet: stringkernel.Bytes}}
	bad := classify.Trainer{Kernel: spectrum.Kernel{K: 0, Alphabet: stringkernel.Bytes}}
	for want, s := range map[string]search.Search{
		"no candidates":             {},
		`metric "roc" is unknown`:   {Candidates: []classify.Trainer{good}, Metric: "roc"},
		`pick "worst" is unknown`:   {Candidates: []classify.Trainer{good}, Pick: "worst"},
		"candidate 2 has no kernel": {Candidates: []classify.Trainer{good, {}}},
		"k = 0":                     {Candidates: []classify.Trainer{good, bad}},
	} {
		_, err := s.Run(context.Background(), d, fold)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	var which *search.CandidateError
	if _, err := (search.Search{Candidates: []classify.Trainer{good, bad}}).Run(context.Background(), d,
		fold); !errors.As(err, &which) || which.Candidate != 1 {
		t.Errorf("%v is not said of candidate 1", err)
	}
	s := search.Search{Candidates: []classify.Trainer{good}}
	for want, outer := range map[string][]int{
		"want one per record":          fold[1:],
		"an outer fold has no records": {0, 0, 2, 2, 0, 0, 2, 2, 0, 0, 2, 2, 0, 0, 2, 2, 0, 0, 2, 2},
		"outer fold 1: cla":            {1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0},
	} {
		_, err := s.Nested(context.Background(), d, outer, 2, 1)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	// One record per fold: an area under a curve is undefined in each.
	single := make([]int, d.Len())
	for i := range single {
		single[i] = i
	}
	if _, err := s.Run(context.Background(), d, single); err == nil ||
		!strings.Contains(err.Error(), "auroc is undefined") {
		t.Errorf("%v, want the metric undefined", err)
	}
}

func TestProgress(t *testing.T) {
	d := noisyWords(t, 30, 2, 7)
	var got []search.Progress
	s := search.Search{Candidates: candidates(plain), Progress: func(p search.Progress) { got = append(got, p) }}
	must.Get(s.Nested(context.Background(), d, folds(t, d, 2), 2, 1))(t)
	last := search.Progress{Done: len(s.Candidates), Candidates: len(s.Candidates), Outer: 2, Outers: 2}
	if len(got) != 12 || got[len(got)-1] != last { // five kernels, one of them with two class weightings, twice
		t.Errorf("%d reports, the last %+v, want 12 and %+v", len(got), got[len(got)-1], last)
	}
}

// unindexed is a kernel that must not be indexed.
type unindexed struct{ spectrum.Kernel }

func (k unindexed) Gram(context.Context, *stringkernel.Corpus) (stringkernel.Gram, error) {
	return nil, errors.New("indexed")
}

// A candidate whose machines need more memory than there is is refused before anything is indexed.
func TestTooManyClassesAreRefusedFirst(t *testing.T) {
	d := noisyWords(t, 90, 30, 1)
	s := search.Search{Candidates: []classify.Trainer{{Kernel: unindexed{spectrum.Kernel{K: 3}}}}}
	heaptest.Limit(t, 1<<14)
	var large *memory.Error
	if _, err := s.Run(t.Context(), d, folds(t, d, 3)); !errors.As(err, &large) {
		t.Errorf("error %v, want that it takes too much memory", err)
	}
}
