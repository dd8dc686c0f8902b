package trees_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio/trees"
	"github.com/seqsvm/seqsvm/treekernel/bracket"
)

// node is a tree as the oracles build it, recursively.
type node struct {
	label    string
	children []*node
}

// record writes trees in package bracket's notation.
func record(roots []*node) string {
	var w bracket.Writer
	var write func(n *node)
	write = func(n *node) {
		w.OpenString(n.label)
		for _, c := range n.children {
			write(c)
		}
		w.Close()
	}
	for _, n := range roots {
		write(n)
	}
	return string(w.Bytes())
}

// checkOracle compares the record of a text with the trees of an oracle.
func checkOracle(t interface {
	Helper()
	Fatalf(string, ...any)
}, o trees.Options, text string, want []*node) {
	t.Helper()
	c, err := trees.New(o)
	if err != nil {
		t.Fatalf("%v", err)
	}
	got, err := c.Append(nil, []byte(text))
	if err != nil || string(got) != record(want) {
		t.Fatalf("%s %q:\ngot  %s, error %v\nwant %s", o.Syntax, text, got, err, record(want))
	}
}

// xmlNodes reads the content of an element, or of a text, by encoding/xml's Token, which checks the nesting itself.
func xmlNodes(d *xml.Decoder) []*node {
	var nodes []*node
	text := ""
	flush := func() {
		if text = strings.TrimSpace(text); text != "" {
			nodes = append(nodes, &node{label: text})
		}
		text = ""
	}
	for {
		token, err := d.Token()
		switch t := token.(type) {
		case xml.StartElement:
			flush()
			n := &node{label: t.Name.Local}
			slices.SortFunc(t.Attr, func(a, b xml.Attr) int { return strings.Compare(a.Name.Local, b.Name.Local) })
			for _, a := range t.Attr {
				n.children = append(n.children, &node{"@" + a.Name.Local, leaves(a.Value)})
			}
			n.children = append(n.children, xmlNodes(d)...)
			nodes = append(nodes, n)
		case xml.CharData:
			text += string(t)
		case xml.EndElement:
			flush()
			return nodes
		}
		if err == io.EOF {
			return nodes
		}
		if err != nil {
			panic(err)
		}
	}
}

// leaves is a leaf, unless the text is blank.
func leaves(text string) []*node {
	if text = strings.TrimSpace(text); text != "" {
		return []*node{{label: text}}
	}
	return nil
}

var genText = rapid.StringMatching(`[a-z é()\\&"<>]{0,8}`)

// genXML writes random elements.
func genXML(t *rapid.T, depth int) string {
	name := rapid.StringMatching(`[a-c][a-z0-9.-]{0,2}`).Draw(t, "name")
	var attributes, content bytes.Buffer
	for _, a := range rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z]{1,2}`), 0, 3, rapid.ID[string]).Draw(t,
		"attributes") {
		fmt.Fprintf(&attributes, " %s='", a)
		xml.EscapeText(&attributes, []byte(genText.Draw(t, "value")))
		attributes.WriteString("'")
	}
	for range rapid.IntRange(0, 3).Draw(t, "content") {
		switch kind := rapid.IntRange(0, 4).Draw(t, "kind"); {
		case kind < 2 && depth > 0:
			content.WriteString(genXML(t, depth-1))
		case kind == 2:
			content.WriteString("<!-- no --><?no?>")
		case kind == 3:
			content.WriteString("<![CDATA[" + rapid.StringMatching(`[a-z<&]{0,4}`).Draw(t, "cdata") + "]]>")
		default:
			xml.EscapeText(&content, []byte(genText.Draw(t, "text")))
		}
	}
	if content.Len() == 0 && rapid.Bool().Draw(t, "short") {
		return "<" + name + attributes.String() + "/>"
	}
	return "<" + name + attributes.String() + ">" + content.String() + "</" + name + " >"
}

func TestXMLOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Repeat(genXML(t, 3)+"\n", rapid.IntRange(1, 2).Draw(t, "roots"))
		checkOracle(t, trees.Options{Syntax: trees.XML, Labels: "names,text,values"}, text,
			xmlNodes(xml.NewDecoder(strings.NewReader(text))))
	})
}

// jsonNodes is what a value becomes below a key, or as it is.
func jsonNodes(d *json.Decoder, belowKey bool) []*node {
	token, err := d.Token()
	if err != nil {
		panic(err)
	}
	var nodes []*node
	switch v := token.(type) {
	case json.Delim:
		n := &node{label: "{}"}
		if v == '[' {
			n.label = "[]"
		}
		for d.More() {
			if v == '[' {
				n.children = append(n.children, jsonNodes(d, false)...)
				continue
			}
			key, _ := d.Token()
			n.children = append(n.children, &node{key.(string), jsonNodes(d, true)})
		}
		d.Token()
		if belowKey {
			return n.children
		}
		return []*node{n}
	case string:
		return leaves(v)
	case json.Number:
		nodes = leaves(v.String())
	case bool:
		nodes = leaves(strconv.FormatBool(v))
	case nil:
		nodes = leaves("null")
	}
	return nodes
}

func genJSON(t *rapid.T, depth int) any {
	kind := rapid.IntRange(0, 6).Draw(t, "kind")
	switch {
	case kind == 0 && depth > 0:
		list := []any{}
		for range rapid.IntRange(0, 3).Draw(t, "values") {
			list = append(list, genJSON(t, depth-1))
		}
		return list
	case kind <= 2 && depth > 0:
		object := map[string]any{}
		for range rapid.IntRange(0, 3).Draw(t, "members") {
			object[rapid.String().Draw(t, "key")] = genJSON(t, depth-1)
		}
		return object
	case kind == 3:
		return rapid.Float64Range(-1e9, 1e9).Draw(t, "number")
	case kind == 4:
		return rapid.Bool().Draw(t, "bool")
	case kind == 5:
		return nil
	}
	return rapid.String().Draw(t, "string")
}

func TestJSONOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := must.Get(json.MarshalIndent(genJSON(t, 4), "", rapid.SampledFrom([]string{"", "\t"}).Draw(t, "indent")))(t)
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		checkOracle(t, trees.Options{Syntax: trees.JSON}, string(text), jsonNodes(d, false))
	})
}

// htmlNodes is the document of html.Parse without what reads nobody.
func htmlNodes(parent *html.Node) []*node {
	var nodes []*node
	text := ""
	flush := func() {
		nodes = append(nodes, leaves(text)...)
		text = ""
	}
	for c := parent.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type == html.ElementNode:
			flush()
			n := &node{label: c.Data}
			attributes := slices.Clone(c.Attr)
			slices.SortFunc(attributes, func(a, b html.Attribute) int { return strings.Compare(a.Key, b.Key) })
			for _, a := range attributes {
				n.children = append(n.children, &node{"@" + a.Key, leaves(a.Val)})
			}
			if c.Data != "script" && c.Data != "style" {
				n.children = append(n.children, htmlNodes(c)...)
			}
			nodes = append(nodes, n)
		case c.Type == html.TextNode:
			text += c.Data
		}
	}
	flush()
	return nodes
}

// genHTML writes the content of an element with elements that may be there, leaving out end tags where the standard
// lets one, and inserting others that fit nothing.
func genHTML(t *rapid.T, depth int, phrasing bool) string {
	var out strings.Builder
	element := func(name, content string, mayEnd bool) {
		out.WriteString("<" + name)
		if rapid.IntRange(0, 4).Draw(t, "attribute") == 0 {
			out.WriteString(` class="a b" id=x`)
		}
		out.WriteString(">" + content)
		if !mayEnd || rapid.Bool().Draw(t, "end") {
			out.WriteString("</" + name + ">")
		}
	}
	for range rapid.IntRange(0, 4).Draw(t, "content") {
		kind := rapid.IntRange(0, 12).Draw(t, "kind")
		if depth == 0 || phrasing && kind > 5 {
			kind %= 5
		}
		switch kind {
		case 0, 1:
			out.WriteString(rapid.SampledFrom([]string{"one two", "&eacute;&lt;", " ", "a(b", "z"}).Draw(t, "text"))
		case 2:
			out.WriteString("<br>")
		case 3:
			out.WriteString("<!-- c -->")
		case 4:
			out.WriteString(rapid.SampledFrom([]string{"</section>", "</li>", "</h3>", "</xyz>"}).Draw(t, "stray"))
		case 5:
			element("span", genHTML(t, depth-1, true), false)
		case 6, 7:
			element("p", genHTML(t, depth-1, true), false)
		case 8:
			element("div", genHTML(t, depth-1, false), false)
		case 9:
			var items strings.Builder
			for range rapid.IntRange(0, 3).Draw(t, "items") {
				items.WriteString("<li>" + genHTML(t, depth-1, false))
			}
			element("ul", items.String(), false)
		case 10:
			var rows strings.Builder
			for range rapid.IntRange(0, 3).Draw(t, "rows") {
				rows.WriteString("<tr>")
				for range rapid.IntRange(0, 3).Draw(t, "cells") {
					rows.WriteString("<td>" + genHTML(t, depth-1, false))
				}
			}
			element("table", "<tbody>"+rows.String(), false)
		case 11:
			element("dl", "<dt>"+genHTML(t, depth-1, true)+"<dd>"+genHTML(t, depth-1, false), false)
		case 12:
			element("h2", genHTML(t, depth-1, true), false)
		}
	}
	return out.String()
}

func TestHTMLOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := "<!DOCTYPE html><html><head><meta charset=utf-8><title>t &amp; " +
			"u</title><script>a<b</script></head><body>" + genHTML(t, 3, false)
		tree := must.Get(html.Parse(strings.NewReader(text)))(t)
		checkOracle(t, trees.Options{Syntax: trees.HTML, Labels: "names,text,values"}, text, htmlNodes(tree))
	})
}

// newickNodes reads one subtree by recursion, from text without white space, quotes and comments.
func newickNodes(text string) (n *node, rest string) {
	n = new(node)
	if strings.HasPrefix(text, "(") {
		for text[0] != ')' {
			var child *node
			child, text = newickNodes(text[1:])
			n.children = append(n.children, child)
		}
		text = text[1:]
	}
	end := strings.IndexAny(text, "(),;")
	n.label = strings.ReplaceAll(text[:end], "_", " ")
	return n, text[end:]
}

func genNewick(t *rapid.T, depth int) string {
	name := rapid.StringMatching(`[a-zé_.]{0,3}`).Draw(t, "name")
	if rapid.Bool().Draw(t, "length") {
		name += ":" + rapid.SampledFrom([]string{"1", "-0.5", "2e-3"}).Draw(t, "number")
	}
	if depth == 0 || rapid.IntRange(0, 2).Draw(t, "leaf") == 0 {
		return name
	}
	var children []string
	for range rapid.IntRange(1, 3).Draw(t, "children") {
		children = append(children, genNewick(t, depth-1))
	}
	return "(" + strings.Join(children, ",") + ")" + name
}

func TestNewickOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := genNewick(t, 4) + ";"
		root, _ := newickNodes(text)
		checkOracle(t, trees.Options{Syntax: trees.Newick, Labels: "names,text,lengths"}, text, []*node{root})
		spaced := strings.NewReplacer("(", "[c [d]] (\n", ",", " ,\t", ")", " )[e]").Replace(text)
		checkOracle(t, trees.Options{Syntax: trees.Newick, Labels: "names,text,lengths"}, spaced, []*node{root})
	})
}
