package report

import (
	"fmt"

	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/report/page"
)

// regions is the section on the sets of classes or the intervals that predictions do not exclude, nil without them.
func (b *builder) regions() *page.Section {
	r := b.Measured.Regions
	if r == nil {
		return nil
	}
	confidence := b.Classifier.Confidence()
	s := &page.Section{ID: "regions", Title: "Sets of classes"}
	t := &page.Table{Caption: "Sets of classes", Titled: true, Columns: []page.Column{
		{Name: "class"}, {Name: "records", Number: true},
		{Name: "coverage", Number: true, Help: "share of the records whose set holds the right class"},
		{Name: "mean size", Number: true, Help: "classes in a set"},
	}}
	if r.Abstained == nil {
		s.Title, t.Columns[0].Name = "Intervals", "interval"
		t.Columns[3].Name, t.Columns[3].Help = "mean width", ""
		t.Caption, t.Columns[2].Help = s.Title, "share of the records whose interval holds the number"
		s.Text = fmt.Sprintf("Of records like those of training, %.4g %% have a number within their interval.",
			100*confidence)
	} else {
		s.Text = fmt.Sprintf("A set leaves out what a record is unlike. Of records like those of training, the sets of "+
			"%.4g %% hold the right class, within each class. Here %.4g %% of the sets have not exactly one class: the model "+
			"cannot tell.", 100*confidence, 100*float64(*r.Abstained))
	}
	all := "all"
	if r.Abstained == nil {
		all = fmt.Sprintf("%.4g %%", 100*confidence)
	}
	t.Rows = append(t.Rows, regionRow(all, len(b.Predictions), r.Coverage, r.Size))
	if r.Abstained != nil {
		for _, c := range r.Classes {
			t.Rows = append(t.Rows, regionRow(c.Class, c.N, c.Coverage, c.Size))
		}
	}
	s.Blocks = []page.Block{{Table: t}}
	return s
}

func regionRow(class string, n int, coverage, size metrics.Float) []page.Cell {
	return []page.Cell{
		{Text: class}, {Text: thousands(n)}, {Text: decimals(float64(coverage))}, {Text: decimals(float64(size))},
	}
}

// regionColumns are those of the table of records: sets of classes, or the ends of intervals.
func (b *builder) regionColumns() []page.Values {
	switch r := b.Measured.Regions; {
	case r == nil:
		return nil
	case r.Abstained == nil:
		return []page.Values{
			b.numbers("lower", "end of the interval", func(i int) float64 { return b.Predictions[i].Region.Lower }),
			b.numbers("upper", "end of the interval", func(i int) float64 { return b.Predictions[i].Region.Upper }),
		}
	}
	return []page.Values{b.texts("set", "classes that are not excluded", func(i int) string {
		if classes := b.Predictions[i].Region.Classes; len(classes) > 0 {
			return b.joined(classes)
		}
		return "(none)"
	})}
}

// shifts is the section on how the records differ from those of training, nil where the model does not know those, or
// the records are they.
func (b *builder) shifts() *page.Section {
	profile := b.Model.Drift
	if profile == nil || b.Validation != nil {
		return nil
	}
	sample := profile.NewSample()
	for i := range b.Corpus.Len() {
		sample.Add(b.Corpus.Seq(i))
	}
	s := &page.Section{ID: "shifts", Title: "Compared with training",
		Text: "Lengths, letters and k-mers are distributed as in the training data, as far as these records tell."}
	t := &page.Table{Caption: s.Title, Titled: true, Columns: []page.Column{
		{Name: "what"}, {Name: "where it differs most"}, {Name: "records here", Number: true},
		{Name: "in training", Number: true},
	}}
	for _, shift := range sample.Shifts() {
		relation := "at most"
		if shift.Less {
			relation = "below"
		}
		t.Rows = append(t.Rows, []page.Cell{
			{Text: shift.Feature}, {Text: fmt.Sprintf("%s %.4g", relation, shift.Value)},
			{Text: fmt.Sprintf("%.1f %%", 100*shift.Here)}, {Text: fmt.Sprintf("%.1f %%", 100*shift.Trained)},
		})
	}
	if t.Rows != nil {
		s.Text = "These distributions are not those of the training data, so that thresholds, probabilities and error " +
			"rates may not hold. Each row compares the shares of records on one side of a value."
		s.Blocks = []page.Block{{Table: t}}
	}
	return s
}
