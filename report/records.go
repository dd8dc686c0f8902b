package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/report/page"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/duplicates"
)

// sortByCount sorts a list by a number, the greatest first.
func sortByCount[T any](list []T, count func(T) int64) {
	slices.SortStableFunc(list, func(a, b T) int { return cmp.Compare(count(b), count(a)) })
}

// records is the table of records.
func (b *builder) records() *page.Records {
	r := &page.Records{Columns: []page.Values{b.texts("id", "", b.Corpus.Name)}}
	add := func(columns ...page.Values) { r.Columns = append(r.Columns, columns...) }
	switch b.labelling {
	case dataset.Numbers:
		add(b.numbers("label", "", func(i int) float64 { return b.Data.Targets[i] }), b.score("predicted", ""),
			b.numbers("error", "predicted less label", func(i int) float64 {
				return b.Predictions[i].Scores[0] - b.Data.Targets[i]
			}))
		if b.Model.Decision.Process != nil {
			add(b.numbers("sd", "standard deviation", func(i int) float64 { return b.Predictions[i].Deviation }))
		}
	case dataset.Grades:
		add(b.numbers("label", "", func(i int) float64 { return b.Data.Targets[i] }), b.score("score", ""))
	case dataset.LabelSets:
		add(b.texts("labels", "", b.labelText), b.texts("predicted", "", b.predictedText), b.outcome(),
			b.numbers("wrong labels", "labels that are missing or too many", func(i int) float64 {
				return -b.assessed[i].margin
			}))
	default:
		add(b.classColumn("label", func(i int) int { return b.Data.Y[i] }),
			b.classColumn("predicted", func(i int) int { return b.Predictions[i].Class }), b.outcome())
		add(b.decisionColumns()...)
	}
	add(b.regionColumns()...)
	if b.other != nil {
		add(b.otherColumns()...)
	}
	if b.Validation != nil {
		add(b.numbers("fold", "in which it was tested", func(i int) float64 { return float64(b.Validation.Fold[i] + 1) }))
	}
	if b.Data.Groups != nil && b.labelling == dataset.Grades {
		add(b.texts("query", "", func(i int) string { return b.Data.Groups[i] }))
	}
	if b.Duplicates != nil && len(b.Duplicates.Pairs) > 0 {
		sizes := b.groupSizes()
		add(b.numbers("copies", "other records in its group of near-duplicates",
			func(i int) float64 { return float64(sizes[b.Duplicates.Of[i]] - 1) }))
	}
	add(b.numbers("letters", "", func(i int) float64 { return float64(len(b.Corpus.Seq(i))) }),
		b.texts("begins", "", func(i int) string { return excerpt(b.Corpus.Seq(i), excerptLetters) }))
	r.Columns[len(r.Columns)-1].Code = b.spans() == nil
	r.Text = counted(b.Corpus.Len(), "record", "records") + "."
	if len(b.listed) < b.Corpus.Len() {
		r.Text = fmt.Sprintf("%s of %s records: those that are predicted worst, and others drawn at random.",
			thousands(len(b.listed)), thousands(b.Corpus.Len()))
	}
	return r
}

// decisionColumns are the scores of classes.
func (b *builder) decisionColumns() []page.Values {
	first := &b.Predictions[0]
	var columns []page.Values
	if len(first.Scores) == 1 {
		help := ""
		if len(b.Data.Classes) == 2 {
			help = fmt.Sprintf("above %s speaks for %s", number(b.Model.Decision.Machines[0].Threshold),
				b.Data.Classes[b.Data.Positive])
		}
		columns = append(columns, b.score("decision", help))
	} else {
		columns = append(columns, b.numbers("decision", "that of the predicted class", func(i int) float64 {
			p := &b.Predictions[i]
			return p.Scores[p.Class]
		}))
	}
	if len(first.Probabilities) > 0 {
		columns = append(columns, b.numbers("probability", "of the true class", func(i int) float64 {
			return b.Predictions[i].Probabilities[b.Data.Y[i]]
		}))
	}
	return append(columns, b.numbers("margin", "how far the decision is on the right side; below 0 on the wrong one",
		func(i int) float64 { return b.assessed[i].margin }))
}

func (b *builder) score(name, help string) page.Values {
	return b.numbers(name, help, func(i int) float64 { return b.Predictions[i].Scores[0] })
}

func (b *builder) outcome() page.Values {
	v := b.classColumn("outcome", func(i int) int {
		if b.assessed[i].wrong {
			return 1
		}
		return 0
	})
	v.Classes, v.Flag = []string{"right", "wrong"}, 1
	return v
}

func (b *builder) texts(name, help string, of func(record int) string) page.Values {
	return page.Values{Name: name, Help: help, Texts: listed(b, of), Flag: -1}
}

func (b *builder) numbers(name, help string, of func(record int) float64) page.Values {
	return page.Values{Name: name, Help: help, Numbers: listed(b, of), Flag: -1}
}

func (b *builder) classColumn(name string, of func(record int) int) page.Values {
	return page.Values{Name: name, Classes: b.Data.Classes, Of: listed(b, of), Flag: -1}
}

// listed returns what of says of the records that are listed.
func listed[T any](b *builder, of func(record int) T) []T {
	values := make([]T, len(b.listed))
	for k, i := range b.listed {
		values[k] = of(i)
	}
	return values
}

// Numbers of letters of a record that are shown: in the table of records, and of an error.
const excerptLetters, errorLetters = 48, 100

// excerpt returns the beginning of a record: at most some letters.
func excerpt(x []byte, most int) string {
	end := len(x)
	if len(x) > most {
		for end = most; end > most-utf8.UTFMax && !utf8.RuneStart(x[end]); {
			end--
		}
	}
	text := strings.Join(strings.Fields(string(x[:end])), " ")
	if !utf8.ValidString(text) {
		text = stringkernel.Readable(text)
	}
	if end < len(x) {
		text += "…"
	}
	return text
}

// mostErrors is the number of errors listed.
const mostErrors = 20

// errors is the section on the predictions that are furthest from right, nil where none is wrong.
func (b *builder) errors() *page.Section {
	list := b.wrongest()
	if b.hasErrors() && len(list) == 0 || math.IsNaN(b.assessed[0].margin) {
		return nil
	}
	s := &page.Section{ID: "errors", Title: "Most confident errors", Text: fmt.Sprintf("%s of %s records are predicted "+
		"wrongly; those that the model is surest of come first. Labels may be wrong too: look at the record.",
		thousands(len(list)), thousands(len(b.Predictions)))}
	numbers := b.labelling == dataset.Numbers
	margin := page.Column{Name: "margin", Number: true, Help: "how far the decision is on the wrong side"}
	switch b.labelling {
	case dataset.Numbers:
		s.Title, s.Text = "Greatest errors", "The records whose prediction is furthest from the label."
		margin = page.Column{Name: "error", Number: true}
	case dataset.LabelSets:
		s.Title = "Worst errors"
		margin = page.Column{Name: "wrong labels", Number: true, Help: "labels that are missing or too many"}
	}
	t := &page.Table{Caption: s.Title, Titled: true, Stacked: true, Columns: []page.Column{
		{Name: "id"}, {Name: "label", Number: numbers}, {Name: "predicted", Number: numbers}, margin,
		{Name: "begins", Code: b.spans() == nil},
	}}
	list = list[:min(len(list), mostErrors)]
	values := make([]float64, len(list))
	for k, i := range list {
		values[k] = b.assessed[i].margin
		if numbers || b.labelling == dataset.LabelSets {
			values[k] = math.Abs(values[k])
		}
	}
	shown := page.Decimals(values)
	for k, i := range list {
		predicted := b.predictedText(i)
		if numbers {
			predicted = places(b.Predictions[i].Scores[0], shown)
		}
		t.Rows = append(t.Rows, []page.Cell{{Text: b.Corpus.Name(i)}, {Text: b.labelText(i)}, {Text: predicted},
			{Text: places(values[k], shown)}, {Text: excerpt(b.Corpus.Seq(i), errorLetters)}})
	}
	s.Blocks = []page.Block{{Table: t}}
	return s
}

// groupSizes returns the size of the group of each first record.
func (b *builder) groupSizes() map[int]int {
	sizes := map[int]int{}
	for _, first := range b.Duplicates.Of {
		sizes[first]++
	}
	return sizes
}

// warnDivided warns of near-duplicates that folds divide.
func (b *builder) warnDivided(warn func(format string, args ...any)) {
	if b.Duplicates == nil || b.Validation == nil {
		return
	}
	if d := b.Duplicates.DividedBy(b.Validation.Fold); d.Groups > 0 {
		warn("%s are in %s of near-duplicates that folds divide, so the figures may be too good, or too bad where "+
			"labels differ; --group near-duplicates keeps them together.", counted(d.Records, "record", "records"),
			counted(d.Groups, "group", "groups"))
	}
}

// Numbers of pairs that are listed, and that are listed on demand.
const firstDuplicates, mostDuplicates = 10, 200

// duplicates is the section on near-duplicates and on records that the model was trained on.
func (b *builder) duplicates() *page.Section {
	s := &page.Section{ID: "leakage", Title: "Near-duplicates and leakage"}
	switch {
	case b.Validation != nil:
	case b.Known != "":
		s.Text = capital(b.Known) + " of these data are in the model's training data. "
	case b.Model.Sketch == nil:
		s.Text = "The model has no sketch of its training data: whether records were among them is not known. "
	default:
		s.Text = "By the model's sketch of its training data, none of these records were among them. "
	}
	if b.Duplicates == nil {
		s.Text += "Near-duplicates were not looked for."
		return s
	}
	records := 0
	for first, size := range b.groupSizes() {
		if size > 1 && first >= 0 {
			records += size
		}
	}
	if records == 0 {
		s.Text += "No two records are near-duplicates."
		return s
	}
	s.Text += fmt.Sprintf("%s of %s records have a near-duplicate among the others.", thousands(records),
		thousands(b.Corpus.Len()))
	pairs := slices.Clone(b.Duplicates.Pairs)
	conflicts := 0
	for _, p := range pairs {
		if b.Labels[p.I] != b.Labels[p.J] {
			conflicts++
		}
	}
	classes := b.hasErrors() && b.labelling != dataset.KnownOrNovel
	if conflicts > 0 && classes {
		s.Text += fmt.Sprintf(" %s have labels that differ; they come first.", counted(conflicts, "pair", "pairs"))
		differ := func(p duplicates.Pair) bool { return b.Labels[p.I] != b.Labels[p.J] }
		sort.SliceStable(pairs, func(i, j int) bool { return differ(pairs[i]) && !differ(pairs[j]) })
	}
	first := min(len(pairs), firstDuplicates)
	s.Blocks = []page.Block{{Table: b.pairTable("Pairs of near-duplicates", pairs[:first])}}
	if rest := pairs[first:]; len(rest) > 0 {
		listed := rest[:min(len(rest), mostDuplicates)]
		block := page.Block{Folded: true, Title: fmt.Sprintf("%d more of %s pairs", len(listed), thousands(len(pairs)))}
		if left := len(rest) - len(listed); left > 0 {
			block.Text = thousands(left) + " further pairs are not on this page: cv --near-duplicates FILE lists all."
		}
		block.Table = b.pairTable(block.Title, listed)
		block.Table.Titled = true
		s.Blocks = append(s.Blocks, block)
	}
	return s
}

// pairTable lists pairs of near-duplicates.
func (b *builder) pairTable(caption string, pairs []duplicates.Pair) *page.Table {
	t := &page.Table{Caption: caption, Stacked: true, Columns: []page.Column{
		{Name: "id"}, {Name: "other"}, {Name: "label"}, {Name: "other label"},
	}}
	if b.Validation != nil {
		t.Columns = append(t.Columns, page.Column{Name: "folds"})
	}
	t.Columns = append(t.Columns, page.Column{
		Name: "similarity", Number: true, Help: "share of the k-mers of the one that the other has",
	})
	for _, p := range pairs {
		row := []page.Cell{{Text: b.Corpus.Name(p.I)}, {Text: b.Corpus.Name(p.J)}, {Text: b.labelText(p.I)},
			{Text: b.labelText(p.J)}}
		if b.hasErrors() && b.Labels[p.I] != b.Labels[p.J] {
			row[2].Shade, row[3].Shade = page.MaxShade/2, page.MaxShade/2
		}
		if v := b.Validation; v != nil {
			row = append(row, page.Cell{Text: fmt.Sprintf("%d, %d", v.Fold[p.I]+1, v.Fold[p.J]+1)})
		}
		t.Rows = append(t.Rows, append(row, page.Cell{Text: fmt.Sprintf("%.2f", p.Similarity)}))
	}
	return t
}
