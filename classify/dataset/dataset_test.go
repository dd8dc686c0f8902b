package dataset_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/internal/svmtest"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
)

func TestNewDataset(t *testing.T) {
	corpus := svmtest.Corpus(4)
	d := must.Get(dataset.New(corpus, []string{"b", "a", "b", "c"}, []string{"x", "y", "x", "z"}))(t)
	if !slices.Equal(d.Classes, []string{"a", "b", "c"}) || !slices.Equal(d.Y, []int{1, 0, 1, 2}) || d.Positive != 1 {
		t.Errorf("classes %q, Y %v, positive %d", d.Classes, d.Y, d.Positive)
	}
	if err := d.SetPositive("c"); err != nil || d.Positive != 2 {
		t.Errorf("positive %d, %v", d.Positive, err)
	}
	s := d.Subset([]int{3, 0})
	if !slices.Equal(s.Y, []int{2, 1}) || !slices.Equal(s.Groups, []string{"z", "x"}) || s.Corpus.Name(0) != "s3" ||
		s.Positive != 2 {
		t.Errorf("subset %+v", s)
	}
}

func TestNumbersSortByValue(t *testing.T) {
	for _, c := range []struct{ labels, want []string }{
		{[]string{"+1", "-1", "+1", "-1"}, []string{"-1", "+1"}},
		{[]string{"1", "-1", "+1", "01"}, []string{"-1", "+1", "01", "1"}}, // equal values by their bytes
		{[]string{"10", "9", "1e1", "10"}, []string{"9", "10", "1e1"}},
		{[]string{"10", "9", "x", "9"}, []string{"10", "9", "x"}},
		{[]string{"nan", "9", "10", "9"}, []string{"10", "9", "nan"}},
	} {
		d := must.Get(dataset.New(svmtest.Corpus(4), c.labels, nil))(t)
		for i, label := range c.labels {
			if d.Classes[d.Y[i]] != label {
				t.Errorf("record %d has class %q, want %q", i, d.Classes[d.Y[i]], label)
			}
		}
		if !slices.Equal(d.Classes, c.want) {
			t.Errorf("labels %q: classes %q, want %q", c.labels, d.Classes, c.want)
		}
	}
}

// toy labels n records a, b, c in turn, or a and b.
func toy(n, classes int) *dataset.Dataset {
	labels := make([]string, n)
	for i := range labels {
		labels[i] = string("abc"[i%3%classes])
	}
	d, err := dataset.New(svmtest.Corpus(n), labels, nil)
	if err != nil {
		panic(err)
	}
	return d
}

func TestDatasetErrors(t *testing.T) {
	corpus := svmtest.Corpus(3)
	for _, c := range []struct {
		want           string
		corpus         *stringkernel.Corpus
		labels, groups []string
	}{
		{"no corpus", nil, nil, nil},
		{"no records", &stringkernel.Corpus{}, nil, nil},
		{"2 labels for 3 records", corpus, []string{"a", "b"}, nil},
		{"1 groups for 3 records", corpus, []string{"a", "b", "a"}, []string{"g"}},
		{`record "s1" (number 2): no label`, corpus, []string{"a", "", "a"}, nil},
		{`all 3 records have label "+1", want at least two classes`, corpus, []string{"+1", "+1", "+1"}, nil},
	} {
		if _, err := dataset.New(c.corpus, c.labels, c.groups); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
	d := toy(6, 2)
	if err := d.SetPositive("z"); err == nil || !strings.Contains(err.Error(), `no record has label "z"`) {
		t.Errorf("error %v", err)
	}
}

func TestStratifiedFolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(6, 80).Draw(t, "n")
		d := &dataset.Dataset{Corpus: svmtest.Corpus(n), Classes: []string{"a", "b", "c"}, Y: make([]int, n)}
		for i := range d.Y {
			d.Y[i] = i % 3
			if i >= 6 {
				d.Y[i] = rapid.IntRange(0, 2).Draw(t, "class")
			}
		}
		k := rapid.IntRange(2, min(n, 10)).Draw(t, "k")
		fold := must.Get(d.StratifiedFolds(k, rapid.Uint64().Draw(t, "seed")))(t)
		checkSpread(t, fold, k, func(int) bool { return true })
		for c := range 3 {
			checkSpread(t, fold, k, func(i int) bool { return d.Y[i] == c })
		}
		must.Succeed(t, d.CheckFolds(fold))
	})
}

// checkSpread fails unless the folds' numbers of the chosen records differ by at most one.
func checkSpread(t rapid.TB, fold []int, k int, chosen func(int) bool) {
	sizes := make([]int, k)
	for i, f := range fold {
		if chosen(i) {
			sizes[f]++
		}
	}
	if slices.Max(sizes)-slices.Min(sizes) > 1 {
		t.Fatalf("fold sizes %v", sizes)
	}
}

func TestFoldsDependOnTheSeedAlone(t *testing.T) {
	d := toy(60, 3)
	a, _ := d.Folds(5, 1)
	b, _ := d.Folds(5, 1)
	c, _ := d.Folds(5, 2)
	if !slices.Equal(a, b) || slices.Equal(a, c) {
		t.Error("folds do not follow the seed")
	}
}

func TestGroupedFolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := toy(90, 2)
		groups := rapid.IntRange(8, 40).Draw(t, "groups")
		d.Groups = make([]string, 90)
		for i := range d.Groups {
			d.Groups[i] = strconv.Itoa(rapid.IntRange(0, groups-1).Draw(t, "group"))
		}
		k := rapid.IntRange(2, 4).Draw(t, "k")
		fold, err := d.GroupedFolds(k, rapid.Uint64().Draw(t, "seed"))
		if err != nil {
			t.Skip(err)
		}
		of := map[string]int{}
		for i, g := range d.Groups {
			if f, seen := of[g]; seen && f != fold[i] {
				t.Fatalf("group %s is in folds %d and %d", g, f, fold[i])
			}
			of[g] = fold[i]
		}
	})
}

// TestUnseenFolds: no training part shares a side with a tested record, whatever side that is on, and has all others;
// every record is tested once.
func TestUnseenFolds(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, c := range []struct {
		right     string // before the names of right sides
		k, blocks int
	}{{"r", 10, 9}, {"r", 3, 4}, {"r", 25, 25}, {"l", 9, 9}} {
		d := &dataset.Dataset{Classes: []string{"no", "yes"}}
		for range 900 {
			d.Groups = append(d.Groups, fmt.Sprint("l", rng.IntN(60)))
			d.Others = append(d.Others, fmt.Sprint(c.right, rng.IntN(60)))
			d.Y = append(d.Y, rng.IntN(2))
		}
		fold := must.Get(d.Folds(c.k, 7))(t)
		if got := slices.Max(fold) + 1; got != c.blocks {
			t.Errorf("%d folds of %s: %d, want %d", c.k, c.right, got, c.blocks)
		}
		for f := range c.blocks {
			train, test := d.Split(fold, f)
			seen := map[string]bool{}
			for _, i := range test {
				seen[d.Groups[i]], seen[d.Others[i]] = true, true
			}
			var want []int
			for i, g := range fold {
				if shares := seen[d.Groups[i]] || seen[d.Others[i]]; g != f && !shares {
					want = append(want, i)
				}
			}
			if !slices.Equal(train, want) || len(train) == 0 {
				t.Errorf("fold %d of %d: %d records to train on, want %d", f, c.blocks, len(train), len(want))
			}
		}
	}
}

func TestGroupedFoldsAreBalanced(t *testing.T) {
	d := toy(300, 2)
	d.Groups = make([]string, 300)
	for i := range d.Groups {
		d.Groups[i] = strconv.Itoa(i / 5) // 60 groups of five
	}
	fold := must.Get(d.Folds(5, 3))(t)
	counts := [5][2]int{}
	for i, f := range fold {
		counts[f][d.Y[i]]++
	}
	for f, c := range counts { // 200 records of "a" and 100 of "b" over five folds
		if c[0] < 36 || c[0] > 44 || c[1] < 18 || c[1] > 22 {
			t.Errorf("fold %d has %v records of the classes, want about [40 20]", f, c)
		}
	}
}

func TestFoldErrors(t *testing.T) {
	d := toy(30, 2)
	grouped := toy(30, 2)
	grouped.Groups = make([]string, 30)
	for i := range grouped.Groups {
		grouped.Groups[i] = strconv.Itoa(i % 2)
	}
	lonely := toy(6, 2)
	for i := range lonely.Y {
		lonely.Y[i] = min(i, 1)
	}
	try := func(want string, err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	_, err := d.StratifiedFolds(1, 0)
	try("1 fold of 30 records, want at least 2 folds", err)
	_, err = d.StratifiedFolds(31, 0)
	try("31 folds of 30 records", err)
	_, err = lonely.StratifiedFolds(2, 0)
	try(`class "a" has 1 record, want at least 2`, err)
	_, err = d.GroupedFolds(2, 0)
	try("no groups", err)
	_, err = grouped.GroupedFolds(3, 0)
	try("2 groups, but 3 folds", err)
	try("29 fold numbers for 30 records", d.CheckFolds(make([]int, 29)))
	try("one fold", d.CheckFolds(make([]int, 30)))
	custom := make([]int, 30)
	custom[4] = -1
	try(`record "s4" (number 5) is in fold -1`, d.CheckFolds(custom))
	custom[3], custom[4] = 5, 5 // one of each class
	try("fold 1 of 0 to 5 has no records", d.CheckFolds(custom))
	for i := range custom {
		custom[i] = d.Y[i]
	}
	try(`all 20 records of class "a" are in fold 0`, d.CheckFolds(custom))
}

// Names in messages are cut, however long labels are and however many.
func TestLongNames(t *testing.T) {
	long := strings.Repeat("é", 200)
	_, single := dataset.New(svmtest.Corpus(2), []string{long, long}, nil)
	labels := make([]string, 100)
	for i := range labels {
		labels[i] = fmt.Sprint(long, i)
	}
	d := must.Get(dataset.New(svmtest.Corpus(100), labels, nil))(t)
	for _, err := range []error{single, d.SetPositive(long), d.Check(),
		(&decide.Rule{Classes: []string{long, long}}).Check()} {
		if err == nil {
			continue
		}
		for _, quoted := range strings.Split(err.Error(), `"`) {
			if strings.Count(quoted, "é") > 80 {
				t.Errorf("a name of more than 80 characters: %v", err)
			}
		}
		if len(err.Error()) > 12*200 {
			t.Errorf("a message of %d bytes", len(err.Error()))
		}
	}
}

// TestNewTargets: labels are numbers, and a record that has none is named.
func TestNewTargets(t *testing.T) {
	corpus := svmtest.Corpus(3)
	d := must.Get(dataset.NewTargets(corpus, []string{"-1.5", "2e3", "+.25"}, []string{"a", "b", "b"}))(t)
	must.Succeed(t, d.SetWeights([]string{"1", "0.5", "3"}))
	if !slices.Equal(d.Targets, []float64{-1.5, 2000, 0.25}) || d.Check() != nil || d.Len() != 3 {
		t.Errorf("%+v (%v)", d, d.Check())
	}
	s := d.Subset([]int{2, 0})
	if !slices.Equal(s.Targets, []float64{0.25, -1.5}) || !slices.Equal(s.Weights, []float64{3, 1}) || s.Check() != nil {
		t.Errorf("subset %+v (%v)", s, s.Check())
	}
	d.Groups = nil
	if fold, err := d.Folds(3, 1); err != nil || !slices.Equal(slices.Sorted(slices.Values(fold)), []int{0, 1, 2}) {
		t.Errorf("folds %v (%v), want a record in each", fold, err)
	}
	for _, text := range []string{"", "1,5", "0x1p2", "1_0", "NaN", "inf", "1e71", "1e999", "3 "} {
		_, err := dataset.NewTargets(corpus, []string{"1", text, "2"}, nil)
		var about *stringkernel.RecordError
		if !errors.As(err, &about) || about.Record != 1 || !strings.Contains(err.Error(), strconv.Quote(text)) {
			t.Errorf("label %q: error %v, want one about the second record", text, err)
		}
	}
	for _, text := range []string{"0", "-1", "1e10", "x"} {
		if err := d.SetWeights([]string{"1", "1", text}); err == nil || !strings.Contains(err.Error(), "weight "+
			strconv.Quote(text)) {
			t.Errorf("weight %q: error %v", text, err)
		}
	}
	d.Weights = nil
	for want, change := range map[string]func(d *dataset.Dataset){
		"2 targets for 3":  func(d *dataset.Dataset) { d.Targets = d.Targets[:2] },
		"has target NaN":   func(d *dataset.Dataset) { d.Targets = []float64{1, 2, math.NaN()} },
		"and 2 classes":    func(d *dataset.Dataset) { d.Classes = []string{"a", "b"} },
		"1 weights for 3":  func(d *dataset.Dataset) { d.Weights = []float64{1} },
		"has weight 0":     func(d *dataset.Dataset) { d.Weights = []float64{1, 1, 0} },
		"has class index ": func(d *dataset.Dataset) { d.Y = []int{0, 0, 1} },
	} {
		bad := *d
		change(&bad)
		if err := bad.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	if err := d.SetWeights([]string{"1"}); err == nil {
		t.Error("no error for one weight of three records")
	}
	if _, err := dataset.NewTargets(nil, nil, nil); err == nil {
		t.Error("no error without a corpus")
	}
}
