package trees

import (
	"bytes"
	"fmt"

	"github.com/seqsvm/seqsvm/internal/wordbreak"
	"github.com/seqsvm/seqsvm/treekernel/bracket"
)

// builder writes the nodes that count, within the limits.
type builder struct {
	w       bracket.Writer
	opt     Options
	count   counted
	nodes   int
	skipped int // open nodes that are left out, the innermost ones
}

func (b *builder) reset(dst []byte) {
	b.w.Reset(dst)
	b.nodes, b.skipped = 0, 0
}

// open begins a node.
func (b *builder) open(label []byte) error {
	skip, err := b.enter()
	if !skip && err == nil {
		b.w.Open(label)
	}
	return err
}

// openWord begins a node whose label is escaped.
func (b *builder) openWord(word []byte) error {
	skip, err := b.enter()
	if !skip && err == nil {
		b.w.OpenWord(word)
	}
	return err
}

// name begins a node whose label is a name, empty if names do not count.
func (b *builder) name(label []byte) error {
	if !b.count.names {
		label = nil
	}
	return b.open(label)
}

// enter reports whether the node that is to begin must be left out.
func (b *builder) enter() (skip bool, err error) {
	deep := b.opt.MaxDepth > 0 && b.w.Depth() >= b.opt.MaxDepth
	many := b.opt.MaxNodes > 0 && b.nodes >= b.opt.MaxNodes
	switch {
	case b.skipped > 0 || b.opt.Cut && (deep || many):
		b.skipped++
		return true, nil
	case deep:
		return false, fmt.Errorf("a tree of more than %d levels", b.opt.MaxDepth)
	case many:
		return false, fmt.Errorf("more than %d nodes", b.opt.MaxNodes)
	}
	b.nodes++
	return false, nil
}

// close ends the innermost node.
func (b *builder) close() {
	if b.skipped > 0 {
		b.skipped--
		return
	}
	b.w.Close()
}

// leaf writes a node without children.
func (b *builder) leaf(label []byte) error {
	skip, err := b.enter()
	switch {
	case err != nil:
		return err
	case skip:
		b.skipped--
	default:
		b.w.Leaf(label)
	}
	return nil
}

// text writes a text as one leaf, as a leaf for each word, or not at all.
func (b *builder) text(p []byte) error {
	if b.skipped > 0 || !b.count.words && !b.count.text {
		return nil
	}
	return b.value(p)
}

// value writes the value of an attribute: whole, or word by word if texts are.
func (b *builder) value(p []byte) error {
	if !b.count.words {
		if p = bytes.TrimSpace(p); len(p) > 0 {
			return b.leaf(p)
		}
		return nil
	}
	for at := 0; at < len(p); {
		end, isWord := wordbreak.Next(p, at)
		if isWord {
			if err := b.leaf(p[at:end]); err != nil {
				return err
			}
		}
		at = end
	}
	return nil
}
