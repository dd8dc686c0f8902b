package answer

import (
	"cmp"
	"strings"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/internal/table"
)

// Columns are the columns of predictions in a table, after those that name the record.
func Columns(classifier *classify.Classifier) []string {
	d := &classifier.Rule
	columns := []string{"class", "decision"}
	switch {
	case d.Labelling() == classify.LabelSets:
		columns = []string{"classes", "decisions"}
	case d.Process != nil:
		columns = []string{d.Classes[0], "sd"}
	case hasValues(d):
		columns = []string{d.Classes[0]}
	case d.Machines[0].Sigmoid != nil:
		columns = append(columns, "probability")
	}
	switch {
	case !classifier.HasRegions():
	case hasValues(d):
		columns = append(columns, "lower", "upper")
	default:
		columns = append(columns, "set", "abstain")
	}
	return columns
}

// CellsOf returns a function that makes the cells of Columns from a prediction. Labels of a record are separated by
// separator, by | if it is empty.
func CellsOf(t *table.Table, d *classify.Rule, separator string) func(classify.Prediction) []any {
	switch {
	case d.Labelling() == classify.LabelSets:
		return func(p classify.Prediction) []any { return labelCells(t, d, separator, p) }
	case d.Process != nil, hasValues(d):
		return func(p classify.Prediction) []any { return numberCells(d, p) }
	}
	return func(p classify.Prediction) []any { return classCells(d, p) }
}

func hasValues(d *classify.Rule) bool {
	l := d.Labelling()
	return l == classify.Numbers || l == classify.Grades
}

func numberCells(d *classify.Rule, p classify.Prediction) []any {
	if d.Process != nil {
		return []any{p.Scores[0], p.Deviation}
	}
	cells := []any{p.Scores[0]}
	if p.Region != nil {
		cells = append(cells, p.Region.Lower, p.Region.Upper)
	}
	return cells
}

func labelCells(t *table.Table, d *classify.Rule, separator string, p classify.Prediction) []any {
	decisions := make([]string, len(p.Labels))
	for k, label := range p.Labels {
		decisions[k] = string(t.AppendNumber(nil, p.Scores[label]))
	}
	return []any{
		strings.Join(ClassNames(d.Classes, p.Labels), cmp.Or(separator, "|")),
		strings.Join(decisions, decisionSeparator(separator)),
	}
}

func classCells(d *classify.Rule, p classify.Prediction) []any {
	cells := []any{d.Classes[p.Class], Decision(p)}
	if p.Probabilities != nil {
		cells = append(cells, p.Probabilities[Reported(d, p)])
	}
	if r := p.Region; r != nil {
		cells = append(cells, strings.Join(ClassNames(d.Classes, r.Classes), "|"), r.Abstains())
	}
	return cells
}

// decisionSeparator separates decision values: it is the separator of labels, but | where that may be part of a
// number or is empty.
func decisionSeparator(separator string) string {
	if strings.Trim(separator, "+-.0123456789eEInfNa") == "" {
		return "|"
	}
	return separator
}
