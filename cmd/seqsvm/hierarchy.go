package main

import (
	"strings"
	"unicode"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"

	"github.com/seqsvm/seqsvm/classify"
)

// checkHierarchy names the options that exclude a hierarchy of labels.
func checkHierarchy(c *cli.Call, separator string, t classify.Trainer) error {
	switch {
	case separator == "":
		return nil
	case strings.ContainsFunc(separator, unprintable) || strings.ContainsFunc(separator, unicode.IsSpace):
		return cli.Usagef("--hierarchy %q, want a separator without white space or control characters", separator)
	case t.Multiclass == classify.OneVsOne:
		return cli.Usagef("--hierarchy has --multiclass ovr or crammer-singer only")
	}
	return c.Refuse("--hierarchy", "probability", "positive", "multilabel", "pos", "neg")
}
