package input

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/seqio"
)

// ClassesOf finds each label among the model's classes.
func (r *Records) ClassesOf(d *decide.Rule) ([]int, error) {
	number, classes := numbers(d.Classes), make([]int, len(r.Labels))
	for i, label := range r.Labels {
		c, known := number[label]
		if !known {
			hint := ""
			if class, other, what := seqio.SameName(append(slices.Clone(d.Classes), label)); what != "" && other == label {
				hint = fmt.Sprintf("; it is the same %s as class %+.80q: write it like that", what, class)
			}
			return nil, r.Errorf(i, "label %.80q is not a class of the model, which has: %s%s", label,
				cli.ListNames(d.Classes), hint)
		}
		classes[i] = c
	}
	return classes, nil
}

// setsOf finds each record's labels among classes, and adds to these the labels that they lack.
func setsOf(classes []string, lists [][]string) (sets [][]int, all []string) {
	number := numbers(classes)
	sets, all = make([][]int, len(lists)), slices.Clip(classes)
	for i, list := range lists {
		for _, label := range list {
			c, known := number[label]
			if !known {
				c = len(all)
				number[label], all = c, append(all, label)
			}
			sets[i] = append(sets[i], c)
		}
	}
	return sets, all
}

// numbers returns the number of each class. There may be as many classes as records.
func numbers(classes []string) map[string]int {
	number := make(map[string]int, len(classes))
	for c, name := range classes {
		number[name] = c
	}
	return number
}

// Unprintable reports whether a character cannot be in a separator.
func Unprintable(r rune) bool { return unicode.IsControl(r) || r == unicode.ReplacementChar }

// LabelSets returns all labels of each record: the lists of the format, unless --labels replaces them, otherwise the
// parts between separators; none of an empty label or list. A label that a record has more than once counts once. It
// sets the records' labels to these, joined.
func (r *Records) LabelSets(separator string) ([][]string, error) {
	lists := make([][]string, 0, len(r.Labels))
	for _, set := range r.Sets {
		if set.LabelSets != nil && !r.table {
			lists = append(lists, set.LabelSets...)
		} else {
			lists = append(lists, make([][]string, set.Len())...)
		}
	}
	r.Labels = slices.Clone(r.Labels)
	for i, label := range r.Labels {
		switch {
		case lists[i] != nil || strings.TrimSpace(label) == "":
		case separator != "":
			lists[i] = strings.Split(label, separator)
		default: // of a model that another program wrote
			lists[i] = []string{label}
		}
		var kept []string
		for k, name := range lists[i] {
			name = strings.TrimSpace(name)
			switch {
			case name == "":
				return nil, r.Errorf(i, "label %d of %.80q is empty, want labels separated by %q", k+1, label,
					separator)
			case separator != "" && strings.Contains(name, separator):
				return nil, r.Errorf(i, "label %.80q contains the separator %.80q; choose another for --multilabel",
					name,
					separator)
			case !slices.Contains(kept, name):
				kept = append(kept, name)
			}
		}
		lists[i], r.Labels[i] = kept, strings.Join(kept, separator)
	}
	return lists, nil
}

// Truth finds the labels of records among the model's classes, for evaluate to compare predictions with. Where records
// have several labels, those that the model does not know are classes too, which it never predicts: a warning counts
// them.
func (a *Application) Truth(c *cli.Call, data *Records) (*dataset.Dataset, error) {
	rule := &a.Classifier.Rule
	d := &dataset.Dataset{Classes: rule.Classes, Positive: rule.Positive, Hierarchy: rule.Separator}
	switch rule.Labelling() {
	case dataset.LabelSets:
		return a.truthOfSets(c, d, data)
	case dataset.Numbers:
		d, err := dataset.NewTargets(data.Corpus, data.Labels, nil)
		if err == nil {
			d.Quantile = rule.Quantile
		}
		return d, data.Located(err)
	case dataset.Grades:
		var queries []string
		if len(a.Reader.Options.Fields) > 0 {
			queries = data.Field(0)
		}
		d, err := dataset.NewGrades(data.Corpus, data.Labels, queries)
		return d, data.Located(err)
	case dataset.KnownOrNovel:
		return a.truthOfNovelty(c, d, data), nil
	case dataset.OrderedClasses:
		d.Task = dataset.Ordinal
	}
	var err error
	d.Y, err = data.ClassesOf(rule)
	return d, err
}

// truthOfNovelty takes every label that training had not as novel, and says what it takes for what.
func (a *Application) truthOfNovelty(c *cli.Call, d *dataset.Dataset, data *Records) *dataset.Dataset {
	d.Task, d.Known, d.Y = dataset.Novelty, a.Classifier.Known, make([]int, len(data.Labels))
	var labels [2][]string
	for i, label := range data.Labels {
		d.Y[i] = dataset.NoveltyOf(d.Known, label)
		name := cmp.Or(label, "(no label)")
		if list := &labels[d.Y[i]]; !slices.Contains(*list, name) {
			*list = append(*list, name)
		}
	}
	c.Say("seqsvm: known labels: %s; novel: %s", cmp.Or(cli.ListNames(labels[0]), "none"),
		cmp.Or(cli.ListNames(labels[1]), "none"))
	return d
}

func (a *Application) truthOfSets(c *cli.Call, d *dataset.Dataset, data *Records) (*dataset.Dataset, error) {
	rule := &a.Classifier.Rule
	lists, err := data.LabelSets(a.Separator)
	if err != nil {
		return nil, err
	}
	d.LabelSets, d.Classes = setsOf(rule.Classes, lists)
	d.Y = make([]int, len(lists))
	if unknown := d.Classes[len(rule.Classes):]; len(unknown) > 0 {
		c.Warn("labels that are not classes of the model count as missed (%d): %s", len(unknown),
			cli.ListNames(unknown))
	}
	return d, nil
}
