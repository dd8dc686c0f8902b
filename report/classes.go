package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/report/page"
)

// mostClasses is the number of classes of a confusion matrix that is shown whole.
const mostClasses = 20

// classes is the section on each class, nil without classes.
func (b *builder) classes() *page.Section {
	r := &b.Measured
	s := &page.Section{ID: "classes", Title: "Classes"}
	columns := []page.Column{
		{Name: "class"}, {Name: "records", Number: true},
		{Name: "precision", Number: true, Help: "share of the records predicted so that are of the class"},
		{Name: "recall", Number: true, Help: "share of the records of the class that are predicted so"},
		{Name: "F1", Number: true, Help: "harmonic mean of precision and recall"},
	}
	t := &page.Table{Caption: "Figures of each class", Stacked: true, Columns: columns}
	switch {
	case r.Labels != nil:
		t.Columns = append(t.Columns, page.Column{
			Name: "break-even", Number: true, Help: "precision where it equals recall",
		})
		for _, c := range r.LabelFigures() {
			row := classRow(c.Class, c.N, c.Ratios, c.ClassInterval)
			t.Rows = append(t.Rows, append(row, page.Cell{Text: decimals(float64(c.BreakEven))}))
		}
		s.Blocks = []page.Block{{Table: t}}
	case r.Classes != nil:
		for _, c := range r.PerClass() {
			t.Rows = append(t.Rows, classRow(c.Class, int(c.N), c.Ratios, c.ClassInterval))
		}
		s.Blocks = []page.Block{{Table: t}, b.confusion()}
	default:
		return nil
	}
	var remarks []string
	if b.Validation != nil {
		remarks = append(remarks, "Records of all folds together.")
	}
	if r.ClassIntervals != nil {
		remarks = append(remarks, "Small figures are 95 % intervals.")
	}
	s.Text = strings.Join(remarks, " ")
	return s
}

// classRow is a class with its number of records, and its figures with their intervals.
func classRow(class string, n int, of metrics.Ratios, interval *metrics.ClassInterval) []page.Cell {
	row := []page.Cell{{Text: class}, {Text: thousands(n)}}
	for k, value := range of.List() {
		cell := page.Cell{Text: decimals(float64(value))}
		if interval != nil {
			cell.Note = intervalNote(float64(interval.Lower.List()[k]), float64(interval.Upper.List()[k]))
		}
		row = append(row, cell)
	}
	return row
}

// intervalNote is an interval in words, nothing where it is a point, which says nothing: all samples of a rare class
// agree.
func intervalNote(lower, upper float64) string {
	if !(lower < upper) {
		return ""
	}
	return fmt.Sprintf("%s to %s", decimals(lower), decimals(upper))
}

// confusion is the confusion matrix or, of many classes, the pairs that are confused most.
func (b *builder) confusion() page.Block {
	if len(b.Measured.Classes) > mostClasses {
		return b.confusedPairs()
	}
	r := &b.Measured
	t := &page.Table{Caption: "Confusion matrix: true in rows, predicted in columns",
		Columns: []page.Column{{Name: "true"}}}
	support := r.Confusion.Support()
	for truth, name := range r.Classes {
		t.Columns = append(t.Columns, page.Column{Name: name, Number: true})
		row := []page.Cell{{Text: name}}
		for predicted := range r.Classes {
			n := r.Confusion.At(truth, predicted)
			cell := page.Cell{Text: thousands(int(n)), Good: truth == predicted}
			if n > 0 {
				cell.Shade = page.Shade(float64(n) / float64(support[truth]))
			}
			row = append(row, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	return page.Block{Table: t}
}

// mostPairs is the number of confused pairs listed.
const mostPairs = 20

// confusedPairs lists the pairs of classes that are confused most.
func (b *builder) confusedPairs() page.Block {
	r := &b.Measured
	t := &page.Table{Caption: "Most frequent confusions", Columns: []page.Column{
		{Name: "true"}, {Name: "predicted"}, {Name: "records", Number: true}, {Name: "of the class", Number: true},
	}}
	support := r.Confusion.Support()
	type pair struct{ truth, predicted int }
	var pairs []pair
	for truth := range r.Classes {
		for predicted := range r.Classes {
			if truth != predicted && r.Confusion.At(truth, predicted) > 0 {
				pairs = append(pairs, pair{truth, predicted})
			}
		}
	}
	sortByCount(pairs, func(p pair) int64 { return r.Confusion.At(p.truth, p.predicted) })
	for _, p := range pairs[:min(len(pairs), mostPairs)] {
		n := r.Confusion.At(p.truth, p.predicted)
		t.Rows = append(t.Rows, []page.Cell{{Text: r.Classes[p.truth]}, {Text: r.Classes[p.predicted]},
			{Text: strconv.FormatInt(n, 10)}, {Text: fmt.Sprintf("%.1f %%", 100*float64(n)/float64(support[p.truth]))}})
	}
	return page.Block{Table: t}
}

// regions is the section on the sets of classes or the intervals that predictions do not exclude, nil without them.
func (b *builder) regions() *page.Section {
	r := b.Measured.Regions
	if r == nil {
		return nil
	}
	confidence := b.Classifier.Confidence()
	s := &page.Section{ID: "regions", Title: "Sets of classes"}
	t := &page.Table{Caption: "Sets of classes", Titled: true, Stacked: true, Columns: []page.Column{
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
	t := &page.Table{Caption: s.Title, Titled: true, Stacked: true, Columns: []page.Column{
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
