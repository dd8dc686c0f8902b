package main

import (
	"strings"
	"unicode"

	"github.com/urfave/cli/v2"

	"github.com/seqsvm/seqsvm/classify"
)

func hierarchyFlag() cli.Flag {
	return &cli.StringFlag{Name: "hierarchy", Usage: "labels are paths with `SEPARATOR` between their names (sport/hockey): machines for each node, accuracy per level"}
}

// checkHierarchy names the options that a hierarchy of labels does not go with.
func checkHierarchy(c *cli.Context, t classify.Trainer) error {
	separator := c.String("hierarchy")
	switch {
	case separator == "":
		return nil
	case strings.ContainsFunc(separator, func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) || r == unicode.ReplacementChar }):
		return usagef("--hierarchy %q, want a separator without white space or control characters", separator)
	case t.Multiclass == classify.OneVsOne:
		return usagef("--hierarchy has --multiclass ovr or crammer-singer only")
	}
	return refuseOptions(c, "--hierarchy", "probability", "positive", "multilabel", "pos", "neg")
}
