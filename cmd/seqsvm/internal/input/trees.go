package input

import (
	"slices"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/trees"
)

// Trees say how documents are read as trees; a model stores them.
type Trees struct {
	syntax, labels string
	depth, nodes   int
	cut            bool
}

// Flags binds the options.
func (o *Trees) Flags(f *cli.Flags) {
	f.Section(OfTrees)
	f.String(&o.syntax, "tree", "", "read the text of each record as one tree or several in a `SYNTAX`: penn, "+
		"newick, xml, html, json or dot-bracket; none: read plain text; stored in the model")
	f.String(&o.labels, "tree-labels", "", "`LABELS` that count, comma-separated: names, text, words, attributes, "+
		"values, lengths (of newick), or none").Default("names,words for xml and html, otherwise names,text")
	f.Int(&o.depth, "tree-depth", 0, "most levels of a tree, 0 for no limit; more are an error")
	f.Int(&o.nodes, "tree-nodes", 0, "most nodes of a record, 0 for no limit; more are an error")
	f.Bool(&o.cut, "tree-cut", "drop what is beyond --tree-depth and --tree-nodes")
}

// treeOptions are what the options say of trees. What is not given is as a model stores it; labels only if the syntax
// is the same.
func (r *Reading) treeOptions(c *cli.Call, stored model.Tree) (trees.Options, error) {
	o := trees.Options{
		Syntax: trees.Syntax(stored.Syntax), Labels: stored.Labels, MaxDepth: stored.MaxDepth,
		MaxNodes: stored.MaxNodes, Cut: stored.Cut,
	}
	format := seqio.Format(r.input)
	if wanted, given := r.chosenSyntax(); given && wanted != o.Syntax {
		o.Syntax, o.Labels = wanted, ""
	}
	set := slices.DeleteFunc([]string{"tree-labels", "tree-depth", "tree-nodes", "tree-cut"},
		func(name string) bool { return !c.Given(name) })
	for _, option := range set {
		switch option {
		case "tree-labels":
			o.Labels = r.Tree.labels
		case "tree-depth":
			o.MaxDepth = r.Tree.depth
		case "tree-nodes":
			o.MaxNodes = r.Tree.nodes
		case "tree-cut":
			o.Cut = r.Tree.cut
		}
	}
	if o.Syntax == "" {
		return trees.Options{}, c.Require("--tree, want the syntax of the trees", set...)
	}
	switch err := o.Check(); {
	case err != nil && (len(set) > 0 || c.Given("tree")):
		return o, cli.Usagef("--tree %s: %w", o.Syntax, err)
	case err != nil:
		return o, err // of the model
	case format == seqio.DotBracket && o.Syntax != trees.DotBracket:
		return o, cli.Usagef("--tree %s cannot be used with --input %s", o.Syntax, format)
	case r.html:
		return o, cli.Usagef("--html with --tree %s, want one or the other", o.Syntax)
	case r.KeepNewline:
		return o, cli.Usagef("--keep-newline with --tree %s, want one or the other", o.Syntax)
	case o.Cut && o.MaxDepth == 0 && o.MaxNodes == 0:
		return o, cli.Usagef("--tree-cut without --tree-depth or --tree-nodes, want a limit")
	}
	return o, nil
}

// chosenSyntax is what --tree says, or the format, which may imply a syntax; "" for plain text.
func (r *Reading) chosenSyntax() (syntax trees.Syntax, given bool) {
	switch {
	case r.Tree.syntax == "none":
		return "", true
	case r.Tree.syntax != "":
		return trees.Syntax(r.Tree.syntax), true
	case seqio.Format(r.input) == seqio.DotBracket:
		return trees.DotBracket, true
	}
	return "", false
}
