package trees

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Syntax is a way to write trees. The zero value is not one.
type Syntax string

// The syntaxes; the package comment has them in detail.
const (
	Penn       Syntax = "penn"        // (S (NP it))
	Newick     Syntax = "newick"      // ((a,b)c,d);
	XML        Syntax = "xml"         // elements
	HTML       Syntax = "html"        // elements, not necessarily closed
	JSON       Syntax = "json"        // objects and lists
	DotBracket Syntax = "dot-bracket" // sequence and secondary structure of RNA
	// Graph is DotBracket for kernels of graphs: records are in the notation of package graph, pseudoknots too.
	Graph Syntax = "graph"
)

// Syntaxes are those of trees.
var Syntaxes = []Syntax{Penn, Newick, XML, HTML, JSON, DotBracket}

// Options say how trees are read. The JSON is that of a model file.
type Options struct {
	Syntax Syntax `json:"syntax"`
	// Labels says which labels count: names, text, words, attributes, values and lengths, or none, separated by commas.
	// "" is the default of the syntax.
	Labels string `json:"labels,omitempty"`
}

// Check returns an error that names the first option out of range.
func (o Options) Check() error {
	if o.Syntax == Graph {
		if o != (Options{Syntax: Graph}) {
			return errors.New("trees: labels are for trees; graph has none")
		}
		return nil
	}
	_, err := o.counted()
	return err
}

// choices are the labels that a syntax knows.
var choices = map[Syntax]string{
	Penn: "names, text", Newick: "names, text, lengths", JSON: "names, text, words", DotBracket: "names, text",
	XML: "names, text, words, attributes, values", HTML: "names, text, words, attributes, values",
}

// counted says which labels count.
type counted struct{ names, text, words, attributes, values, lengths bool }

// counted reads Labels.
func (o Options) counted() (c counted, err error) {
	known, found := choices[o.Syntax]
	if !found {
		return c, fmt.Errorf("trees: syntax %q is unknown, want penn, newick, xml, html, json, dot-bracket or graph",
			string(o.Syntax))
	}
	wanted := o.Labels
	switch {
	case wanted == "none":
		return c, nil
	case wanted == "" && (o.Syntax == XML || o.Syntax == HTML):
		wanted = "names,words"
	case wanted == "":
		wanted = "names,text"
	}
	fields := map[string]*bool{"names": &c.names, "text": &c.text, "words": &c.words, "attributes": &c.attributes,
		"values": &c.values, "lengths": &c.lengths}
	for label := range strings.SplitSeq(wanted, ",") {
		if !slices.Contains(strings.Split(known, ", "), label) {
			return c, fmt.Errorf("trees: labels = %q, want none, or some of %s for %s", o.Labels, known, o.Syntax)
		}
		*fields[label] = true
	}
	c.attributes = c.attributes || c.values
	if c.text && c.words {
		return c, fmt.Errorf("trees: labels = %q, want text or words, not both", o.Labels)
	}
	return c, nil
}
