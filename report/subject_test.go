package report

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/measure"
	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/model/drift"
	"github.com/seqsvm/seqsvm/report/page"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/duplicates"
)

// trained makes a data set of random sequences with labels, and a subject with a model trained on it.
func trained(t *testing.T, task dataset.Task, labels []string, sets [][]string) *Subject {
	t.Helper()
	return trainedWith(t, "spectrum:k=3", task, labels, sets)
}

func trainedWith(t *testing.T, kernel string, task dataset.Task, labels []string, sets [][]string) *Subject {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	seqs, names := make([][]byte, len(labels)), make([]string, len(labels))
	for i := range seqs {
		seqs[i], names[i] = make([]byte, 40), fmt.Sprintf("record %d", i)
		for k := range seqs[i] {
			seqs[i][k] = "ACGT"[r.IntN(4)]
		}
	}
	corpus, err := stringkernel.NewCorpus(seqs, names)
	if err != nil {
		t.Fatal(err)
	}
	var data *dataset.Dataset
	switch {
	case sets != nil:
		data, err = dataset.NewMultilabel(corpus, sets, nil)
	case task == dataset.Novelty:
		data, err = dataset.NewNovelty(corpus, labels, []string{labels[0]}, nil)
	default:
		data, err = dataset.NewFor(task, corpus, labels, dataset.LabelNames{}, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	fitted := must.Get(classify.Trainer{Kernel: compiled(t, kernel)}.Train(context.Background(), data))(t)
	m := must.Get(model.New(context.Background(), fitted, model.Options{}))(t)
	classifier := must.Get(m.Classifier(context.Background()))(t)
	s := &Subject{Title: "title", Model: m, Corpus: corpus, Labels: labels, Data: data, Classifier: classifier, Seed: 1}
	s.Predictions = must.Get(classifier.Predict(context.Background(), corpus))(t)
	s.Measured = must.Get(measure.Predictions(data, numbersTo(corpus.Len()), s.Predictions))(t)
	return s
}

// repeat returns n labels, taken in turn.
func repeat(n int, labels ...string) (all []string) {
	for i := range n {
		all = append(all, labels[i%len(labels)])
	}
	return all
}

// Every task has a page, with all records, twice the same bytes.
func TestTasks(t *testing.T) {
	sets := [][]string{}
	for i := range 30 {
		sets = append(sets, [][]string{{"a"}, {"a", "b"}, {"c"}, {}}[i%4])
	}
	for name, s := range map[string]*Subject{
		"two":     trained(t, dataset.Classes, repeat(30, "+1", "-1"), nil),
		"three":   trained(t, dataset.Classes, repeat(30, "a", "b", "c"), nil),
		"numbers": trained(t, dataset.Regression, repeat(30, "1", "2.5", "-3"), nil),
		"order":   trained(t, dataset.Ranking, repeat(30, "1", "2", "3"), nil),
		"ordinal": trained(t, dataset.Ordinal, repeat(30, "1", "2", "3"), nil),
		"novelty": trained(t, dataset.Novelty, repeat(30, "known", "other"), nil),
		"sets":    trained(t, dataset.Classes, repeat(30, "a", "a b", "c", ""), sets),
	} {
		var texts [2]bytes.Buffer
		for i := range texts {
			p, err := s.Page(t.Context())
			if err == nil {
				err = p.Write(&texts[i])
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if got := len(p.Records.Columns[0].Texts); got != 30 {
				t.Errorf("%s: %d records", name, got)
			}
			if got := len(p.Tracks.Tracks); got != 30 {
				t.Errorf("%s: %d tracks", name, got)
			}
		}
		if !bytes.Equal(texts[0].Bytes(), texts[1].Bytes()) {
			t.Errorf("%s: other bytes the second time", name)
		}
		if strings.Contains(texts[0].String(), "NaN") {
			t.Errorf("%s: NaN", name)
		}
	}
}

// TestTrust: a model that knows how sure it is, and what its training data look like, has sections on both: sets, or
// intervals, hold the share of records that they are measured to, each record has its own in the table, and records
// that are unlike those of training are said to be.
func TestTrust(t *testing.T) {
	for task, title := range map[dataset.Task]string{
		dataset.Classes: "Sets of classes", dataset.Regression: "Intervals",
	} {
		s := trained(t, task, repeat(60, "1", "2"), nil)
		fitted := must.Get(classify.Trainer{Kernel: compiled(t, "spectrum:k=3"), Conformal: true}.Train(t.Context(), s.Data))(t)
		s.Model.Decision.Conformal, s.Classifier.Conformal = fitted.Conformal, fitted.Conformal
		s.Classifier = must.Get(s.Classifier.WithConfidence(0.8))(t)
		s.Predictions = must.Get(s.Classifier.Predict(t.Context(), s.Corpus))(t)
		s.Measured.Regions = measure.Regions(s.Data, numbersTo(60), s.Predictions)
		s.Model.Drift = drift.New(s.Corpus, stringkernel.DNA)
		p := must.Get(s.Page(t.Context()))(t)
		sections := map[string]page.Section{}
		for _, section := range p.Sections {
			sections[section.Title] = section
		}
		all := sections[title].Blocks[0].Table.Rows[0]
		if want := fmt.Sprintf("%.4f", float64(s.Measured.Regions.Coverage)); all[1].Text != "60" || all[2].Text != want {
			t.Errorf("%s: %v, want 60 records and %s", title, all, want)
		}
		if !slices.ContainsFunc(p.Records.Columns, func(v page.Values) bool { return v.Name == "set" || v.Name == "lower" }) {
			t.Errorf("%s: no column of records", title)
		}
		if compared := sections["Compared with training"]; compared.Text == "" || compared.Blocks != nil {
			t.Errorf("%s: %+v, want no shift", title, compared)
		}
		s.Model.Drift = drift.New(poly(t), stringkernel.DNA)
		p = must.Get(s.Page(t.Context()))(t)
		i := slices.IndexFunc(p.Sections, func(s page.Section) bool { return s.ID == "shifts" })
		if rows := p.Sections[i].Blocks[0].Table.Rows; len(rows) < 2 {
			t.Errorf("%s: shifts %v, want several", title, rows)
		}
	}
}

// compiled is the kernel of a name.
func compiled(t *testing.T, name string) stringkernel.Kernel {
	t.Helper()
	spec := must.Get(catalog.Parse(name))(t)
	spec.Normalize = true
	kernel := must.Get(spec.Compile(stringkernel.DNA))(t)
	return kernel
}

// poly is sequences of A and T alone.
func poly(t *testing.T) *stringkernel.Corpus {
	t.Helper()
	seqs := make([][]byte, 100)
	for i := range seqs {
		seqs[i] = []byte(strings.Repeat("AT", 10+i%7))
	}
	corpus := must.Get(stringkernel.NewCorpus(seqs, nil))(t)
	return corpus
}

func numbersTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// The margin by its definition, and the order of errors by margins.
func TestMargins(t *testing.T) {
	predict := func(class int, scores ...float64) decide.Prediction {
		return decide.Prediction{Class: class, Scores: scores}
	}
	two := &builder{labelling: dataset.TwoClasses, Subject: &Subject{
		Model:       &model.Model{Decision: decide.Rule{Machines: []decide.Binary{{Threshold: 0.25}}}},
		Data:        &dataset.Dataset{Classes: []string{"n", "p"}, Y: []int{1, 0, 1, 0, 1}, Positive: 1},
		Predictions: []decide.Prediction{predict(1, 2), predict(0, -3), predict(0, -0.5), predict(1, 4), predict(1, 1)},
	}}
	many := &builder{labelling: dataset.ManyClasses, Subject: &Subject{
		Data:        &dataset.Dataset{Classes: []string{"a", "b", "c"}, Y: []int{0, 1, 2}},
		Predictions: []decide.Prediction{predict(0, 2, 1, 0), predict(0, 5, 1, 0), predict(2, -3, -2, -1.5)},
	}}
	for _, c := range []struct {
		b                *builder
		margins          []float64
		wrongest, surest []int
	}{
		{two, []float64{1.75, 3.25, -0.75, -3.75, 0.75}, []int{3, 2}, []int{1, 0, 4}},
		{many, []float64{1, -4, 0.5}, []int{1}, []int{0, 2}},
	} {
		c.b.assess()
		for i, want := range c.margins {
			if got := c.b.assessed[i].margin; got != want {
				t.Errorf("margin %d: %v, want %v", i, got, want)
			}
		}
		if got := c.b.wrongest(); !slices.Equal(got, c.wrongest) {
			t.Errorf("wrongest %v, want %v", got, c.wrongest)
		}
		if got := c.b.surest(); !slices.Equal(got, c.surest) {
			t.Errorf("surest %v, want %v", got, c.surest)
		}
	}
}

// Of too many records the table has half the worst ones and as many as are asked for, each once and in their order.
func TestChosenRecords(t *testing.T) {
	s := trained(t, dataset.Classes, repeat(60, "+1", "-1"), nil)
	for i := range s.Predictions {
		s.Predictions[i].Scores[0] = float64(i - 30) // so that among the even ones the first are the most wrong
		s.Predictions[i].Class = 0
		if i > 30 {
			s.Predictions[i].Class = s.Data.Positive
		}
	}
	s.Records = 10
	b := &builder{Subject: s, labelling: s.Data.Labelling()}
	b.assess()
	b.choose()
	if len(b.listed) != 10 || !slices.IsSorted(b.listed) || len(slices.Compact(slices.Clone(b.listed))) != 10 {
		t.Fatalf("%v", b.listed)
	}
	for _, i := range b.wrongest()[:5] {
		if !slices.Contains(b.listed, i) {
			t.Errorf("record %d is not in %v", i, b.listed)
		}
	}
}

// The window of greatest magnitude, by all windows.
func TestStrongestWindow(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		values, most := make([]float64, r.IntN(30)), 1+r.IntN(10)
		for i := range values {
			values[i] = float64(r.IntN(7) - 3) // sums are exact
		}
		sum := func(lo, hi int) (s float64) {
			for _, v := range values[lo:hi] {
				s += math.Abs(v)
			}
			return s
		}
		lo, hi := strongestWindow(values, most)
		if hi-lo != min(most, len(values)) {
			t.Fatalf("window %d to %d of %d, want %d", lo, hi, len(values), most)
		}
		for start := 0; start+most <= len(values); start++ {
			if sum(start, start+most) > sum(lo, hi) {
				t.Fatalf("%v: window %d to %d, but that at %d is stronger", values, lo, hi, start)
			}
		}
	}
}

func TestThousands(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", -1234567: "-1,234,567", -100: "-100"} {
		if got := thousands(n); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}

// TestBaselines: the table has the metrics that simple methods have, and a remark names those that are as good as the
// model, where less is better, too.
func TestBaselines(t *testing.T) {
	for _, test := range []struct {
		task   dataset.Task
		labels []string
		metric string
		values []metrics.Float // of the model and the methods
		good   string
	}{
		{dataset.Classes, repeat(30, "+1", "-1"), "auroc", []metrics.Float{0.8, 0.75, 0.5}, ""},
		{dataset.Classes, repeat(30, "+1", "-1"), "auroc", []metrics.Float{0.8, 0.8, 0.9}, "0.800 of one, 0.900 of two"},
		{dataset.Regression, repeat(30, "1", "2", "3"), "rmse", []metrics.Float{1, 0.9, 1.1}, "0.900 of one"},
	} {
		s := trained(t, test.task, test.labels, nil)
		of := func(names []string, values ...metrics.Float) metrics.Scalars {
			return metrics.NewScalars(names, values)
		}
		nan := metrics.Float(math.NaN())
		all := []string{test.metric, "log_loss"}
		s.Validation = &Validation{
			CVResult: &classify.CVResult{Predictions: s.Predictions, Fold: make([]int, 30), Folds: 2,
				Rules: []decide.Rule{s.Model.Decision}},
			Mean: of(all, test.values[0], 0.3), SD: of(all, 0.01, 0.02),
		}
		for i, name := range []string{"one", "two"} {
			s.Validation.Baselines = append(s.Validation.Baselines, Baseline{
				Name: name, Meaning: "what it is", Mean: of(all, test.values[i+1], nan), SD: of(all[:1], 0.03),
			})
		}
		p := must.Get(s.Page(t.Context()))(t)
		block := p.Sections[0].Blocks[1]
		if got, want := block.Facts[1], (page.Fact{Name: "two", Value: "what it is"}); got != want {
			t.Errorf("%s: %v, want %v", test.metric, got, want)
		}
		table := block.Table
		if got := len(table.Columns); got != 2 || len(table.Rows) != 3 {
			t.Errorf("%s: %d columns and %d rows, want 2 and 3", test.metric, got, len(table.Rows))
		}
		want := []page.Cell{{Text: "two"}, {Text: decimals(float64(test.values[2])), Note: "± 0.0300"}}
		if got := table.Rows[2]; !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", test.metric, got, want)
		}
		got := ""
		for _, note := range p.Notes {
			if strings.HasPrefix(note.Text, "Simple methods") {
				_, got, _ = strings.Cut(note.Text, "of the model, ")
			}
		}
		if test.good != "" {
			test.good += "."
		}
		if got != test.good {
			t.Errorf("%s: as good are %q, want %q", test.metric, got, test.good)
		}
	}
}

// A model that predicts one class alone is said to, also why a metric is undefined then; not where there is one class.
func TestOneClass(t *testing.T) {
	for name, labels := range map[string][]string{"two": repeat(30, "a", "b"), "three": repeat(30, "a", "b", "c")} {
		s := trained(t, dataset.Classes, labels, nil)
		for i := range s.Predictions {
			s.Predictions[i].Class = 1
		}
		s.Measured = must.Get(measure.Predictions(s.Data, numbersTo(30), s.Predictions))(t)
		p := must.Get(s.Page(t.Context()))(t)
		said := func(n page.Note) bool { return n.Text == "The model predicts one class alone, b, for all records." }
		if !slices.ContainsFunc(p.Notes, said) {
			t.Errorf("%s: notes %v", name, p.Notes)
		}
		for _, row := range p.Sections[0].Blocks[0].Table.Rows {
			if why := strings.HasSuffix(row[len(row)-1].Text, "NA: all predictions are one class"); why != (row[1].Text == "NA") {
				t.Errorf("%s: %v", name, row)
			}
		}
		if p.Sections[0].Blocks[0].Table.Rows[6][1].Text != "NA" {
			t.Errorf("%s: %v has a value", name, p.Sections[0].Blocks[0].Table.Rows[6])
		}
		s.Predictions[0].Class = 0
		if p := must.Get(s.Page(t.Context()))(t); slices.ContainsFunc(p.Notes, said) {
			t.Errorf("%s: two classes are predicted: %v", name, p.Notes)
		}
	}
}

// Pairs of near-duplicates that are not on the page are counted.
func TestPairs(t *testing.T) {
	for pairs, want := range map[int]string{10: "", 210: "200 more of 210 pairs|", 833: "200 more of 833 pairs|623 further"} {
		s := trained(t, dataset.Classes, repeat(900, "a", "b"), nil)
		s.Duplicates = &duplicates.Groups{Of: make([]int, 900)}
		for j := range pairs {
			s.Duplicates.Pairs = append(s.Duplicates.Pairs, duplicates.Pair{J: j + 1, Similarity: 0.9})
		}
		got := ""
		for _, section := range must.Get(s.Page(t.Context()))(t).Sections {
			for _, block := range section.Blocks {
				if section.ID == "leakage" && block.Folded {
					got += block.Title + "|" + block.Text
				}
			}
		}
		if !strings.HasPrefix(got, want) || want != "" && len(got) > len(want) && pairs == 210 {
			t.Errorf("%d pairs: %q, want %q", pairs, got, want)
		}
	}
}
