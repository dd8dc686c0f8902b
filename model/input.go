package model

import (
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/reading"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Input says how records were read, so that prediction reads them the same way.
type Input struct {
	// Reading is what was asked for, with what the training data settled: the case of letters, the syntax of trees and
	// the representation of KeLP. A genome is the file that training named; the file has its name without folders.
	Reading reading.Spec `json:"reading,omitzero"`
	// Separator separates the labels of a record, under the scheme multi-label.
	Separator string `json:"separator,omitempty"`
	// Query is the column, field or name of the header of the queries within which records were ordered.
	Query string `json:"query,omitempty"`
}

// InputOf is what a model remembers of how records are read: the options as [seqio.Collection.Settled] returns them.
func InputOf(o seqio.Options) Input { return Input{Reading: reading.Of(o)} }

// ReadOptions are those that read records to predict as the training data were read, in the alphabet of the kernel. Ids
// may recur.
func (m *Model) ReadOptions() seqio.Options {
	o := m.Input.Reading.Trained()
	o.Alphabet, o.RepeatedIDs, o.Numbers = m.Kernel.Alphabet(), true, m.Kernel.Columns()
	o.OptionalText = m.Kernel.OfNumbers()
	o.Texts = o.Alphabet == stringkernel.Bytes
	return o
}
