package main

import (
	"cmp"
	"encoding/json"
	"io"
	"strings"
	"unicode"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// checkMultilabel names the options that exclude several labels per record.
func checkMultilabel(c *cli.Call, separator string, t classify.Trainer) error {
	switch {
	case separator == "":
		return nil
	case strings.ContainsFunc(separator, unprintable) || strings.TrimSpace(separator) != separator:
		return cli.Usagef("--multilabel %q, want a separator without white space around it or control characters", separator)
	case t.Multiclass == classify.OneVsOne || t.Multiclass == classify.CrammerSinger:
		return cli.Usagef("--multilabel has --multiclass ovr only")
	}
	return c.Refuse("--multilabel", "probability", "positive", "pos", "neg")
}

// unprintable reports whether a letter cannot be a part of a separator.
func unprintable(r rune) bool { return unicode.IsControl(r) || r == unicode.ReplacementChar }

// labelSets returns all labels of each record: the lists that the format has, unless --labels replaces them,
// otherwise what is between separators. It sets the records' labels to those, joined.
func (r *records) labelSets(separator string) ([][]string, error) {
	lists := make([][]string, 0, len(r.labels))
	for _, set := range r.sets {
		for i := range set.Len() {
			var list []string
			if set.LabelSets != nil && !r.table {
				list = set.LabelSets[i]
			}
			lists = append(lists, list)
		}
	}
	for i, label := range r.labels {
		if lists[i] == nil && separator != "" {
			lists[i] = strings.Split(label, separator)
		} else if lists[i] == nil { // of a model that another program wrote
			lists[i] = []string{label}
		}
		seen := make(map[string]bool, len(lists[i]))
		for k, name := range lists[i] {
			name = strings.TrimSpace(name)
			switch {
			case name == "":
				return nil, r.errorf(i, "label %d of %.80q is empty, want labels with %q between them", k+1, label, separator)
			case separator != "" && strings.Contains(name, separator):
				return nil, r.errorf(i, "label %.80q contains the separator %q; choose another for --multilabel", name, separator)
			case seen[name]:
				return nil, r.errorf(i, "label %.80q occurs twice", name)
			}
			lists[i][k], seen[name] = name, true
		}
		r.labels[i] = strings.Join(lists[i], separator)
	}
	return lists, nil
}

// setsOf finds each record's labels among the model's classes.
func (r *records) setsOf(d *classify.Rule, separator string) ([][]int, error) {
	lists, err := r.labelSets(separator)
	if err != nil {
		return nil, err
	}
	sets, number := make([][]int, len(lists)), classNumbers(d)
	for i, list := range lists {
		for _, label := range list {
			c, known := number[label]
			if !known {
				return nil, r.noClass(i, label, d)
			}
			sets[i] = append(sets[i], c)
		}
	}
	return sets, nil
}

// labelsJSON is one line of predict --format json of several labels per record.
type labelsJSON struct {
	ID      string             `json:"id"`
	Classes []string           `json:"classes"`
	Scores  map[string]float64 `json:"scores"`
}

// decisionSeparator separates decision values: it is the separator of labels, but | where that may be part of a
// number or is empty.
func decisionSeparator(separator string) string {
	if strings.Trim(separator, "+-.0123456789eEInfNa") == "" {
		return "|"
	}
	return separator
}

// writeLabelRows writes the classes of each record, in the order of the model, and their decision values.
func writeLabelRows(w io.Writer, format string, d *classify.Rule, separator string, c *stringkernel.Corpus,
	predictions []classify.Prediction) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for i, p := range predictions {
		classes, decisions := []string{}, []string{}
		for _, label := range p.Labels {
			classes, decisions = append(classes, d.Classes[label]), append(decisions, cli.Number(p.Scores[label]))
		}
		if format != cli.JSON {
			if err := cli.Row(w, c.Name(i), strings.Join(classes, cmp.Or(separator, "|")),
				strings.Join(decisions, decisionSeparator(separator))); err != nil {
				return err
			}
			continue
		}
		out := labelsJSON{ID: c.Name(i), Classes: classes, Scores: map[string]float64{}}
		for label, score := range p.Scores {
			out.Scores[d.Classes[label]] = score
		}
		if err := e.Encode(out); err != nil {
			return err
		}
	}
	return nil
}

// labelOf returns the label of a record, or all of them.
func labelOf(d *classify.Dataset, separator string, i int) string {
	if d.LabelSets == nil {
		return d.Classes[d.Y[i]]
	}
	var names []string
	for _, c := range d.LabelSets[i] {
		names = append(names, d.Classes[c])
	}
	return strings.Join(names, separator)
}
