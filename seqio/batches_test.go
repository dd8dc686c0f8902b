package seqio

import (
	"context"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// TestFirstDecides: what the first records look like holds for those that come, which may look like something else.
func TestFirstDecides(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
		alphabet         stringkernel.Alphabet
	}{
		{"x.tsv", "label\ttext\na\tacgt\nb\tggua\n", "ACGT GGTA", stringkernel.DNA},
		{"x.tsv", "label\ttext\na\tsome words\nb\tacgt\n", "some words acgt", stringkernel.Bytes},
		{"x.fa", ">a\nacgu\n>b\nacgt\n", "ACGU ACGU", stringkernel.RNA},
		{"x.fa", ">a\nacgt\n>b\nMKLV\n", "ACGT MKLV", stringkernel.DNA},
	} {
		var first *Collection
		var got []string
		in := []Input{{Path: c.name, Reader: strings.NewReader(c.text)}}
		err := AllBatches(context.Background(), in, Options{FirstDecides: true}, 1, func(all *Collection) error {
			if first == nil {
				first = all
			}
			for i := range all.Corpus.Len() {
				got = append(got, string(all.Corpus.Seq(i)))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if text := strings.Join(got, " "); text != c.want || first.DetectAlphabet() != c.alphabet {
			t.Errorf("%q is %q in %s, want %q in %s", c.text, text, first.DetectAlphabet(), c.want, c.alphabet)
		}
	}
}
