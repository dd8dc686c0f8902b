package report

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/measure"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/report/figure"
	"github.com/seqsvm/seqsvm/report/page"
)

// A page on two models has the metrics of both, which of them is right on how many records, in the table of records
// too, and parses; a model beside itself differs in nothing.
func TestTwoModels(t *testing.T) {
	for name, labels := range map[string][]string{
		"two": repeat(60, "a", "b"), "three": repeat(60, "a", "b", "c"), "numbers": repeat(60, "1", "2.5", "3"),
	} {
		task := dataset.Classes
		if name == "numbers" {
			task = dataset.Regression
		}
		a, b := trained(t, task, labels, nil), trained(t, task, labels, nil)
		r := rand.New(rand.NewPCG(8, 9))
		b.Predictions = append([]decide.Prediction(nil), b.Predictions...)
		r.Shuffle(60, func(i, j int) { b.Predictions[i], b.Predictions[j] = b.Predictions[j], b.Predictions[i] })
		b.Measured = must.Get(measure.Predictions(b.Data, numbersTo(60), b.Predictions))(t)
		a.Name, b.Name, a.Other = "one", "two & <2>", b
		a.Differences = must.Get(measure.Compare(t.Context(), a.Data, 100, 1, a.Predictions, b.Predictions))(t)
		p := must.Get(a.Page(t.Context()))(t)
		s := p.Sections[0]
		if s.ID != "comparison" {
			t.Fatalf("%s: the first section is %s", name, s.ID)
		}
		rows := s.Blocks[1].Table.Rows
		for k, d := range a.Differences {
			if rows[k][1].Text != decimals(d.A) || rows[k][2].Text != decimals(b.Measured.Value(d.Metric)) {
				t.Errorf("%s: row %v of %+v", name, rows[k], d)
			}
		}
		if name != "numbers" {
			checkAgreement(t, a, b, s.Blocks[2].Table, p.Records)
		}
		checkAxes(t, name, p)
		var text bytes.Buffer
		must.Succeed(t, p.Write(&text))
		must.Get(html.Parse(strings.NewReader(text.String())))(t)
		if strings.Contains(text.String(), "NaN") || strings.Contains(text.String(), "<2>") {
			t.Errorf("%s: NaN, or a name that is not escaped", name)
		}
		same := must.Get(measure.Compare(t.Context(), a.Data, 100, 1, a.Predictions, a.Predictions))(t)
		for _, d := range same {
			if d.Difference != 0 || d.P != 1 {
				t.Errorf("%s: beside itself %+v", name, d)
			}
		}
	}
}

// checkAxes finds pictures of both models that are beside each other, which have the same axes and, of scores, bars.
func checkAxes(t *testing.T, name string, p *page.Page) {
	t.Helper()
	i := slices.IndexFunc(p.Sections, func(s page.Section) bool { return s.ID == "pictures" })
	charts, pairs := map[string]figure.Chart{}, 0
	for _, f := range p.Sections[i].Blocks[0].Figures {
		chart := f.Picture.(figure.Chart)
		if first, twice := charts[chart.Title]; twice {
			pairs++
			if first.XRange != chart.XRange || first.YRange != chart.YRange || first.XRange[0] >= first.XRange[1] {
				t.Errorf("%s: %s on axes %v %v, then %v %v", name, chart.Title, first.XRange, first.YRange, chart.XRange, chart.YRange)
			}
			if chart.Title == "Scores" && !slices.Equal(first.Layers[0].X, chart.Layers[0].X) {
				t.Errorf("%s: bars at %v, then at %v", name, first.Layers[0].X, chart.Layers[0].X)
			}
		}
		charts[chart.Title] = chart
	}
	if pairs == 0 {
		t.Errorf("%s: no pictures beside each other", name)
	}
}

// checkAgreement counts again who is right.
func checkAgreement(t *testing.T, a, b *Subject, table *page.Table, records *page.Records) {
	t.Helper()
	var n [2][2]int
	right := records.Columns[len(records.Columns)-3]
	for i, y := range a.Data.Y {
		side := [2]int{}
		for k, s := range []*Subject{a, b} {
			if s.Predictions[i].Class != y {
				side[k] = 1
			}
		}
		n[side[0]][side[1]]++
		want := [2][2]string{{"both", "only one"}, {"only two & <2>", "neither"}}[side[0]][side[1]]
		if right.Classes[right.Of[i]] != want {
			t.Errorf("record %d: %s, want %s", i, right.Classes[right.Of[i]], want)
		}
	}
	for k := range n {
		if table.Rows[k][1].Text != thousands(n[k][0]) || table.Rows[k][2].Text != thousands(n[k][1]) {
			t.Errorf("row %v, want %v", table.Rows[k], n[k])
		}
	}
}

// Of two models of different kinds all of one comes before all of the other, and it is said why one lacks something.
func TestTwoKinds(t *testing.T) {
	labels := repeat(60, "a", "b")
	a, b := trainedWith(t, "wd:d=3", dataset.Classes, labels, nil), trained(t, dataset.Classes, labels, nil)
	a.Name, b.Name, a.Other = "places", "kmers", b
	p := must.Get(a.Page(t.Context()))(t)
	titles, texts := map[string]string{}, map[string]string{}
	for _, s := range p.Sections {
		for _, block := range s.Blocks {
			titles[s.ID] += block.Title + "|"
			texts[s.ID] += block.Text
		}
	}
	for id, want := range map[string]string{
		"motifs": "places|kmers|places|kmers|", "features": "places|kmers: For b|kmers: Against b|",
		"classes": "places|kmers|places|kmers|",
	} {
		if titles[id] != want {
			t.Errorf("%s: %s, want %s", id, titles[id], want)
		}
	}
	for id, want := range map[string]string{"motifs": "There are no motifs: the strongest", "features": "no list of features"} {
		if !strings.Contains(texts[id], want) {
			t.Errorf("%s: %q, want %s", id, texts[id], want)
		}
	}
}
