package trees_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio/trees"
	"github.com/seqsvm/seqsvm/treekernel/bracket"
)

// fuzzSyntax reads anything: the result is an error with a place in the text, or a record in canonical form. It returns
// the error.
func fuzzSyntax(t *testing.T, o trees.Options, text []byte) error {
	c := must.Get(trees.New(o))(t)
	record, err := c.Append(nil, text)
	if err != nil {
		var e *trees.Error
		if !errors.As(err, &e) || e.Offset < 0 || e.Offset > len(text) || strings.ContainsAny(err.Error(), "\n\r\x00") {
			t.Fatalf("%q: error %v", text, err)
		}
		return err
	}
	var f bracket.Forest
	if err := f.Parse(record); err != nil {
		t.Fatalf("%q: record %q: %v", text, record, err)
	}
	if !bytes.Equal(f.Append(nil), record) {
		t.Fatalf("%q: record %q is not canonical", text, record)
	}
	if f.Len() > len(text)+1 {
		t.Fatalf("%q: %d nodes", text, f.Len())
	}
	return nil
}

// fuzzAll reads with few and with all labels.
func fuzzAll(t *testing.T, syntax trees.Syntax, labels string, text []byte) error {
	fuzzSyntax(t, trees.Options{Syntax: syntax, Labels: "none"}, text)
	return fuzzSyntax(t, trees.Options{Syntax: syntax, Labels: labels}, text)
}

func fuzz(f *testing.F, syntax trees.Syntax, labels string, check func(t *testing.T, text []byte, err error),
	seeds ...string) {
	f.Add([]byte(samples[syntax]))
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		err := fuzzAll(t, syntax, labels, text)
		if check != nil {
			check(t, text, err)
		}
	})
}

// FuzzPenn: what package bracket reads is read here.
func FuzzPenn(f *testing.F) {
	fuzz(f, trees.Penn, "names,text", func(t *testing.T, text []byte, err error) {
		var forest bracket.Forest
		if forest.Parse(text) == nil && err != nil {
			t.Fatalf("%q: %v", text, err)
		}
	}, `( (S 1\/2) \x)`, `(a \x\x\x\x\x\x(b(c(d))))`, "(S", "()", "((()))", "a")
}

func FuzzNewick(f *testing.F) {
	fuzz(f, trees.Newick, "names,text,lengths", nil, "(a,b:1)c:2;", "'it''s'[c[d]];", "(a,", "((,),);", "a:[b]1;")
}

// FuzzXML: what is read here is well-formed to encoding/xml, too.
func FuzzXML(f *testing.F) {
	fuzz(f, trees.XML, "names,values,words", func(t *testing.T, text []byte, err error) {
		d := xml.NewDecoder(bytes.NewReader(text))
		d.Entity = xml.HTMLEntity
		d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
		for err == nil {
			if _, wrong := d.Token(); wrong == io.EOF {
				return
			} else if wrong != nil {
				t.Fatalf("%q: no error, encoding/xml: %v", text, wrong)
			}
		}
	}, `<?xml version="1.0"?><a b="c">&lt;<![CDATA[d]]><!-- e --></a>`, "<a><b></a>",
		"<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "<a:b xmlns:a='c'/>")
}

// FuzzHTML: nothing is an error.
func FuzzHTML(f *testing.F) {
	fuzz(f, trees.HTML, "names,values,words", func(t *testing.T, text []byte, err error) {
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
	}, "<p>a<p>b</b>", "<table><tr><td>x<li>y</table>", "<script><p></script><svg><a/></svg>", "<head><title>a</head>b",
		"<ul><li><ul><li></ul><li>", "<h1><h2></h1>")
}

// FuzzJSON: a text is a value exactly if encoding/json says so, and more than one only if white space or a bracket
// parts them.
func FuzzJSON(f *testing.F) {
	fuzz(f, trees.JSON, "names,text", func(t *testing.T, text []byte, err error) {
		if utf8.Valid(text) && json.Valid(text) && err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if err != nil || len(text) > 5000 {
			return
		}
		for d := json.NewDecoder(bytes.NewReader(text)); ; {
			var value json.RawMessage
			if wrong := d.Decode(&value); wrong == io.EOF {
				return
			} else if wrong != nil {
				t.Fatalf("%q: no error, encoding/json: %v", text, wrong)
			}
		}
	}, `[1, -2.5e+3, true, false, null, "\u00e9\n", {}, []]`, `{"a":{"b":[{}]}}`, `1 2`, `01`, `["\ud800"]`, `{"a":1,}`)
}

func FuzzDotBracket(f *testing.F) {
	fuzz(f, trees.DotBracket, "names,text", nil, ">a\nACGU\n(..) (-1.2)\n", "((.)", "AC ()", "([)]", "(.) ( -1.0)")
}
