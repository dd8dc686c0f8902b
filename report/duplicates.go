package report

import (
	"fmt"
	"slices"
	"sort"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/report/page"
	"github.com/seqsvm/seqsvm/stringkernel/duplicates"
)

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
		warn("%s are in %s of near-duplicates that folds divide, so the figures may be too good; "+
			"--group near-duplicates keeps them together.", counted(d.Records, "record", "records"),
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
		title := fmt.Sprintf("%d more of %s pairs", min(len(rest), mostDuplicates), thousands(len(pairs)))
		table := b.pairTable(title, rest[:min(len(rest), mostDuplicates)])
		table.Titled = true
		s.Blocks = append(s.Blocks, page.Block{Title: title, Folded: true, Table: table})
	}
	return s
}

// pairTable lists pairs of near-duplicates.
func (b *builder) pairTable(caption string, pairs []duplicates.Pair) *page.Table {
	t := &page.Table{Caption: caption, Columns: []page.Column{
		{Name: "id"}, {Name: "other"}, {Name: "similarity", Number: true, Help: "share of the k-mers of the one that the " +
			"other has"}, {Name: "label"}, {Name: "other label"},
	}}
	if b.Validation != nil {
		t.Columns = append(t.Columns, page.Column{Name: "folds"})
	}
	for _, p := range pairs {
		row := []page.Cell{{Text: b.Corpus.Name(p.I)}, {Text: b.Corpus.Name(p.J)}, {Text: fmt.Sprintf("%.2f", p.Similarity)},
			{Text: b.labelText(p.I)}, {Text: b.labelText(p.J)}}
		if b.hasErrors() && b.Labels[p.I] != b.Labels[p.J] {
			row[3].Shade, row[4].Shade = page.MaxShade/2, page.MaxShade/2
		}
		if v := b.Validation; v != nil {
			row = append(row, page.Cell{Text: fmt.Sprintf("%d, %d", v.Fold[p.I]+1, v.Fold[p.J]+1)})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
