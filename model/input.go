package model

import (
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/trees"
)

// Input says how records were read, so that prediction reads them the same way.
type Input struct {
	SoftMask bool `json:"soft_mask"`      // lower-case letters break matches
	HTML     bool `json:"html,omitempty"` // documents were stripped of HTML
	// documents were trees
	Tree trees.Options `json:"tree,omitzero"`
	// Representation names the representation of KeLP's examples that was read, "" for the first tree.
	Representation string `json:"representation,omitempty"`
	// KeepNewline: each line of text ended in a line feed, a letter of the record.
	KeepNewline bool `json:"keep_newline,omitempty"`
	// Separator separates the labels of a record, under the scheme multi-label.
	Separator string `json:"separator,omitempty"`
}

// InputOf is what a model remembers of how records are read.
func InputOf(o seqio.Options) Input {
	return Input{
		SoftMask: o.SoftMask, HTML: o.HTML, KeepNewline: o.KeepNewline, Representation: o.KeLPText, Tree: o.Tree,
	}
}

// Options is the inverse of [InputOf].
func (in Input) Options() seqio.Options {
	return seqio.Options{
		SoftMask: in.SoftMask, HTML: in.HTML, KeepNewline: in.KeepNewline, KeLPText: in.Representation, Tree: in.Tree,
	}
}
