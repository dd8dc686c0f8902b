package model

import (
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/trees"
)

// Input says how letters were read, so that prediction reads them alike.
type Input struct {
	SoftMask bool `json:"soft_mask"`      // lower-case letters break matches
	HTML     bool `json:"html,omitempty"` // documents were stripped of HTML
	Tree     Tree `json:"tree,omitzero"`  // documents were trees
	// Representation names the representation of KeLP's examples that was read, "" for the first tree.
	Representation string `json:"representation,omitempty"`
	// KeepNewline: each line of text ended in a line feed, a letter of the record.
	KeepNewline bool `json:"keep_newline,omitempty"`
	// Separator separates the labels of a record, under the scheme multi-label.
	Separator string `json:"separator,omitempty"`
}

// Tree says how documents were read as trees, in the terms of seqio/trees.Options. The zero value is not at all.
type Tree struct {
	Syntax   string `json:"syntax"`              // penn, newick, …
	Labels   string `json:"labels,omitempty"`    // which labels count; "" is the syntax's default
	MaxDepth int    `json:"max_depth,omitempty"` // 0 is any number
	MaxNodes int    `json:"max_nodes,omitempty"` // 0 is any number
	Cut      bool   `json:"cut,omitempty"`       // what is beyond was left out
}

// InputOf is what a model remembers of how records are read.
func InputOf(o seqio.Options) Input {
	return Input{
		SoftMask: o.SoftMask, HTML: o.HTML, KeepNewline: o.KeepNewline, Representation: o.KeLPText,
		Tree: Tree{
			Syntax: string(o.Tree.Syntax), Labels: o.Tree.Labels,
			MaxDepth: o.Tree.MaxDepth, MaxNodes: o.Tree.MaxNodes, Cut: o.Tree.Cut,
		},
	}
}

// Options is the inverse of [InputOf].
func (in Input) Options() seqio.Options {
	return seqio.Options{
		SoftMask: in.SoftMask, HTML: in.HTML, KeepNewline: in.KeepNewline, KeLPText: in.Representation,
		Tree: trees.Options{
			Syntax: trees.Syntax(in.Tree.Syntax), Labels: in.Tree.Labels,
			MaxDepth: in.Tree.MaxDepth, MaxNodes: in.Tree.MaxNodes, Cut: in.Tree.Cut,
		},
	}
}
