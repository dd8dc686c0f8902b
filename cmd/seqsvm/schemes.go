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

// shortNames are names of schemes that --multiclass has for those of the library.
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

// defaultScheme is what --multiclass auto means. On words Crammer and Singer's scheme classifies better than one
// against the rest, see benchmarks/README.md; on spectra of sequences it does not, and takes longer. A sum of kernels
// or rbf may have no feature rows or many more.
func defaultScheme(t classify.Trainer, spec catalog.Spec, multilabel bool) string {
	words := len(spec.Terms) == 1 && spec.Terms[0].Name == "words" && spec.Terms[0].RBF == 0
	joint := t
	joint.Multiclass = classify.CrammerSinger
	if multilabel {
		return classify.OneVsRest
	}
	if words && joint.CheckOptions() == nil {
		return classify.CrammerSinger
	}
	return classify.OneVsRest
}

// certificates returns a machine for every problem that was solved. Those that Crammer and Singer's scheme trains as
// one, of all classes or of the children of a node, follow one another, and each has the certificate of the whole.
func (e *experiment) certificates(trained *classify.Model) []classify.Binary {
	if e.trainer.Multiclass != classify.CrammerSinger {
		return trained.Machines
	}
	return slices.CompactFunc(slices.Clone(trained.Machines), func(a, b classify.Binary) bool {
		return a.Negative == classify.Rest && b.Negative == classify.Rest && a.Primal == b.Primal &&
			a.Dual == b.Dual && a.Gap == b.Gap && a.Iterations == b.Iterations
	})
}

// checkHierarchy names the options that exclude a hierarchy of labels.
func checkHierarchy(c *cli.Call, separator string, t classify.Trainer) error {
	switch {
	case separator == "":
		return nil
	case strings.ContainsFunc(separator, input.Unprintable) || strings.ContainsFunc(separator, unicode.IsSpace):
		return cli.Usagef("--hierarchy %q, want a separator without white space or control characters", separator)
	}
	if err := c.Refuse("--hierarchy", "probability", "positive", "multilabel", "pos", "neg"); err != nil {
		return err
	}
	if t.CheckLabels(classify.LabelPaths) != nil {
		return cli.Usagef("--hierarchy has --multiclass ovr or crammer-singer only")
	}
	return nil
}

// checkMultilabel names the options that exclude several labels per record.
func checkMultilabel(c *cli.Call, separator string, t classify.Trainer) error {
	switch {
	case separator == "":
		return nil
	case strings.ContainsFunc(separator, input.Unprintable) || strings.TrimSpace(separator) != separator:
		return cli.Usagef("--multilabel %q, want a separator without white space around it or control characters", separator)
	}
	if err := c.Refuse("--multilabel", "probability", "positive", "pos", "neg"); err != nil {
		return err
	}
	if t.CheckLabels(classify.LabelSets) != nil {
		return cli.Usagef("--multilabel has --multiclass ovr only")
	}
	return nil
}
