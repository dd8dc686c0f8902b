package seqio_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
	"github.com/seqsvm/seqsvm/seqio/trees"
)

// treeInputs are inputs that hold trees, with ids, labels and records written by hand.
var treeInputs = []struct {
	name, text string
	opt        seqio.Options
	want       []string // id label record
}{
	{"t.tsv", "X\t(a b)\nY\t( (S (NP it)) )\n", penn(), []string{"1 X (a b)", "2 Y (S (NP it))"}},
	{"t.txt", "(a  (b))\n(c)(d)\n", penn(), []string{"1  (a b)", "2  (c) (d)"}},
	{"t.tsv", "id\tnote\ttext\tlabel\nr1\tn\t(a,b)c;\tX\n", seqio.Options{Tree: trees.Options{Syntax: "newick"}},
		[]string{"r1 X (c a b)"}},
	{"t.csv", "label,text\nX,\"(a,\nb)c;\"\n", seqio.Options{Tree: trees.Options{Syntax: "newick"}}, []string{"2 X (c a b)"}},
	{"t.jsonl", `{"label":1,"text":"<a>b</a>"}`, seqio.Options{Tree: trees.Options{Syntax: "xml"}}, []string{"1 1 (a b)"}},
	{"t.jsonl", `{"label":1,"doc":{"tree":{"a":[1,"x"]}}}`,
		seqio.Options{Tree: trees.Options{Syntax: "json"}, Columns: seqio.Columns{Text: "doc.tree"}}, []string{"1 1 ({} (a 1 x))"}},
	{"t.jsonl", `{"label":1,"text":"[true]"}`, seqio.Options{Tree: trees.Options{Syntax: "json"}}, []string{"1 1 ([] true)"}},
	{"t.tsv", "X\tGGAC (..)\n", seqio.Options{Tree: trees.Options{Syntax: "dot-bracket"}}, []string{"1 X (RNA (GC G A))"}},
	{"t.nwk", "(a,b);\n(c,d);\n", seqio.Options{Tree: trees.Options{Syntax: "newick"}},
		[]string{"1  ( (a) b)", "2  ( (c) d)"}},
	{"t.nwk", "[two\n trees]\n\n((a,\r\n'b;[' ) c :1\n, [x;\n] d)\n;\n\n(e);(f)\n; [end\n]\n(g);",
		seqio.Options{Tree: trees.Options{Syntax: "newick"}},
		[]string{"4  ( (c a b;[) d)", "10  ( (e)) ( (f))", "13  ( (g))"}},
	{"t.jsonl", `{"label":1,"text":"(a,\nb)\nc;"}`, seqio.Options{Tree: trees.Options{Syntax: "newick"}},
		[]string{"1 1 (c a b)"}},
	{"t.xml.gz", "<a>\n<b/>\n</a>\n", seqio.Options{Tree: trees.Options{Syntax: "xml"}}, []string{"t.xml.gz  (a b)"}},
	{"t.html", "<p>a<p>b", seqio.Options{Tree: trees.Options{Syntax: "html", Labels: "names"}}, []string{"t.html  (p) (p)"}},
	{"t.json", "{\n}", seqio.Options{Tree: trees.Options{Syntax: "json"}}, []string{"t.json  ({})"}},
	{"t.mrg", "( (S\n (NP it)) )\n( (S (NP he)))\n", penn(), []string{"t.mrg  (S (NP it)) (S (NP he))"}},

	{"t.klp", "NUM |BS:q| How far ? |ES| |BV| a:1 |EV||BT:g| (S(NP(it))) |ET| |BT:l| (L) |ET|\n\nA B |BT:g| (x)|ET|\n",
		penn(), []string{"1 NUM (S (NP it))", "3 A (x)"}},
	{"t.klp", "NUM |BS:q| How far ? |ES| |BT:g| (S(NP(it))) |ET|\n", seqio.Options{Columns: seqio.Columns{Text: "q"}},
		[]string{"1 NUM How far ?"}},
	{"t.klp", "NUM |BV| a:1 |EV||BT:g| (S(NP(it))) |ET|\n", seqio.Options{}, []string{"1 NUM (S(NP(it)))"}},
	{"t", "|BT| (a) |ET| |BT| (b) |ET|\n", seqio.Options{Columns: seqio.Columns{Text: "1"}}, []string{"1  (b)"}},

	{"t.dbn", ">x hairpin of two\n\nGGAC\n(..) (-1.20)\n>y label=loop\n()\n", seqio.Options{},
		[]string{"x hairpin (RNA (GC G A))", "y loop (RNA P)"}},
	{"t", ">x\nggac\r\n(..)\n", seqio.Options{Tree: trees.Options{Syntax: "dot-bracket"}}, []string{"x  (RNA (GC G A))"}},
	{"t", ">x\nGGAC\n(..)\n", seqio.Options{Format: seqio.DotBracket, Tree: trees.Options{Labels: "names"}},
		[]string{"x  (RNA (GC () ()))"}},
}

func penn() seqio.Options { return seqio.Options{Tree: trees.Options{Syntax: trees.Penn}} }

func TestReadTrees(t *testing.T) {
	for _, c := range treeInputs {
		s, err := seqio.Read(strings.NewReader(c.text), c.name, c.opt)
		if err != nil {
			t.Errorf("%s %q: %v", c.name, c.text, err)
			continue
		}
		if got := treesOf(s); !slices.Equal(got, c.want) {
			t.Errorf("%s %q: got %q, want %q", c.name, c.text, got, c.want)
		}
		if s.DetectAlphabet() != "bytes" {
			t.Errorf("%s: alphabet %s", c.name, s.DetectAlphabet())
		}
		var batches []string
		err = readBatches(strings.NewReader(c.text), c.name, c.opt, 1, func(s *seqio.Set) error {
			batches = append(batches, treesOf(s)...)
			return nil
		})
		if err != nil || !slices.Equal(batches, c.want) {
			t.Errorf("%s %q in batches: got %q and error %v, want %q", c.name, c.text, batches, err, c.want)
		}
	}
}

// treesOf lists id, label and record.
func treesOf(s *seqio.Set) []string {
	var all []string
	for i := range s.Len() {
		all = append(all, s.Corpus.Name(i)+" "+s.Label(i)+" "+string(s.Corpus.Seq(i)))
	}
	return all
}

func TestKeLPTopics(t *testing.T) {
	s, err := seqio.Read(strings.NewReader("A B |BT| (x) |ET|\n|BT| (y) |ET|\n"), "t.klp", penn())
	if err != nil || !slices.Equal(s.LabelSets[0], []string{"A", "B"}) || s.LabelSets[1] != nil || s.Lines[1] != 2 {
		t.Errorf("topics %v, error %v", s.LabelSets, err)
	}
}

func TestReadTreeFolder(t *testing.T) {
	root := seqio.MakeFolder(t, map[string]string{"x/1.xml": "<a/>", "x/more/2.xml": "<a>\n<b/></a>", "y/3.xml": "<c>d</c>"})
	opt := seqio.Options{Tree: trees.Options{Syntax: trees.XML}}
	s, err := seqio.ReadFile(root, opt)
	if want := []string{"x/1.xml x (a)", "x/more/2.xml x (a b)", "y/3.xml y (c d)"}; err != nil ||
		!slices.Equal(treesOf(s), want) {
		t.Errorf("%q and error %v, want %q", treesOf(s), err, want)
	}
	must.Succeed(t, os.WriteFile(filepath.Join(root, "y", "4.xml"), []byte("<a>\n  <b>\n</a>"), 0o644))
	_, err = seqio.ReadFile(root, opt)
	if want := filepath.Join(root, "y", "4.xml") + ":3: column 1: </a>, want </b>"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// malformedTrees are inputs with the error that names file and line.
var malformedTrees = []struct {
	name, text string
	opt        seqio.Options
	want       string
}{
	{"t.tsv", "X\t(a)\nY\t(a b\n", penn(), `t.tsv:2: byte 5 of the tree: unexpected end inside the node "a", want )`},
	{"t.tsv", "X\tplain text\n", penn(), `t.tsv:1: byte 1 of the tree: "plain" outside brackets, want ( of a tree`},
	{"t.tsv", "id\tlabel\ttext\nr\tX\t(a))\n", penn(),
		`t.tsv:2: record "r": byte 4 of the tree: ) without its (, want ( or the end`},
	{"t.mrg", "(S\n (NP it)\n", penn(), `t.mrg:3: column 1: unexpected end inside the node "S", want )`},
	{"t.xml", "<a>\n <b>\n</a>\n", seqio.Options{Tree: trees.Options{Syntax: "xml"}}, "t.xml:3: column 1: </a>, want </b>"},
	{"t.xml", "<a>\n <b>\n", seqio.Options{Tree: trees.Options{Syntax: "xml"}},
		"t.xml:2: column 2: <b> is not closed, want </b> before the end"},
	{"t.xml", "<a/>\n&x;", seqio.Options{Tree: trees.Options{Syntax: "xml"}},
		"t.xml:2: column 4: invalid character entity &x;"},
	{"t.json", "{\n \"a\": }\n", seqio.Options{Tree: trees.Options{Syntax: "json"}}, "t.json:2: column 7: invalid JSON: invalid character '}' looking for beginning of value"},
	{"t.nwk", "(a,\nb);\n(c,\nd\n", seqio.Options{Tree: trees.Options{Syntax: "newick"}},
		"t.nwk:4: column 2: unexpected end inside a tree, want , or )"},
	{"t.nwk", "(a,\nb)\n(c,d);\n", seqio.Options{Tree: trees.Options{Syntax: "newick"}},
		"t.nwk:3: column 1: ( inside a node, want ;"},
	{"t.nwk", "(a,\n'b);\n(c,d);\n", seqio.Options{Tree: trees.Options{Syntax: "newick"}},
		"t.nwk:2: column 1: unclosed quote"},
	{"t.fa", ">x\nACGT\n", penn(), "t.fa:1: fasta holds sequences, want trees; choose text, tsv, csv, jsonl, " +
		"documents, kelp or dot-bracket"},
	{"t.xml", "<a/>", seqio.Options{}, "t.xml:1: " + seqio.ErrUnknownFormat.Error()},

	{"t.klp", "NUM\n", penn(), "t.klp:1: no representation, want one such as |BT:name| … |ET|"},
	{"t.klp", "NUM |BT:g| (a) |EV|\n", penn(), `t.klp:1: the representation "T:g" is not closed, want "|ET|"`},
	{"t.klp", "NUM |BT:g (a)\n", penn(), `t.klp:1: found "|BT:g (a)", want a representation such as |BT:name| … |ET|`},
	{"t.klp", "NUM |BS:g| a |ES| x\n", penn(), `t.klp:1: found "x", want a representation such as |BT:name| … |ET|`},
	{"t.klp", "NUM |BS:g| a |ES|\n", penn(), `t.klp:1: no tree |BT| among "g"; choose another by its name`},
	{"t.klp", "NUM |BS:g| a |ES| |BV| 1 |EV|\n", seqio.Options{Columns: seqio.Columns{Text: "h"}},
		`t.klp:1: no representation "h" among "g", "1"`},
	{"t.klp", "NUM |<||BT| (a) |ET||,||BT| (b) |ET||>|\n", penn(),
		"t.klp:1: a pair of examples, want one example per line"},
	{"t.klp", "NUM |BT:g| (a) |ET|\nNUM |BT:g| (a |ET|\n", penn(),
		`t.klp:2: byte 3 of the tree: unexpected end inside the node "a", want )`},

	{"t.dbn", "ACGU\n(..)\n", seqio.Options{}, "t.dbn:1: expected '>', found 'A'"},
	{"t.dbn", ">x\nACGU\n\n(.)\n", seqio.Options{},
		`t.dbn:4: record "x": column 1: a structure of 3 positions for a sequence of 4 letters`},
	{"t.dbn", ">x\nACGU\n(([)])\n", seqio.Options{},
		`t.dbn:3: record "x": column 1: a structure of 6 positions for a sequence of 4 letters`},
	{"t.dbn", ">x\nACGU\n([)]\n", seqio.Options{},
		`t.dbn:3: record "x": column 3: ) crosses the pair that [ opens: a pseudoknot is not a tree; write dots for ` +
			`one of the two helices, or read graphs (tree=graph)`},
	{"t.dbn", ">x\nACGU\n(..)\n....\n", seqio.Options{},
		`t.dbn:4: a third line of record "x", want a sequence and a structure`},
	{"t.dbn", ">x\n>y\nA\n.\n", seqio.Options{}, `t.dbn:1: record "x" is empty, want a sequence and a structure`},
	{"t.dbn", ">\nA\n.\n", seqio.Options{}, "t.dbn:1: header without an id"},
	{"t.dbn", ">x\nA\n.\n>x\nA\n.\n", seqio.Options{}, `t.dbn:4: record "x": duplicate id, first used on line 1`},
	{"t.dbn", ">x\nA\n", seqio.Options{}, `t.dbn:2: record "x": column 2: unexpected end after a sequence, want its structure`},
	{"t.dbn", ">x\nA\n.\n", penn(), "t.dbn: seqio: trees in penn, but the format has dot-bracket"},
	{"t.dbn", ">x\nA\n.\n", seqio.Options{Tree: trees.Options{Labels: "words"}},
		`t.dbn: seqio: trees: labels = "words", want none, or some of names, text for dot-bracket`},

	{"t.tsv", "", seqio.Options{HTML: true, Tree: trees.Options{Syntax: "html"}},
		"seqio: documents that are trees cannot be stripped of HTML"},
	{"t.txt", "", seqio.Options{Tree: trees.Options{Syntax: "lisp"}},
		`seqio: trees: syntax "lisp" is unknown, want penn, newick, xml, html, json, dot-bracket or graph`},
}

// FuzzTreeFormats reads the formats that are of trees alone.
func FuzzTreeFormats(f *testing.F) {
	for _, c := range treeInputs {
		f.Add([]byte(c.text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzRead(t, data, seqio.KeLP, penn())
		fuzzRead(t, data, seqio.KeLP, seqio.Options{Columns: seqio.Columns{Text: "0"}})
		fuzzRead(t, data, seqio.DotBracket, seqio.Options{})
	})
}

// FuzzTrees reads trees in columns and in separate files.
func FuzzTrees(f *testing.F) {
	for i, c := range treeInputs {
		f.Add([]byte(c.text), uint8(i))
	}
	f.Fuzz(func(t *testing.T, data []byte, choice uint8) {
		syntax := trees.Syntaxes[int(choice)%len(trees.Syntaxes)]
		format := []seqio.Format{seqio.TSV, seqio.JSONL, seqio.Documents, seqio.CSV, seqio.Lines}[int(choice)/len(trees.Syntaxes)%5]
		fuzzRead(t, data, format, seqio.Options{Tree: trees.Options{Syntax: syntax}})
	})
}

// FuzzNewickLines: the trees of records, one after another, are those of the input as one document, and an
// error of the one is one of the other.
func FuzzNewickLines(f *testing.F) {
	for _, text := range []string{";\n[", "(a,\nb)c;\n(d);", "[x\n](a,'b;\n');\n",
		"((a:1,\nb:2):0.5,\nc:3);\n\n;(e\n)[;\n];", "(a,b\n", "[[\n]"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		whole, wholeErr := seqio.Read(strings.NewReader(text), "t", seqio.Options{Format: seqio.Documents,
			Tree: trees.Options{Syntax: trees.Newick}})
		opt := seqio.Options{Format: seqio.Lines, Tree: trees.Options{Syntax: trees.Newick}}
		set, err := seqio.Read(strings.NewReader(text), "t", opt)
		if strings.ContainsRune(text, '\'') || strings.ContainsAny(text, "\r\x00") {
			return // a name may have line ends in a document; lone CR
		}
		switch {
		case err != nil && wholeErr == nil && !errors.Is(err, lines.ErrNoRecords) && !errors.Is(err, lines.ErrEmpty),
			err == nil && wholeErr != nil:
			t.Fatalf("%q: %v, as one document %v", text, err, wholeErr)
		case err != nil || wholeErr != nil:
			return
		}
		var all []string
		for i := range set.Len() {
			all = append(all, string(set.Corpus.Seq(i)))
		}
		if got, want := strings.Join(all, " "), string(whole.Corpus.Seq(0)); got != want {
			t.Fatalf("%q: %q, as one document %q", text, got, want)
		}
	})
}

// utf16Of writes ASCII, and é, in UTF-16.
func utf16Of(text string, bigEndian bool) string {
	var b []byte
	for _, r := range text {
		if bigEndian {
			b = append(b, 0, byte(r))
		} else {
			b = append(b, byte(r), 0)
		}
	}
	return string(b)
}

// Documents of XML and HTML are read as they declare; the letters are those of the Unicode Standard's mapping tables.
func TestDeclaredEncoding(t *testing.T) {
	xml, html := seqio.Options{Tree: trees.Options{Syntax: trees.XML}}, seqio.Options{Tree: trees.Options{Syntax: trees.HTML}}
	stripped := seqio.Options{Format: seqio.Documents, HTML: true}
	latin1 := xml
	latin1.Encoding = "latin1"
	for _, c := range []struct {
		text string
		opt  seqio.Options
		want string
	}{
		{"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<a>caf\xe9</a>", xml, "(a café)"},
		{"<?xml version='1.0' encoding='windows-1252' standalone='yes'?><a>\x9cuvre</a>", xml, "(a œuvre)"},
		{"<?xml version=\"1.0\" encoding = \"koi8-r\" ?><a>\xc1</a>", xml, "(a а)"},
		{"<?xml version=\"1.0\" encoding=\"iso-8859-1\"?><a>\xc3\xa9</a>", xml, "(a Ã ©)"},
		{"<?xml version=\"1.0\" encoding=\"utf-8\"?><a>\xc3\xa9</a>", xml, "(a é)"},
		{"<?xml version=\"1.0\"?><a encoding=\"latin1\">\xc3\xa9</a>", xml, "(a é)"},
		{"<a>\xc3\xa9</a>", xml, "(a é)"},
		{"\xef\xbb\xbf<?xml version=\"1.0\" encoding=\"iso-8859-1\"?><a>\xc3\xa9</a>", xml, "(a é)"},
		{"\xff\xfe" + utf16Of("<?xml version=\"1.0\" encoding=\"UTF-16\"?><a>\u00e9</a>", false), xml, "(a é)"},
		{"\xfe\xff" + utf16Of("<a>\u00e9</a>", true), xml, "(a é)"},
		{utf16Of("<?xml version=\"1.0\" encoding=\"utf-16\"?><a>\u00e9</a>", false), xml, "(a é)"},
		{utf16Of("<a>\u00e9</a>", true), xml, "(a é)"},
		{"<?xml version=\"1.0\" encoding=\"utf-16\"?><a>\xc3\xa9</a>", xml, "(a é)"},
		{"<?xml version=\"1.0\" encoding=\"utf-8\"?><a>\xe9</a>", latin1, "(a é)"},
		{"<!DOCTYPE html>\n<!-- x --><META http-equiv=Content-Type content='text/html; charset=ISO-8859-1'><p>\xe9", html,
			"(meta) (p é)"},
		{"<meta charset=windows-1251><p>\xe9", html, "(meta) (p й)"},
		{"<?xml version=\"1.0\" encoding=\"latin1\"?><p>\xe9</p>", html, "(p é)"},
		{"<!-- <meta charset=latin1> --><meta name=charset content=latin1><p>\xc3\xa9", html, "(meta) (p é)"},
		{"<meta charset=x-none><p>\xc3\xa9", html, "(meta) (p é)"},
		{"<meta charset=latin1><p>caf\xe9", stripped, "café"},
	} {
		name := map[trees.Syntax]string{trees.XML: "a.xml", trees.HTML: "a.html", "": "a"}[c.opt.Tree.Syntax]
		s, err := seqio.Read(strings.NewReader(c.text), name, c.opt)
		if err != nil || string(s.Corpus.Seq(0)) != c.want {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
			continue
		}
		root := seqio.MakeFolder(t, map[string]string{"x/" + name: c.text})
		if s, err := seqio.ReadFile(root, c.opt); err != nil || string(s.Corpus.Seq(0)) != c.want {
			t.Errorf("%q in a folder: %v, want %s", c.text, err, c.want)
		}
	}
	_, err := seqio.Read(strings.NewReader("<?xml version=\"1.0\" encoding=\"klingon\"?><a/>"), "a.xml", xml)
	if want := `a.xml:1: the declared encoding "klingon" is unknown; name the encoding or convert the file`; err == nil ||
		err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// FuzzDeclared: what a declared encoding gives is what the same encoding gives where it is named.
func FuzzDeclared(f *testing.F) {
	f.Add("latin1", "caf\xe9", true)
	f.Add("koi8-r", "<p>\xc1", false)
	f.Add("utf-16", "\xc3\xa9", true)
	f.Fuzz(func(t *testing.T, encoding, text string, isXML bool) {
		opt, name := seqio.Options{Tree: trees.Options{Syntax: trees.HTML}}, "a.html"
		text = "<meta charset=\"" + encoding + "\"><p>" + text
		if isXML {
			opt, name = seqio.Options{Tree: trees.Options{Syntax: trees.XML}}, "a.xml"
			text = "<?xml version=\"1.0\" encoding=\"" + encoding + "\"?><a>" + text
		}
		declared, err := seqio.Read(strings.NewReader(text), name, opt)
		if err != nil && strings.ContainsAny(err.Error(), "\n\r\x00") {
			t.Fatalf("error %q", err)
		}
		if seqio.CheckEncoding(encoding) != nil || strings.ContainsAny(encoding, "\"'<>&") || encoding == "" ||
			strings.HasPrefix(strings.ToLower(encoding), "utf") || strings.TrimSpace(encoding) != encoding {
			return
		}
		opt.Encoding = encoding
		named, namedErr := seqio.Read(strings.NewReader(text), name, opt)
		if (err == nil) != (namedErr == nil) {
			t.Fatalf("%q: %v, with the encoding named %v", text, err, namedErr)
		}
		if err == nil && !bytes.Equal(declared.Corpus.Seq(0), named.Corpus.Seq(0)) {
			t.Fatalf("%q: %q, with the encoding named %q", text, declared.Corpus.Seq(0), named.Corpus.Seq(0))
		}
	})
}
