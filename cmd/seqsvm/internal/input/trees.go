package input

import (
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
	if o.Syntax == "" {
		return trees.Options{}, c.Require("--tree, want the syntax of the trees", "tree-labels")
	}
	switch err := o.Check(); {
	case err != nil && (c.Given("tree-labels") || c.Given("tree")):
		return o, cli.Usagef("--tree %s: %w", o.Syntax, err)
	case err != nil:
		return o, err // of the model
	case r.Format == seqio.DotBracket && o.Syntax != trees.DotBracket && o.Syntax != trees.Graph:
		return o, cli.Usagef("--tree %s cannot be used with --input %s", o.Syntax, r.Format)
	case r.HTML:
		return o, cli.Usagef("--html cannot be used with --tree %s", o.Syntax)
	}
	return o, nil
}
