package answer

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/internal/table"
)

// Columns are the columns of predictions in a table, after those that name the record.
func Columns(classifier *decide.Classifier) []string {
	d := &classifier.Rule
	columns := []string{"class", "decision"}
	switch {
	case d.Labelling() == dataset.LabelSets:
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

// CellsOf returns a function that adds the cells of Columns to a row of a table. Labels of a record are separated by
// separator, by | if it is empty.
func CellsOf(d *decide.Rule, separator string) func(*table.Table, *decide.Prediction) {
	switch {
	case d.Labelling() == dataset.LabelSets:
		return func(t *table.Table, p *decide.Prediction) { labelCells(t, d, separator, p) }
	case d.Process != nil:
		return func(t *table.Table, p *decide.Prediction) { t.Number(p.Scores[0], p.Deviation) }
	case hasValues(d):
		return numberCells
	}
	return func(t *table.Table, p *decide.Prediction) { classCells(t, d, p) }
}

func hasValues(d *decide.Rule) bool {
	l := d.Labelling()
	return l == dataset.Numbers || l == dataset.Grades
}

func numberCells(t *table.Table, p *decide.Prediction) {
	t.Number(p.Scores[0])
	if r := p.Region; r != nil {
		t.Number(r.Lower, r.Upper)
	}
}

func labelCells(t *table.Table, d *decide.Rule, separator string, p *decide.Prediction) {
	decisions := make([]string, len(p.Labels))
	for k, label := range p.Labels {
		decisions[k] = string(t.AppendNumber(nil, p.Scores[label]))
	}
	t.Text(strings.Join(ClassNames(d.Classes, p.Labels), cmp.Or(separator, "|")))
	t.Text(strings.Join(decisions, decisionSeparator(separator)))
}

func classCells(t *table.Table, d *decide.Rule, p *decide.Prediction) {
	t.Text(d.Classes[p.Class])
	t.Number(Decision(*p))
	if p.Probabilities != nil {
		t.Number(p.Probabilities[Reported(d, *p)])
	}
	if r := p.Region; r != nil {
		t.Text(strings.Join(ClassNames(d.Classes, r.Classes), "|"))
		t.Text(strconv.FormatBool(r.Abstains()))
	}
}

// decisionSeparator separates decision values: it is the separator of labels, but | where that may be part of a
// number or is empty.
func decisionSeparator(separator string) string {
	if strings.Trim(separator, "+-.0123456789eEInfNa") == "" {
		return "|"
	}
	return separator
}
