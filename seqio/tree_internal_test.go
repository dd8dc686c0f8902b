package seqio

import (
	"errors"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
	"github.com/seqsvm/seqsvm/seqio/trees"
)

// FuzzNewickLines: the trees of records, one after another, are those of the input as one document, however it is cut
// into blocks, and an error of the one is one of the other.
func FuzzNewickLines(f *testing.F) {
	for _, text := range []string{";\n[", "(a,\nb)c;\n(d);", "[x\n](a,'b;\n');\n",
		"((a:1,\nb:2):0.5,\nc:3);\n\n;(e\n)[;\n];", "(a,b\n", "[[\n]"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		whole, wholeErr := Read(strings.NewReader(text), "t", Options{Format: Documents,
			Tree: trees.Options{Syntax: trees.Newick}})
		opt := Options{Format: Lines, Tree: trees.Options{Syntax: trees.Newick}}
		var want string
		lineByLine(func() { want = everything(text, "t", opt, 0) })
		inBlocks(4, func() {
			if got := everything(text, "t", opt, 0); got != want {
				t.Fatalf("%q: %s in blocks, want %s", text, got, want)
			}
		})
		set, err := Read(strings.NewReader(text), "t", opt)
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
