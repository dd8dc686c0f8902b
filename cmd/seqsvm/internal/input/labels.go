package input

import (
	"slices"
	"strings"
	"unicode"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
)

// ClassesOf finds each label among the model's classes.
func (r *Records) ClassesOf(d *classify.Rule) ([]int, error) {
	lists := make([][]string, len(r.Labels))
	for i := range lists {
		lists[i] = r.Labels[i : i+1]
	}
	sets, err := r.setsOf(d, lists)
	return slices.Concat(sets...), err
}

// setsOf finds each record's labels among the model's classes. There may be as many classes as records.
func (r *Records) setsOf(d *classify.Rule, lists [][]string) ([][]int, error) {
	number := make(map[string]int, len(d.Classes))
	for c, name := range d.Classes {
		number[name] = c
	}
	sets := make([][]int, len(lists))
	for i, list := range lists {
		for _, label := range list {
			c, known := number[label]
			if !known {
				return nil, r.Errorf(i, "label %.80q is not a class of the model, which has: %s", label,
					cli.ListNames(d.Classes))
			}
			sets[i] = append(sets[i], c)
		}
	}
	return sets, nil
}

// Unprintable reports whether a character cannot be in a separator.
func Unprintable(r rune) bool { return unicode.IsControl(r) || r == unicode.ReplacementChar }

// LabelSets returns all labels of each record: the lists of the format, unless --labels replaces them, otherwise the
// parts between separators. It sets the records' labels to these, joined.
func (r *Records) LabelSets(separator string) ([][]string, error) {
	lists := make([][]string, 0, len(r.Labels))
	for _, set := range r.Sets {
		if set.LabelSets != nil && !r.table {
			lists = append(lists, set.LabelSets...)
		} else {
			lists = append(lists, make([][]string, set.Len())...)
		}
	}
	for i, label := range r.Labels {
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
				return nil, r.Errorf(i, "label %d of %.80q is empty, want labels separated by %q", k+1, label,
					separator)
			case separator != "" && strings.Contains(name, separator):
				return nil, r.Errorf(i, "label %.80q contains the separator %.80q; choose another for --multilabel", name,
					separator)
			case seen[name]:
				return nil, r.Errorf(i, "label %.80q occurs twice", name)
			}
			lists[i][k], seen[name] = name, true
		}
		r.Labels[i] = strings.Join(lists[i], separator)
	}
	return lists, nil
}

// Truth finds the labels of records among the model's classes, for evaluate to compare predictions with.
func (a *Application) Truth(data *Records) (*classify.Dataset, error) {
	rule := &a.Classifier.Rule
	d := &classify.Dataset{Classes: rule.Classes, Positive: rule.Positive, Hierarchy: rule.Separator}
	if rule.Labelling() != classify.LabelSets {
		var err error
		d.Y, err = data.ClassesOf(rule)
		return d, err
	}
	lists, err := data.LabelSets(a.Separator)
	if err != nil {
		return nil, err
	}
	d.LabelSets, err = data.setsOf(rule, lists)
	return d, err
}
