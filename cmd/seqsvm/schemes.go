package main

import (
	"strings"
	"unicode"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
)

// shortNames are the names of --multiclass for schemes of the library.
var shortNames = map[string]string{"auto": "", "ovr": decide.OneVsRest, "ovo": decide.OneVsOne}

// multiclassNames lists the values of --multiclass.
func multiclassNames() []string {
	names := []string{"auto", "ovr", "ovo"}
	for _, name := range decide.SchemesFor(dataset.ManyClasses) {
		if name != decide.OneVsRest && name != decide.OneVsOne {
			names = append(names, name)
		}
	}
	return names
}

// checkLabels names the options that exclude several labels per record, or a hierarchy of labels.
func (o *learningOptions) checkLabels(c *cli.Call, t classify.Trainer) error {
	name, separator, around, schemes := "multilabel", o.multilabel, " around it", "ovr"
	labels, blank := dataset.LabelSets, strings.TrimSpace(separator) != separator
	if o.hierarchy != "" {
		name, separator, around, schemes = "hierarchy", o.hierarchy, "", "ovr or crammer-singer"
		labels, blank = dataset.LabelPaths, strings.ContainsFunc(separator, unicode.IsSpace)
	}
	if o.multilabel == "" && c.Given("thresholds") {
		return cli.Usagef("--thresholds without --multilabel: it is for records with several labels")
	}
	if separator == "" {
		return nil
	}
	if blank || strings.ContainsFunc(separator, input.Unprintable) {
		return cli.Usagef("--%s %q, want a separator without white space%s or control characters", name, separator,
			around)
	}
	if err := c.Refuse("--"+name, "probability", "threshold", "positive", "pos", "neg"); err != nil {
		return err
	}
	if o.multilabel != "" && o.hierarchy != "" {
		return cli.Usagef("--multilabel cannot be used with --hierarchy")
	}
	if t.CheckLabels(labels) != nil {
		return cli.Usagef("--%s needs --multiclass %s", name, schemes)
	}
	return nil
}
