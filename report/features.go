package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/internal/answer"
	"github.com/seqsvm/seqsvm/report/page"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// mostFeatureClasses is the number of classes whose features have a table each; those of more are in one table.
const mostFeatureClasses = 3

// topFeatures is the number of features listed for a class, and against it.
const topFeatures = 10

// features is the section on the strongest features of each class, nil if the kernel has no list.
func (b *builder) features() *page.Section {
	if b.Classifier == nil {
		return nil
	}
	lister := stringkernel.FeatureListerOf(b.Classifier.Scorer)
	if lister == nil {
		return nil
	}
	s := &page.Section{
		ID: "features", Title: "Top features", Text: "What speaks most for and against a class: the weight is what one " +
			"occurrence adds to the score, before it is divided by the norm of the record.",
	}
	rule := &b.Model.Decision
	classes := b.decided()
	lists := make([]strongest, len(classes))
	for k, c := range classes {
		terms, _ := b.Classifier.Terms(c)
		lists[k] = newStrongest(rule.Classes[c], lister.TopFeatures(answer.MixOf(terms, len(rule.Machines)), topFeatures))
	}
	if len(classes) > mostFeatureClasses {
		s.Blocks = []page.Block{{Table: featuresOfAll(lists)}}
		return s
	}
	for _, list := range lists {
		for _, half := range []page.Block{
			{Title: "For " + list.class, Table: featureTable(list.plus)},
			{Title: "Against " + list.class, Table: featureTable(list.minus)},
		} {
			if half.Table != nil {
				half.Table.Caption = half.Title
				s.Blocks = append(s.Blocks, half)
			}
		}
	}
	if s.Blocks == nil {
		return nil
	}
	return s
}

// strongest are the features that speak most for a class, and most against it.
type strongest struct {
	class       string
	plus, minus []stringkernel.Feature
}

func newStrongest(class string, list []stringkernel.Feature) strongest {
	at := slices.IndexFunc(list, func(f stringkernel.Feature) bool { return f.Weight < 0 })
	if at < 0 {
		at = len(list)
	}
	return strongest{class, list[:at], list[at:]}
}

// featuresOfAll lists the features of each class in a row.
func featuresOfAll(lists []strongest) *page.Table {
	t := &page.Table{Caption: "Features of each class, the strongest first", Columns: []page.Column{
		{Name: "class"}, {Name: "for it"}, {Name: "against it"},
	}}
	for _, list := range lists {
		t.Rows = append(t.Rows, []page.Cell{{Text: list.class}, {Text: texts(list.plus)}, {Text: texts(list.minus)}})
	}
	return t
}

// texts lists the texts of features.
func texts(features []stringkernel.Feature) string {
	list := make([]string, len(features))
	for k, f := range features {
		list[k] = stringkernel.Readable(f.Text)
	}
	return strings.Join(list, " · ")
}

// featureTable lists features, shaded by their weights; nil if there are none.
func featureTable(features []stringkernel.Feature) *page.Table {
	if len(features) == 0 {
		return nil
	}
	greatest, supported := math.SmallestNonzeroFloat64, false
	for _, f := range features {
		greatest, supported = max(greatest, math.Abs(f.Weight)), supported || f.Support > 0
	}
	t := &page.Table{Titled: true, Columns: []page.Column{{Name: "feature"}, {Name: "weight", Number: true}}}
	if supported {
		t.Columns = append(t.Columns, page.Column{Name: "support vectors", Number: true, Help: "that have it"})
	}
	for _, f := range features {
		row := []page.Cell{{Text: stringkernel.Readable(f.Text)}, {Text: minus(fmt.Sprintf("%+#.4g", f.Weight)),
			Shade: page.Shade(math.Abs(f.Weight) / greatest), Good: f.Weight > 0}}
		if supported {
			row = append(row, page.Cell{Text: thousands(f.Support)})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
