package trees_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/seqio/trees"
)

// BenchmarkConvert gives bytes of text per second for each syntax.
func BenchmarkConvert(b *testing.B) {
	speech := "<SPEECH>\n<SPEAKER>PHILO</SPEAKER>\n<LINE>Nay, but this dotage of our " +
		"general's</LINE>\n<LINE>O'erflows the measure: those his goodly eyes,</LINE>\n</SPEECH>\n"
	member := `{"id": 17, "name": "lorem ipsum", "tags": ["a", "b"], "place": {"x": 1.25, "y": -3}},`
	for _, c := range []struct {
		syntax trees.Syntax
		labels string
		text   string
	}{
		{trees.Penn, "", strings.Repeat("( (S (NP-SBJ (PRP it)) (VP (VBZ is) (ADJP (RB so) (JJ far))) (. .)) )\n",
			10000)},
		{trees.Newick, "", "(" + strings.Repeat("((Homo_sapiens:0.1,Pan_troglodytes:0.12)0.98:0.3,Mus_musculus:0.5),",
			10000) + "a);"},
		{trees.XML, "names", "<PLAY>" + strings.Repeat(speech, 5000) + "</PLAY>"},
		{trees.XML, "", "<PLAY>" + strings.Repeat(speech, 5000) + "</PLAY>"},
		{trees.HTML, "names", strings.Repeat("<div class=x><p>Lorem ipsum dolor <b>sit</b> "+
			"amet<ul><li>one<li>two</ul></div>\n", 10000)},
		{trees.HTML, "", strings.Repeat("<div class=x><p>Lorem ipsum dolor <b>sit</b> "+
			"amet<ul><li>one<li>two</ul></div>\n", 10000)},
		{trees.JSON, "", "[" + strings.Repeat(member, 10000) + "0]"},
		{trees.DotBracket, "", strings.Repeat("GGGAAACCCAU (((...))).. ", 30000)},
	} {
		b.Run(fmt.Sprintf("%s/labels=%s", c.syntax, c.labels), func(b *testing.B) {
			r, err := trees.New(trees.Options{Syntax: c.syntax, Labels: c.labels})
			if err != nil {
				b.Fatal(err)
			}
			var record []byte
			text := []byte(c.text)
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if record, err = r.Append(record[:0], text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
