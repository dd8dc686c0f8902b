package trees

import (
	"bytes"

	"github.com/seqsvm/seqsvm/internal/wordbreak"
	"github.com/seqsvm/seqsvm/treekernel/bracket"
)

// builder writes the nodes that count.
type builder struct {
	w     bracket.Writer
	count counted
}

// name begins a node whose label is a name, empty if names do not count.
func (b *builder) name(label []byte) {
	if !b.count.names {
		label = nil
	}
	b.w.Open(label)
}

// text writes a text as one leaf, as a leaf for each word, or not at all.
func (b *builder) text(p []byte) {
	if b.count.words || b.count.text {
		b.value(p)
	}
}

// value writes the value of an attribute: whole, or word by word if texts are.
func (b *builder) value(p []byte) {
	if !b.count.words {
		if p = bytes.TrimSpace(p); len(p) > 0 {
			b.w.Leaf(p)
		}
		return
	}
	for at := 0; at < len(p); {
		end, isWord := wordbreak.Next(p, at)
		if isWord {
			b.w.Leaf(p[at:end])
		}
		at = end
	}
}
