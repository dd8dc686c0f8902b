package treekernel_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/treekernel"
)

// dataTrees reads lines label<TAB>tree.
func dataTrees(b *testing.B, path ...string) *stringkernel.Corpus {
	var c stringkernel.CorpusBuilder
	for _, line := range dataLines(b, path...) {
		_, tree, _ := strings.Cut(line, "\t")
		c.Add("", []byte(tree))
	}
	return c.Corpus()
}

// BenchmarkINEX indexes the training trees of INEX 2005, the first step of training.
func BenchmarkINEX(b *testing.B) {
	c := dataTrees(b, "tree-inex2005", "train.tsv.gz")
	for _, k := range append(linear, treekernel.PTK{Lambda: 1, Mu: 0.4, Terminal: 1, Size: 4}) {
		b.Run(fmt.Sprintf("%T", k), func(b *testing.B) {
			for b.Loop() {
				if _, err := k.Gram(b.Context(), c); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
