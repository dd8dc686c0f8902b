package main

import (
	"slices"
	"strings"
	"unicode"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
)

// shortNames are the names of --multiclass for schemes of the library.
var shortNames = map[string]string{"auto": "", "ovr": classify.OneVsRest, "ovo": classify.OneVsOne}

// multiclassNames lists the values of --multiclass.
func multiclassNames() []string {
	names := []string{"auto", "ovr", "ovo"}
	for _, name := range classify.MulticlassNames() {
		if name != classify.OneVsRest && name != classify.OneVsOne {
			names = append(names, name)
		}
	}
	return names
}

// settleScheme chooses the scheme of --multiclass auto. On words Crammer and Singer's scheme classifies better than
// one-vs-rest, see benchmarks/README.md; on spectra of sequences it does not, and takes longer. A mean of kernels or
// rbf may have no feature rows or many more.
func (o *learningOptions) settleScheme(t *classify.Trainer, spec catalog.Spec) {
	if o.multiclass != "auto" {
		return
	}
	words := len(spec.Terms) == 1 && spec.Terms[0].Name == "words" && spec.Terms[0].RBF == 0
	joint := *t
	joint.Multiclass = classify.CrammerSinger
	if t.Multiclass = classify.OneVsRest; words && o.multilabel == "" && joint.CheckOptions() == nil {
		t.Multiclass = classify.CrammerSinger
	}
}

// certificates returns one machine per problem that was solved. Machines that Crammer and Singer's scheme trains
// together, of all classes or of the children of a node, are consecutive and have the same certificate.
func (e *experiment) certificates(trained *classify.Model) []classify.Binary {
	if e.trainer.Multiclass != classify.CrammerSinger {
		return trained.Machines
	}
	return slices.CompactFunc(slices.Clone(trained.Machines), func(a, b classify.Binary) bool {
		return a.Negative == classify.Rest && b.Negative == classify.Rest && a.Primal == b.Primal &&
			a.Dual == b.Dual && a.Gap == b.Gap && a.Iterations == b.Iterations
	})
}

// checkLabels names the options that exclude several labels per record, or a hierarchy of labels.
func (o *learningOptions) checkLabels(c *cli.Call, t classify.Trainer) error {
	name, separator, around, schemes := "multilabel", o.multilabel, " around it", "ovr"
	labels, blank := classify.LabelSets, strings.TrimSpace(separator) != separator
	if o.hierarchy != "" {
		name, separator, around, schemes = "hierarchy", o.hierarchy, "", "ovr or crammer-singer"
		labels, blank = classify.LabelPaths, strings.ContainsFunc(separator, unicode.IsSpace)
	}
	if separator == "" {
		return nil
	}
	if blank || strings.ContainsFunc(separator, input.Unprintable) {
		return cli.Usagef("--%s %q, want a separator without white space%s or control characters", name, separator,
			around)
	}
	if err := c.Refuse("--"+name, "probability", "positive", "pos", "neg"); err != nil {
		return err
	}
	if o.multilabel != "" && o.hierarchy != "" {
		return cli.Usagef("--multilabel cannot be used with --hierarchy")
	}
	if t.CheckLabels(labels) != nil {
		return cli.Usagef("--%s has --multiclass %s only", name, schemes)
	}
	return nil
}
