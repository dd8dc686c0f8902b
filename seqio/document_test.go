package seqio_test

import (
	"testing"

	"github.com/seqsvm/seqsvm/seqio"
)

// An error about a record that was read names it by file, line and id, as far as the id is not the line.
func TestDocumentErrors(t *testing.T) {
	for _, c := range []struct {
		name, text string
		opt        seqio.Options
		want       string
	}{
		{"a.tsv", "a\tx\nb\ty\n", seqio.Options{}, "a.tsv:1: odd"},
		{"a.csv", "id,text\nd1,x\n", seqio.Options{}, `a.csv:2: record "d1": odd`},
		{"a.jsonl", `{"text":"x","id":7}`, seqio.Options{}, `a.jsonl:1: record "7": odd`},
		{"a", "x", seqio.Options{Format: seqio.Documents}, "a: odd"},
	} {
		s := seqio.MustRead(t, c.text, c.name, c.opt)
		if got := s.Errorf(0, "odd").Error(); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}
