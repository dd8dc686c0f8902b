package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/report/figure"
	"github.com/seqsvm/seqsvm/report/page"
)

// beside is a section of the page or, of two models, one with the blocks of either under its name: in turn where they
// are of the same kinds.
func (b *builder) beside(of func(b *builder) *page.Section) *page.Section {
	if b.other == nil {
		return of(b)
	}
	models, sections := [2]*builder{b, b.other}, [2]*page.Section{of(b), of(b.other)}
	first := cmp.Or(sections[0], sections[1])
	if first == nil {
		return nil
	}
	for k := range sections {
		sections[k] = cmp.Or(sections[k], new(page.Section))
	}
	texts := [2]string{sections[0].Text, sections[1].Text}
	both := page.Section{ID: first.ID, Title: first.Title, Text: cmp.Or(texts[0], texts[1])}
	apart := texts[0] != texts[1] && texts[0] != "" && texts[1] != "" // each is about one
	if apart {
		both.Text = ""
		for _, s := range sections {
			if s.Blocks == nil {
				s.Blocks = make([]page.Block, 1)
			}
			s.Blocks[0].Text = strings.TrimSpace(s.Text + " " + s.Blocks[0].Text)
		}
	}
	alike := func(a, b page.Block) bool { return a.Title == b.Title }
	aligned := slices.EqualFunc(sections[0].Blocks, sections[1].Blocks, alike)
	add := func(k, i int) {
		block := sections[k].Blocks[i]
		if block.Begins = i == 0; aligned {
			block.Begins = k == 0
		}
		if aligned || i == 0 || block.Title != "" {
			block.Title = strings.TrimSuffix(models[k].Name+": "+block.Title, ": ")
		}
		both.Blocks = append(both.Blocks, block)
	}
	for k, s := range sections {
		for i := range s.Blocks {
			if !aligned {
				add(k, i)
			} else if k == 0 {
				add(0, i)
				add(1, i)
			}
		}
	}
	return &both
}

// comparison is the section on the differences of two models.
func (b *builder) comparison() *page.Section {
	t := &page.Table{Caption: "Differences", Titled: true, Stacked: true, Columns: []page.Column{
		{Name: "metric"}, {Name: b.Name, Number: true}, {Name: b.other.Name, Number: true},
		{Name: "difference", Number: true, Help: b.Name + " less " + b.other.Name}, {Name: "95 % interval", Number: true},
		{Name: "p", Number: true, Help: "chance of such a difference between models that are equally good"},
		{Name: "what it is"},
	}}
	for _, d := range b.Differences {
		cell := page.Cell{Text: decimals(d.Difference)}
		if d.P < 0.05 {
			cell.Shade, cell.Good = page.MaxShade/2, d.Difference > 0 != metrics.IsLoss(d.Metric)
		}
		name, interval, meaning := title(d.Metric), "NA", b.meaningOf(d.Metric, d.A)
		if !math.IsNaN(d.A) {
			meaning = b.other.meaningOf(d.Metric, d.B)
		}
		if d.Method == "delong" {
			name += ", DeLong"
		}
		if !math.IsNaN(d.Lower) {
			interval = decimals(d.Lower) + " to " + decimals(d.Upper)
		}
		t.Rows = append(t.Rows, []page.Cell{{Text: name}, {Text: decimals(d.A)}, {Text: decimals(d.B)}, cell,
			{Text: interval}, {Text: chance(d.P)}, {Text: meaning}})
	}
	s := &page.Section{ID: "comparison", Title: "Two models", Text: fmt.Sprintf("Both models on the same records; "+
		"differences are %s less %s, blue where the first is better beyond chance (p below 0.05), orange where the second "+
		"is.", b.Name, b.other.Name)}
	s.Blocks = []page.Block{{Facts: []page.Fact{
		{Name: b.Name, Value: b.Model.Kernel.String()}, {Name: b.other.Name, Value: b.other.Model.Kernel.String()},
	}}, {Title: "Differences", Table: t}}
	if b.hasErrors() {
		s.Blocks = append(s.Blocks, b.agreement())
	}
	return s
}

// sides are the names of what who returns.
func (b *builder) sides() []string {
	return []string{"both", "only " + b.Name, "only " + b.other.Name, "neither"}
}

// who says which of two models are right on a record.
func (b *builder) who(i int) (side int) {
	if b.assessed[i].wrong {
		side += 2
	}
	if b.other.assessed[i].wrong {
		side++
	}
	return side
}

// agreement is the table of records by which of the models are right.
func (b *builder) agreement() page.Block {
	var n [4]int
	for i := range b.assessed {
		n[b.who(i)]++
	}
	t := &page.Table{Caption: "Who is right", Titled: true, Columns: []page.Column{{Name: "records"},
		{Name: b.other.Name + " right", Number: true}, {Name: b.other.Name + " wrong", Number: true}}}
	for row, name := range []string{b.Name + " right", b.Name + " wrong"} {
		t.Rows = append(t.Rows, []page.Cell{{Text: name}, {Text: thousands(n[2*row])}, {Text: thousands(n[2*row+1])}})
	}
	return page.Block{Title: t.Caption, Table: t, Text: "p of McNemar's exact test: " +
		chance(metrics.McNemar(n[1], n[2]))}
}

// chance writes a p-value.
func chance(p float64) string {
	if p < 0.001 {
		return "<0.001"
	}
	return threeDecimals(p)
}

// otherColumns are what the second model says of the records of the table.
func (b *builder) otherColumns() (columns []page.Values) {
	o := b.other
	if b.hasErrors() && b.Data.Y != nil {
		columns = append(columns, b.classColumn(o.Name, func(i int) int { return o.Predictions[i].Class }))
	}
	if len(o.Predictions[0].Scores) == 1 {
		columns = append(columns, b.numbers("decision of "+o.Name, "", func(i int) float64 { return o.Predictions[i].Scores[0] }))
	}
	if b.hasErrors() {
		right := b.classColumn("right", b.who)
		right.Classes = b.sides()
		columns = append(columns, right)
	}
	return columns
}

// paired are the pictures of two models: curves of one class in one chart, others beside each other on the same axes.
func (b *builder) paired(a, o []figure.Figure) (list []page.Figure) {
	for k := range max(len(a), len(o)) {
		if k < min(len(a), len(o)) {
			first, is := a[k].(figure.Chart)
			second, too := o[k].(figure.Chart)
			same := is && too && first.Title == second.Title
			if same && len(b.Predictions[0].Scores) == 1 && first.XRange == [2]float64{0, 1} {
				first.Layers = append(named(first.Layers, b.Name, 0), named(second.Layers, b.other.Name, 1)...)
				list = append(list, pictureOf(first))
				continue
			}
			if same {
				figure.ShareAxes(&first, &second)
				a[k], o[k] = first, second
			}
		}
		for _, of := range []struct {
			*builder
			panels []figure.Figure
		}{{b, a}, {b.other, o}} {
			if k < len(of.panels) {
				one := pictureOf(of.panels[k])
				one.Title = of.Name
				list = append(list, one)
			}
		}
	}
	return list
}

// named are layers with the name of a model, in colours from another one on.
func named(layers []figure.Layer, name string, series int) []figure.Layer {
	list := make([]figure.Layer, len(layers))
	for k, l := range layers {
		if l.Lower != nil && l.Y == nil {
			l.Name = "" // a band
		} else if l.Name != "" {
			l.Name = name + ": " + l.Name
		}
		l.Series += series
		list[k] = l
	}
	return list
}
