package input

import (
	"slices"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/trees"
)

// TreeFlags binds the options that say how documents are read as trees; a model stores them.
func (o *Reading) TreeFlags(f *cli.Flags) {
	f.Section(OfInput)
	cli.String(f, &o.Tree.Syntax, "tree", "",
		"read the text of each record as one tree or several in a `SYNTAX`: penn, "+
			"newick, xml, html, json or dot-bracket; graph: dot-bracket for kernels of graphs; none: read plain text; "+
			"stored in the model")
	f.String(&o.Tree.Labels, "tree-labels", "",
		"`LABELS` that count, comma-separated: names, text, words, attributes, "+
			"values, lengths (of newick), or none").Default("names,words for xml and html, otherwise names,text")
	f.Int(&o.Tree.MaxDepth, "tree-depth", 0, "most levels of a tree; more are an error").AtLeast(1).Default("no limit")
	f.Int(&o.Tree.MaxNodes, "tree-nodes", 0, "most nodes of a record; more are an error").AtLeast(1).Default("no limit")
	f.Bool(&o.Tree.Cut, "tree-cut", "drop what is beyond --tree-depth and --tree-nodes")
}

// treeOptions returns the options for trees. Options that are not given are those of the model, o; the labels only if
// the syntax is the same.
func (r *Reading) treeOptions(c *cli.Call, o trees.Options) (trees.Options, error) {
	wanted := r.Tree.Syntax
	if wanted == "" && r.Format == seqio.DotBracket && o.Syntax != trees.Graph {
		wanted = trees.DotBracket
	}
	switch wanted {
	case "", o.Syntax:
	case "none":
		o.Syntax, o.Labels = "", ""
	default:
		o.Syntax, o.Labels = wanted, ""
	}
	cli.IfGiven(c.Flags, "tree-labels", &o.Labels, r.Tree.Labels)
	cli.IfGiven(c.Flags, "tree-depth", &o.MaxDepth, r.Tree.MaxDepth)
	cli.IfGiven(c.Flags, "tree-nodes", &o.MaxNodes, r.Tree.MaxNodes)
	cli.IfGiven(c.Flags, "tree-cut", &o.Cut, r.Tree.Cut)
	set := slices.DeleteFunc([]string{"tree-labels", "tree-depth", "tree-nodes", "tree-cut"},
		func(name string) bool { return !c.Given(name) })
	if o.Syntax == "" {
		return trees.Options{}, c.Require("--tree, want the syntax of the trees", set...)
	}
	switch err := o.Check(); {
	case err != nil && (len(set) > 0 || c.Given("tree")):
		return o, cli.Usagef("--tree %s: %w", o.Syntax, err)
	case err != nil:
		return o, err // of the model
	case r.Format == seqio.DotBracket && o.Syntax != trees.DotBracket && o.Syntax != trees.Graph:
		return o, cli.Usagef("--tree %s cannot be used with --input %s", o.Syntax, r.Format)
	case r.HTML:
		return o, cli.Usagef("--html cannot be used with --tree %s", o.Syntax)
	case r.KeepNewline:
		return o, cli.Usagef("--keep-newline cannot be used with --tree %s", o.Syntax)
	case o.Cut && o.MaxDepth == 0 && o.MaxNodes == 0:
		return o, cli.Usagef("--tree-cut needs --tree-depth or --tree-nodes")
	}
	return o, nil
}
