package trees_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio/trees"
	"github.com/seqsvm/seqsvm/treekernel/bracket"
)

func convert(t testing.TB, o trees.Options, text string) (string, error) {
	t.Helper()
	c := must.Get(trees.New(o))(t)
	record, err := c.Append([]byte("before"), []byte(text))
	if !strings.HasPrefix(string(record), "before") {
		t.Fatalf("%q lost what was before", record)
	}
	if err != nil {
		if string(record) != "before" {
			t.Fatalf("%q besides the error", record)
		}
		return "", err
	}
	return string(record[len("before"):]), nil
}

// TestSyntaxes: the record of each text, written by hand from the syntax's definition.
func TestSyntaxes(t *testing.T) {
	for _, c := range []struct {
		syntax       trees.Syntax
		labels       string
		text, record string
	}{
		{"penn", "", "(S (NP it) (VP is))", "(S (NP it) (VP is))"},
		{"penn", "", "( (S\n  (NP-SBJ (PRP it))\n  (. .)) )\n( (S x))", "(S (NP-SBJ (PRP it)) (. .)) (S x)"},
		{"penn", "", "((A) (B))", "(A) (B)"},
		{"penn", "", "((()a))", "( () a)"},
		{"penn", "", `(NN 1\/2) (NN \*) (NN a\b) (NN \\) (NN \()`, `(NN 1/2) (NN *) (NN a\\b) (NN \\) (NN \()`},
		{"penn", "", `(NN a\)`, ``},
		{"penn", "", "()", "()"},
		{"penn", "", "", ""},
		{"penn", "names", "(S (NP it (X)) ( Y ))", "(S (NP X) Y)"},
		{"penn", "names", `(NP x\( bar)`, "(NP)"},
		{"penn", "names", `(NP x\\( bar))`, `(NP bar)`},
		{"penn", "text", "(S (NP it) (VP))", "( ( (it)) ())"},
		{"penn", "none", "(S (NP it) (VP))", "( () ())"},
		{"penn", "", "(SYNT##root(POS##WP(LEX##who::w))(SYNT##cop(POS##VBD(LEX##be::v))))",
			"(SYNT##root (POS##WP LEX##who::w) (SYNT##cop (POS##VBD LEX##be::v)))"},

		{"newick", "", "(A,B)C;", "(C A B)"},
		{"newick", "", "A;", "(A)"},
		{"newick", "", ";", "()"},
		{"newick", "", "(,(,));", "( () ( () ()))"},
		{"newick", "", "((a:0.1,'it''s (b)':2e-3)x_y:1,[c [d] ,] d)r:0;\n(e,f);",
			`(r (x\sy a it's\s\(b\)) d) ( (e) f)`},
		{"newick", "names,text,lengths", "(a:0.1,:2)r:0;", "(r:0 a:0.1 :2)"},
		{"newick", "lengths", "(a:0.1,b)r:0;", "(:0 :0.1 ())"},
		{"newick", "names", "((a,b)x,c)r;", "(r (x () ()) ())"},
		{"newick", "text", "((a,b)x,c)r;", "( ( (a) b) c)"},
		{"newick", "", "(a[&&NHX:S=1]:[x]0.5[y],b);", "( (a) b)"},

		{"xml", "", `<?xml version="1.0" encoding="latin1"?><!DOCTYPE a [<!ENTITY x "y">]><a><!-- b --><b ` +
			`x="1">It&apos;s <c/> &#65;&amp;B<![CDATA[<d>]]></b></a>`, "(a (b It's c A B d))"},
		{"xml", "names,text", `<a> x<!-- --> y <b/> z </a>`, `(a x\sy b z)`},
		{"xml", "names", `<a>x<b/>y<s:c></s:c></a><d></d >`, "(a b s:c) (d)"},
		{"xml", "names,attributes", `<a z="1" b="2" xmlns="u" xmlns:s="v"><b s:y='3'/></a>`, "(a @b @z (b @s:y))"},
		{"xml", "names,values", `<a z="one two" b=""/>`, `(a @b (@z one\stwo))`},
		{"xml", "names,values,words", `<a z="one, two">three four</a>`, "(a (@z one two) three four)"},
		{"xml", "words", `<a>It's 1.5, no? --x_y naïve 日本 ❤️</a>`, "( (It's) 1.5 no x_y naïve 日 本 ❤️)"},
		{"xml", "words", `<a>one <b>two</b></a>`, "( (one) ( (two)))"},
		{"xml", "none", `<a>one <b>two</b></a>`, "( ())"},
		{"xml", "", `<a>&eacute;t&eacute;</a>`, "(a été)"},

		{"html", "", "<!DOCTYPE html><html><head><title>A b</title><body><p>one<p>two<br>three",
			"(html (head (title A b)) (body (p one) (p two br three)))"},
		{"html", "", "<UL><LI>a<LI>b<ul><li>c</ul></ul>", "(ul (li a) (li b (ul (li c))))"},
		{"html", "", "<table><tr><td>1<td>2<tr><th>3</table>x", "(table (tr (td 1) (td 2)) (tr (th 3))) (x)"},
		{"html", "", "<dl><dt>a<dd>b<dt>c</dl>", "(dl (dt a) (dd b) (dt c))"},
		{"html", "", "a</b><script>x < y</script>&lt;&copy;z<style>p{}</style>", "(a) (script) (©) (z) (style)"},
		{"html", "names,attributes", "<a href=x HREF=y class>b</a>", "(a @class @href)"},
		{"html", "names,values", "<a href=x HREF=y class>b</a>", "(a @class (@href x))"},
		{"html", "", "<b><i>x</b>y</i>z", "(b (i x)) (yz)"},
		{"html", "", "<svg><path/><g><rect/></g></svg><div/>x", "(svg path (g rect)) (div x)"},
		{"html", "", "<p>a<div>b</p>c</div>", "(p a) (div b p c)"},
		{"html", "", "<h1>a<h2>b</h2>", "(h1 a) (h2 b)"},
		{"html", "", "<select><option>a<option>b<optgroup><option>c</select>",
			"(select (option a) (option b) (optgroup (option c)))"},
		{"html", "", "<p><table><tr><td></p>x</table>", "(p) (table (tr (td p x)))"},
		{"html", "", "", ""},

		{"json", "", `{"a": [1, 2.50], "b": {"c": null}, "d e": "f g", "h": []}`,
			`({} (a 1 2.50) (b (c null)) (d\se f\sg) h)`},
		{"json", "", `[[], {}, [true], {"a": false}]`, "([] [] {} ([] true) ({} (a false)))"},
		{"json", "", `"x" -1e5 {}[]`, "(x) (-1e5) ({}) ([])"},
		{"json", "", `{"\u00e9\n": "\ud83d\ude00"}`, `({} (é\n 😀))`},
		{"json", "", `{"": ""}`, "({} ())"},
		{"json", "names,words", `{"a": "one two", "b": 1.5}`, "({} (a one two) (b 1.5))"},
		{"json", "names", `{"a": "one two", "b": [1.5, {"c": 1}]}`, "({} a (b ({} c)))"},
		{"json", "none", `{"a": "one two", "b": 1.5}`, "( () ())"},
		{"json", "", " \n", ""},

		{"dot-bracket", "", "GGAC (..)", "(RNA (GC G A))"},
		{"dot-bracket", "", ">x y\nggaca\n(..). ( -3.40)\n>z\nAU\n() (-1)\n", "(RNA (GC G A) A) (RNA AU)"},
		{"dot-bracket", "", "((.)).", "(RNA (P (P U)) U)"},
		{"dot-bracket", "", "GACGAAC (.)(..)", "(RNA (GC A) (GC A A))"},
		{"dot-bracket", "", "ACGU <[]>", "(RNA (AU CG))"},
		{"dot-bracket", "names", "ACGU (..)", "(RNA (AU () ()))"},
		{"dot-bracket", "text", "ACGU (..)", "( ( (C) G))"},
		{"dot-bracket", "", "ACGUA ,:_-~", "(RNA A C G U A)"},
		{"dot-bracket", "", "", ""},
		{"graph", "", ">x y\nggacau\n([.)]. (-3.4)\n", "ggacau ([.)]."},
		{"graph", "", "(.[.).]", "NNNNNNN (.[.).]"},
	} {
		got, err := convert(t, trees.Options{Syntax: c.syntax, Labels: c.labels}, c.text)
		if c.record == "" && c.text != "" && len(strings.TrimSpace(c.text)) > 0 {
			if err == nil {
				t.Errorf("%s %q: got %s, want an error", c.syntax, c.text, got)
			}
			continue
		}
		if err != nil || got != c.record {
			t.Errorf("%s %q: got %s and error %v, want %s", c.syntax, c.text, got, err, c.record)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		syntax trees.Syntax
		text   string
		offset int
		want   string
	}{
		{"penn", "(S (NP it)", 10, `unexpected end inside the node "S", want )`},
		{"penn", "S", 0, `"S" outside brackets, want (`},
		{"penn", `(S 1\/2`, 7, "want )"},
		{"penn", `(S 1\/2\x))`, 10, ") without its ("},

		{"newick", "(a,b)", 5, "unexpected end inside a tree, want ;"},
		{"newick", "(a,b", 4, "want , or )"},
		{"newick", "a,b;", 1, ", outside brackets, want ;"},
		{"newick", "(a,b));", 5, ") outside brackets, want ;"},
		{"newick", "((a,b);", 6, "; inside brackets"},
		{"newick", "(a b);", 3, `"b" after a name`},
		{"newick", "(a(b));", 2, "( inside a node"},
		{"newick", "(a,b)(c);", 5, "( inside a node"},
		{"newick", "(a:x);", 3, `branch length "x", want a number`},
		{"newick", "(a:1:2);", 4, "a second branch length"},
		{"newick", "(a:1b);", 3, `branch length "1b"`},
		{"newick", "('a);", 1, "unclosed quote"},
		{"newick", "(a[b);", 2, "unclosed comment"},
		{"newick", "(a]b);", 2, "] without its ["},

		{"xml", "<a><b></a>", 6, "</a>, want </b>"},
		{"xml", "<a>\n<b>\n</b>", 0, "<a> is not closed"},
		{"xml", "<a></a></b>", 7, "</b> without its start tag"},
		{"xml", "<a/>text", 4, `text "text" outside elements`},
		{"xml", "text", 0, "outside elements"},
		{"xml", `<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>`, 36, "entity"},
		{"xml", "<a", 2, "EOF"},
		{"xml", "<a b>", 5, "attribute"},
		{"xml", "<a>\x01</a>", 4, "illegal character"},
		{"xml", "<a><b x='1' c='2' x='3'/></a>", 3, `duplicate attribute "x"`},

		{"json", `{"a": 1`, 7, "unexpected end, want the rest of a value"},
		{"json", `[1 2]`, 3, "invalid character '2' after array element"},
		{"json", `[1,]`, 3, "invalid character ']'"},
		{"json", `{"a" 1}`, 5, "invalid character '1' after object key"},
		{"json", `{a: 1}`, 1, "invalid character 'a'"},
		{"json", `{"a": 1,}`, 8, "looking for beginning of object key string"},
		{"json", `["a`, 3, "unexpected end"},
		{"json", `["\x"]`, 1, "in string escape code"},
		{"json", "[\"\n\"]", 1, "in string literal"},
		{"json", `01`, 1, "after a value, want white space"},
		{"json", `[-]`, 1, "in numeric literal"},
		{"json", `[1.]`, 1, "after decimal point"},
		{"json", `nul`, 3, "unexpected end"},
		{"json", `[`, 1, "unexpected end"},
		{"json", `{"a":1}}`, 7, "looking for beginning of value"},
		{"json", "\xff", 0, "not UTF-8"},

		{"dot-bracket", "ACGU", 4, "want its structure"},
		{"graph", "ACGU", 4, "want a sequence and its structure"},
		{"graph", "ACGU (..", 5, "a structure of 3 positions for a sequence of 4"},
		{"graph", "ACGU (..) ACGU (..)", 10, "a second structure"},
		{"dot-bracket", "ACGU (...)", 5, "a structure of 5 positions for a sequence of 4"},
		{"dot-bracket", "ACG1 (..)", 3, "in a sequence"},
		{"dot-bracket", "ACGU (..x", 8, "in a structure"},
		{"dot-bracket", "ACGU ...)", 8, ") without its opening bracket"},
		{"dot-bracket", "ACGU ((.)", 5, "( is not closed"},
		{"dot-bracket", "ACGU ([)]", 7, ") crosses the pair that [ opens"},
	} {
		_, err := allLabels(t, c.syntax).Append(nil, []byte(c.text))
		var e *trees.Error
		if !errors.As(err, &e) || e.Offset != c.offset || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %q: error %v, want %q at offset %d", c.syntax, c.text, err, c.want, c.offset)
		}
	}
}

// samples are texts of every syntax with 3 levels and 6 nodes.
var samples = map[trees.Syntax]string{
	trees.Penn:       "(S (NP it) (VP is x))",
	trees.Newick:     "((it)NP,(is,x)VP)S;",
	trees.XML:        "<S><NP>it</NP><VP>is x</VP></S>",
	trees.HTML:       "<s><np>it</np><vp>is x</vp></s>",
	trees.JSON:       `{"NP":"it","VP":["is","x"]}`,
	trees.DotBracket: "GACGAAC (.)(..)",
}

func nodes(t *testing.T, o trees.Options, text string) int {
	record := must.Get(convert(t, o, text))(t)
	var f bracket.Forest
	if err := f.Parse([]byte(record)); err != nil {
		t.Fatalf("%q: %v", record, err)
	}
	return f.Len()
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		o    trees.Options
		want string
	}{
		{trees.Options{}, `syntax "" is unknown, want penn, newick, xml, html, json, dot-bracket or graph`},
		{trees.Options{Syntax: "lisp"}, `"lisp"`},
		{trees.Options{Syntax: "penn", Labels: "words"},
			`labels = "words", want none, or some of names, text for penn`},
		{trees.Options{Syntax: "xml", Labels: "names,"}, "labels"},
		{trees.Options{Syntax: "xml", Labels: "words,text"}, "not both"},
		{trees.Options{Syntax: "xml", Labels: "none,text"}, "labels"},
	} {
		if _, err := trees.New(c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want %q", c.o, err, c.want)
		}
	}
}
