package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
)

// answers are a file of labels, one per record in the order of the records.
type answers struct {
	path string
	form *form
}

// form is how a program or a set writes labels.
type form struct {
	label *regexp.Regexp // its group is the label
	head  int            // matches before the first label
	sign  bool           // labels are signs
}

var (
	plainLines     = &form{label: regexp.MustCompile(`(?m)^(.+)$`)}
	seqsvmClasses  = &form{label: regexp.MustCompile(`(?m)^[^\t\n]*\t([^\t\n]*)`), head: 1}
	signs          = &form{label: regexp.MustCompile(`(?m)^[^\t\n]*\t(-?)`), sign: true} // of gkmpredict
	fastaLabels    = &form{label: regexp.MustCompile(`(?m)^>.* label=(.*)$`)}
	documentLabels = &form{label: regexp.MustCompile(`(?m)^([^\t\n]*)\t`)}
)

// read returns the labels. None is an error.
func (a answers) read() ([]string, error) {
	text, err := os.ReadFile(a.path)
	if err != nil {
		return nil, err
	}
	var labels []string
	for i, match := range a.form.label.FindAllSubmatch(text, -1) {
		switch label := string(match[1]); {
		case i < a.form.head:
		case a.form.sign:
			labels = append(labels, map[string]string{"": "+1", "-": "-1"}[label])
		default:
			labels = append(labels, label)
		}
	}
	if len(labels) == 0 {
		return nil, fmt.Errorf("%s has no labels", a.path)
	}
	return labels, nil
}

// compare returns the share of predictions that are the true labels.
func compare(predictions, truth answers) (float64, error) {
	predicted, err := predictions.read()
	if err != nil {
		return 0, err
	}
	labels, err := truth.read()
	if err != nil {
		return 0, err
	}
	return share(predicted, labels)
}

// share returns the share of predictions that are the labels. "1" is "+1".
func share(predicted, labels []string) (float64, error) {
	if len(predicted) != len(labels) || len(labels) == 0 {
		return 0, fmt.Errorf("%d predictions for %d records", len(predicted), len(labels))
	}
	right := 0
	for i, label := range labels {
		if strings.TrimPrefix(predicted[i], "+") == strings.TrimPrefix(label, "+") {
			right++
		}
	}
	return float64(right) / float64(len(labels)), nil
}
