package model

import (
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/trees"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Input says how records were read, so that prediction reads them the same way.
type Input struct {
	// Case is what became of lower-case letters; empty where sequences were read in upper case and text as written.
	Case seqio.Case `json:"case,omitempty"`
	HTML bool       `json:"html,omitempty"` // documents were stripped of HTML
	// documents were trees
	Tree trees.Options `json:"tree,omitzero"`
	// Columns are the columns or fields that were named for text, label and id.
	Columns seqio.Columns `json:"columns,omitzero"`
	// Representation names the representation of KeLP's examples that was read, "" for the first tree.
	Representation string `json:"representation,omitempty"`
	// Separator separates the labels of a record, under the scheme multi-label.
	Separator string `json:"separator,omitempty"`
	// Query is the column, field or name of the header of the queries within which records were ordered.
	Query string `json:"query,omitempty"`
}

// InputOf is what a model remembers of how records are read: the options as [seqio.Collection.Settled] returns them.
func InputOf(o seqio.Options) Input {
	return Input{
		Case: o.Case, HTML: o.HTML, Tree: o.Tree,
		Columns:        seqio.Columns{Text: o.Columns.Text, Label: o.Columns.Label, ID: o.Columns.ID},
		Representation: o.KeLPText,
	}
}

// Options are those that read records as the training data were read. The alphabet of the kernel is not among them.
func (in Input) Options() seqio.Options {
	return seqio.Options{
		Case: in.Case, HTML: in.HTML, KeLPText: in.Representation, Tree: in.Tree,
		Trained: in.Columns,
	}
}

// ReadOptions are those that read records to predict as the training data were read, in the alphabet of the kernel. Ids
// may recur.
func (m *Model) ReadOptions() seqio.Options {
	o := m.Input.Options()
	o.Alphabet, o.RepeatedIDs, o.Numbers = m.Kernel.Alphabet(), true, m.Kernel.Columns()
	o.Texts = o.Alphabet == stringkernel.Bytes
	return o
}

// KeepsCase reports whether lower-case letters of sequences are kept as written, and break matches.
func (in Input) KeepsCase() bool { return in.Options().Case == seqio.CaseKept }
