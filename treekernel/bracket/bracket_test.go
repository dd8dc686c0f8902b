package bracket_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/treekernel/bracket"
)

// node is a tree as a linked structure, the oracle of the flat arrays.
type node struct {
	label    string
	children []*node
}

func parse(t testing.TB, record string) *bracket.Forest {
	t.Helper()
	var f bracket.Forest
	if err := f.Parse([]byte(record)); err != nil {
		t.Fatalf("%q: %v", record, err)
	}
	return &f
}

// linked turns the flat arrays into nodes, by End and label only.
func linked(f *bracket.Forest, from, to int) []*node {
	var nodes []*node
	for i := from; i < to; i = int(f.End[i]) {
		label := string(bracket.Unescape(nil, f.Label(i)))
		nodes = append(nodes, &node{label, linked(f, i+1, int(f.End[i]))})
	}
	return nodes
}

func (n *node) String() string {
	s := fmt.Sprintf("<%q", n.label)
	for _, c := range n.children {
		s += " " + c.String()
	}
	return s + ">"
}

func text(nodes []*node) string { return fmt.Sprint(nodes) }

func genNodes(depth int) *rapid.Generator[[]*node] {
	return rapid.Custom(func(t *rapid.T) []*node {
		var nodes []*node
		for range rapid.IntRange(0, 3).Draw(t, "nodes") {
			n := &node{
				label: rapid.OneOf(rapid.StringMatching(`[ab()\\ \t\n\v\f\r]{0,4}`), rapid.String()).Draw(t, "label"),
			}
			if depth > 0 {
				n.children = genNodes(depth-1).Draw(t, "children")
			}
			nodes = append(nodes, n)
		}
		return nodes
	})
}

func write(w *bracket.Writer, nodes []*node) {
	for i, n := range nodes {
		if len(n.children) == 0 && i%2 == 0 { // which is the same as below
			w.Leaf([]byte(n.label))
			continue
		}
		w.OpenString(n.label)
		write(w, n.children)
		w.Close()
	}
}

// TestRoundTrip: what the Writer writes, Parse reads; arrays agree with each other and Append writes the same bytes.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := genNodes(3).Draw(t, "forest")
		var w bracket.Writer
		w.Reset([]byte("before"))
		write(&w, want)
		record, _ := bytes.CutPrefix(w.Bytes(), []byte("before"))
		var f bracket.Forest
		if err := f.Parse(record); err != nil {
			t.Fatalf("%q: %v", record, err)
		}
		if got := text(linked(&f, 0, f.Len())); got != text(want) {
			t.Fatalf("%q: got %s, want %s", record, got, text(want))
		}
		if got := f.Append([]byte("before")); !bytes.Equal(got, w.Bytes()) {
			t.Fatalf("Append: %q, Writer: %q", got, w.Bytes())
		}
		checkArrays(t, &f)
	})
}

// siblings are the roots of subtrees that follow one another.
func siblings(f *bracket.Forest, from, to int) (list []int) {
	for i := from; i < to; i = int(f.End[i]) {
		list = append(list, i)
	}
	return list
}

func checkArrays(t interface{ Fatalf(string, ...any) }, f *bracket.Forest) {
	seen := len(siblings(f, 0, f.Len()))
	for i := range f.Len() {
		before := seen
		for _, c := range siblings(f, i+1, int(f.End[i])) {
			seen++
			if int(f.Parent[c]) != i {
				t.Fatalf("%q: parent of %d is %d, want %d", f.Record, c, f.Parent[c], i)
			}
		}
		if f.Leaf(i) != (seen == before) || f.End[i] <= int32(i) || int(f.End[i]) > f.Len() {
			t.Fatalf("%q: node %d ends at %d", f.Record, i, f.End[i])
		}
	}
	for _, r := range siblings(f, 0, f.Len()) {
		if f.Parent[r] != -1 {
			t.Fatalf("%q: root %d has parent %d", f.Record, r, f.Parent[r])
		}
	}
	if seen != f.Len() || f.Len() > len(f.Record) {
		t.Fatalf("%q: %d nodes, %d reached from the roots", f.Record, f.Len(), seen)
	}
}

// TestEscapeIsInjective: the spelling of a label is one word, and it gives the label back.
func TestEscapeIsInjective(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		label := rapid.SliceOf(rapid.Byte()).Draw(t, "label")
		word := bracket.Escape(nil, label)
		if got := bracket.Unescape(nil, word); !bytes.Equal(got, label) {
			t.Fatalf("%q spelled %q reads %q", label, word, got)
		}
		if bytes.ContainsAny(word, " \t\n\v\f\r") {
			t.Fatalf("%q spelled %q", label, word)
		}
		if s := bracket.Escape(nil, string(label)); !bytes.Equal(s, word) {
			t.Fatalf("as a string %q, as bytes %q", s, word)
		}
	})
}

func TestCanonical(t *testing.T) {
	for _, c := range [][2]string{
		{"", ""},
		{" \n", ""},
		{"(a)", "(a)"},
		{"( a )", "(a)"},
		{"()", "()"},
		{"( )", "()"},
		{"(a b)", "(a b)"},
		{"(a(b))", "(a b)"},
		{"(a\t\n(b)c)", "(a b c)"},
		{"(a ())", "(a ())"},
		{"((b))", "( (b))"},
		{"( (b) c (d))", "( (b) c d)"},
		{"( (S (NP it)))", "( (S (NP it)))"},
		{"(a)(b c) (d)", "(a) (b c) (d)"},
		{`(a\s\(\)\\\t\n\v\f\r b)`, `(a\s\(\)\\\t\n\v\f\r b)`},
		{"(SYNT##root(POS##WP(LEX##who::w))(SYNT##cop(POS##VBD(LEX##be::v))))",
			"(SYNT##root (POS##WP LEX##who::w) (SYNT##cop (POS##VBD LEX##be::v)))"},
	} {
		if got := string(parse(t, c[0]).Append(nil)); got != c[1] {
			t.Errorf("%q: got %q, want %q", c[0], got, c[1])
		}
	}
}

func TestArrays(t *testing.T) {
	f := parse(t, "(S (NP it) (VP))(X)")
	if !slices.Equal(f.End, []int32{4, 3, 3, 4, 5}) || !slices.Equal(f.Parent, []int32{-1, 0, 1, 0, -1}) {
		t.Errorf("ends %v, parents %v", f.End, f.Parent)
	}
	if !slices.Equal(f.Start, []int32{1, 4, 7, 12, 17}) || !slices.Equal(f.Stop, []int32{2, 6, 9, 14, 18}) {
		t.Errorf("labels from %v to %v", f.Start, f.Stop)
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		record string
		offset int
		want   string
	}{
		{"(a", 2, `inside the node "a", want )`},
		{"(a (b)", 6, `inside the node "a", want )`},
		{"(", 1, `inside the node "", want )`},
		{")", 0, ") without its ("},
		{"(a))", 3, ") without its ("},
		{"plain text", 0, `"plain" outside brackets, want (`},
		{"(a) b", 4, `"b" outside brackets`},
		{`(a\`, 2, `\ that escapes nothing`},
		{`(a \x)`, 3, `\ that escapes nothing`},
		{`(a\ b)`, 2, `\ that escapes nothing`},
		{"(" + strings.Repeat("x", 1000), 1001, `x"…, want )`},
	} {
		f := parse(t, "(before)")
		err := f.Parse([]byte(c.record))
		var syntax *bracket.SyntaxError
		if !errors.As(err, &syntax) || syntax.Offset != c.offset || !strings.Contains(err.Error(), c.want) ||
			len(err.Error()) > 200 {
			t.Errorf("%q: error %v, want %q at offset %d", c.record, err, c.want, c.offset)
		}
		if f.Len() != 0 {
			t.Errorf("%q: %d nodes after the error", c.record, f.Len())
		}
	}
}

// TestDeep: a chain of a million nodes, which recursion would pay with its stack.
func TestDeep(t *testing.T) {
	const depth = 1 << 20
	record := strings.Repeat("(a ", depth-1) + "a" + strings.Repeat(")", depth-1)
	f := parse(t, record)
	if f.Len() != depth || int(f.Parent[depth-1]) != depth-2 || int(f.End[0]) != depth {
		t.Fatalf("%d nodes, want %d", f.Len(), depth)
	}
	if got := f.Append(nil); string(got) != record {
		t.Fatal("the canonical form of a chain differs")
	}
}

// TestMemoryIsReused: a second parse of the same record allocates nothing.
func TestMemoryIsReused(t *testing.T) {
	record := []byte("(S (NP it) (VP (V is)))")
	f := parse(t, string(record))
	if n := testing.AllocsPerRun(10, func() { _ = f.Parse(record) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"(S (NP it))", "( (a) b)(c)", `(\s\( ())`, "((((", "a)", `(\x)`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, record []byte) {
		var once, twice bracket.Forest
		if once.Parse(record) != nil {
			return
		}
		checkArrays(t, &once)
		written := once.Append(nil)
		if err := twice.Parse(written); err != nil {
			t.Fatalf("%q written as %q: %v", record, written, err)
		}
		if !slices.Equal(once.End, twice.End) || !bytes.Equal(twice.Append(nil), written) {
			t.Fatalf("%q written as %q", record, written)
		}
		for i := range once.End {
			if !bytes.Equal(once.Label(i), twice.Label(i)) {
				t.Fatalf("label %d: %q, then %q", i, once.Label(i), twice.Label(i))
			}
		}
	})
}
