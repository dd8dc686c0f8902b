package main

import (
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/trees"
)

// treeOptions reads treeFlags. What is not given is as a model remembers it; labels only if the syntax is the same.
func treeOptions(c *cli.Context, remembered model.Tree, format seqio.Format) (trees.Options, error) {
	o := trees.Options{
		Syntax: trees.Syntax(remembered.Syntax), Labels: remembered.Labels, MaxDepth: remembered.MaxDepth, MaxNodes: remembered.MaxNodes, Cut: remembered.Cut,
	}
	if wanted, given := chosenSyntax(c, format); given && wanted != o.Syntax {
		o.Syntax, o.Labels = wanted, ""
	}
	var set []string
	for _, option := range []string{"tree", "tree-labels", "tree-depth", "tree-nodes", "tree-cut"} {
		if c.IsSet(option) {
			set = append(set, option)
		}
	}
	for _, option := range set {
		switch option {
		case "tree-labels":
			o.Labels = c.String(option)
		case "tree-depth":
			o.MaxDepth = c.Int(option)
		case "tree-nodes":
			o.MaxNodes = c.Int(option)
		case "tree-cut":
			o.Cut = c.Bool(option)
		}
	}
	if o.Syntax == "" {
		if i := slices.IndexFunc(set, func(option string) bool { return option != "tree" }); i >= 0 {
			return o, usagef("--%s without --tree, want the syntax of the trees", set[i])
		}
		return trees.Options{}, nil
	}
	switch err := o.Check(); {
	case err != nil && len(set) > 0:
		return o, usagef("--tree %s: %w", o.Syntax, err)
	case err != nil:
		return o, fmt.Errorf("%s: %w", inputName(c.String("model")), err)
	case format == seqio.DotBracket && o.Syntax != trees.DotBracket:
		return o, usagef("--tree %s has no meaning with --input %s", o.Syntax, format)
	case c.Bool("html"):
		return o, usagef("--html beside --tree %s, want one or the other", o.Syntax)
	case c.Bool("keep-newline"):
		return o, usagef("--keep-newline beside --tree %s, want one or the other", o.Syntax)
	case o.Cut && o.MaxDepth == 0 && o.MaxNodes == 0:
		return o, usagef("--tree-cut without --tree-depth or --tree-nodes, want a limit")
	}
	return o, nil
}

// chosenSyntax is what --tree says, or the format, which may have a syntax of its own; "" for text as it is.
func chosenSyntax(c *cli.Context, format seqio.Format) (syntax trees.Syntax, given bool) {
	switch {
	case c.IsSet("tree") && c.String("tree") == "none":
		return "", true
	case c.IsSet("tree"):
		return trees.Syntax(c.String("tree")), true
	case format == seqio.DotBracket:
		return trees.DotBracket, true
	}
	return "", false
}
