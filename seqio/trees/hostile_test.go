package trees_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio/trees"
	"github.com/seqsvm/seqsvm/treekernel/bracket"
)

// deep returns a tree of that many levels in every syntax.
func deep(levels int) map[trees.Syntax]string {
	chain := func(open, inner, end string) string {
		return strings.Repeat(open, levels-1) + inner + strings.Repeat(end, levels-1)
	}
	return map[trees.Syntax]string{
		trees.Penn:       chain("(a ", "a", ")"),
		trees.Newick:     chain("(", "a", ")a") + ";",
		trees.XML:        chain("<a>", "<a/>", "</a>"),
		trees.HTML:       chain("<x-a>", "<x-a>", "</x-a>"),
		trees.JSON:       chain("[", "1", "]"),
		trees.DotBracket: strings.Repeat("(", levels-2) + "." + strings.Repeat(")", levels-2),
	}
}

// TestDeep: hundreds of thousands of levels are read.
func TestDeep(t *testing.T) {
	const levels = 300_000
	for syntax, text := range deep(levels) {
		if got := nodes(t, trees.Options{Syntax: syntax}, text); got != levels {
			t.Errorf("%s: %d nodes, want %d", syntax, got, levels)
		}
		if _, err := convert(t, trees.Options{Syntax: syntax},
			text[:len(text)/2+1]); (err == nil) != (syntax == trees.HTML) {
			t.Errorf("half of %s: error %v", syntax, err)
		}
	}
}

// hostile are texts made to take more time or memory than they have bytes.
func hostile(n int) map[string]struct {
	syntax trees.Syntax
	text   string
} {
	type attack = struct {
		syntax trees.Syntax
		text   string
	}
	var attributes, entities strings.Builder
	for i := range n {
		fmt.Fprintf(&attributes, " a%d='%d'", i, i)
	}
	for i := range 30 {
		fmt.Fprintf(&entities, `<!ENTITY e%d "&e%d;&e%d;">`, i+1, i, i)
	}
	return map[string]attack{
		"attributes of XML":        {trees.XML, "<a" + attributes.String() + "/>"},
		"attributes of HTML":       {trees.HTML, "<a" + attributes.String() + ">"},
		"equal attributes of HTML": {trees.HTML, "<a" + strings.Repeat(" b=c", n) + ">"},
		"entities":                 {trees.XML, `<!DOCTYPE a [<!ENTITY e0 "x">` + entities.String() + "]><a>&e30;</a>"},
		"document type":            {trees.XML, "<!DOCTYPE a [" + strings.Repeat("<!ENTITY a [", n) + "]><a/>"},
		"comment":                  {trees.XML, "<a>" + strings.Repeat("<!---->", n) + "</a>"},
		"long label":               {trees.XML, "<" + strings.Repeat("a", 10*n) + "/>"},
		"long labels":              {trees.HTML, strings.Repeat("<"+strings.Repeat("b", n/1000)+">", 1000)},
		"stray end tags":           {trees.HTML, strings.Repeat("<p><b>", n) + strings.Repeat("</x>", n)},
		"end tags out of scope": {trees.HTML,
			"<x><table><td>" + strings.Repeat("<div>", n) + strings.Repeat("</x>", n)},
		"items":              {trees.HTML, "<ul><li>" + strings.Repeat("<ol>", n) + strings.Repeat("<li>", n)},
		"paragraphs":         {trees.HTML, "<p>" + strings.Repeat("<button>", n) + strings.Repeat("<p>", n)},
		"formatting":         {trees.HTML, strings.Repeat("<a><b><i>", n) + strings.Repeat("</a></b></i>", n)},
		"tables":             {trees.HTML, strings.Repeat("<table><tr><td>", n)},
		"names of elements":  {trees.HTML, strings.ReplaceAll(attributes.String(), " ", "<") + ">"},
		"comments of Newick": {trees.Newick, strings.Repeat("[", n) + strings.Repeat("]", n) + ";"},
		"quotes of Newick":   {trees.Newick, strings.Repeat("''", n) + ";"},
		"backslashes":        {trees.Penn, "(" + strings.Repeat(`\`, n) + ")"},
		"blanks":             {trees.Penn, "(a" + strings.Repeat(" \n", n) + "b" + strings.Repeat(" c", n) + ")"},
		"escapes of JSON":    {trees.JSON, `"` + strings.Repeat(`\u0020a`, n) + `"`},
		"keys of JSON":       {trees.JSON, "{" + strings.Repeat(`"":{},`, n) + `"":1}`},
		"headers":            {trees.DotBracket, strings.Repeat(">", n) + strings.Repeat("\n>", n)},
		"energies":           {trees.DotBracket, strings.Repeat("1 ", n) + strings.Repeat(" >", n)},
	}
}

// allLabels returns a converter of a syntax that keeps all labels.
func allLabels(t *testing.T, syntax trees.Syntax) *trees.Converter {
	labels := ""
	if syntax == trees.XML || syntax == trees.HTML {
		labels = "names,values,words"
	}
	return must.Get(trees.New(trees.Options{Syntax: syntax, Labels: labels}))(t)
}

// TestHostile: time grows with the text and not faster, memory by a small factor, and what is read is a record.
func TestHostile(t *testing.T) {
	const n, most = 100_000, 100
	var f bracket.Forest
	for name, attack := range hostile(n) {
		c := allLabels(t, attack.syntax)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		record, err := c.Append(nil, []byte(attack.text))
		runtime.ReadMemStats(&after)
		if taken := after.TotalAlloc - before.TotalAlloc; taken > uint64(most*len(attack.text)) {
			t.Errorf("%s: %d bytes for a text of %d", name, taken, len(attack.text))
		}
		if err != nil && len(err.Error()) > 300 {
			t.Errorf("%s: an error of %d bytes", name, len(err.Error()))
		}
		if err == nil && f.Parse(record) != nil {
			t.Errorf("%s: no record", name)
		}
		if name == "entities" && err == nil {
			t.Errorf("%s: no error", name)
		}
		runtime.KeepAlive(c)
	}
}
