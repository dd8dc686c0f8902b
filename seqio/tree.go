package seqio

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/seqsvm/seqsvm/seqio/internal/documents"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
	"github.com/seqsvm/seqsvm/seqio/trees"
)

// checkTree returns an error if the options for trees are out of range or go against others.
func (o Options) checkTree() error {
	tree := o.treeOptions(o.Format)
	switch {
	case tree.Syntax == "":
		return nil
	case o.Format == DotBracket && !slices.Contains([]trees.Syntax{"", trees.DotBracket, trees.Graph}, o.Tree.Syntax):
		return fmt.Errorf("seqio: trees in %s, but the format has %s", o.Tree.Syntax, trees.DotBracket)
	case o.HTML:
		return errors.New("seqio: documents that are trees cannot be stripped of HTML")
	}
	if err := tree.Check(); err != nil {
		return fmt.Errorf("seqio: %w", err)
	}
	return nil
}

// checkFormat returns an error if what an input turned out to be does not go with the options for trees and for KeLP.
func (o Options) checkFormat(name string, format Format) error {
	if o.Tree.Syntax != "" && !format.Text() {
		return lines.Errorf(name, 1, "%s holds sequences, want trees; choose text, tsv, csv, jsonl, documents, kelp "+
			"or dot-bracket", format)
	}
	if format == KeLP && o.Columns.Text != "" && o.KeLPText != "" && o.Columns.Text != o.KeLPText {
		return lines.Errorf(name, 0, "text %s asked for, but the model was trained with text %s",
			lines.Quote(o.Columns.Text), lines.Quote(o.KeLPText))
	}
	o.Format = format
	if err := o.checkTree(); err != nil {
		return &Error{File: name, Err: err}
	}
	return nil
}

// treeOptions says how the documents of a format are read as trees; its syntax is "" if they are not.
func (o Options) treeOptions(format Format) trees.Options {
	tree := o.Tree
	if format == DotBracket && tree.Syntax != trees.Graph {
		tree.Syntax = trees.DotBracket
	}
	return tree
}

// treeSuffixes imply the formats of inputs that hold trees.
var treeSuffixes = map[string]Format{
	".xml": Documents, ".html": Documents, ".htm": Documents, ".xhtml": Documents, ".svg": Documents,
	".json": Documents, ".mrg": Documents, ".ptb": Documents,
	".nwk": Lines, ".newick": Lines, ".tre": Lines, ".tree": Lines, ".trees": Lines,
}

// treeFormat returns the format that the name of an input of trees implies, else Options.Format.
func (o Options) treeFormat(name string) Format {
	if o.Format != Auto && o.Format != "auto" || o.Tree.Syntax == "" || FormatByName(name) != Auto {
		return o.Format
	}
	if format := treeSuffixes[filepath.Ext(lines.WithoutCompression(name))]; format != Auto {
		return format
	}
	if o.Tree.Syntax == trees.DotBracket || o.Tree.Syntax == trees.Graph {
		return DotBracket
	}
	return o.Format
}

// badTree locates the error of a document that is not a tree. In documents of several lines, lines are counted.
func (c *collector) badTree(d documents.Document, err error) error {
	var e *trees.Error
	if !errors.As(err, &e) {
		return c.Errorf(d.Line, "%w", err)
	}
	before := d.Text[:e.Offset]
	if f := c.set.Format; f != Documents && f != DotBracket && (f != Lines || bytes.IndexByte(before, '\n') < 0) {
		return c.Errorf(d.Line, "byte %d of the tree: %w", e.Offset+1, e.Err)
	}
	return c.Errorf(d.Line+bytes.Count(before, []byte{'\n'}), "column %d: %w",
		e.Offset-bytes.LastIndexByte(before, '\n'), e.Err)
}
