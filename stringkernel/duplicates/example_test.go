package duplicates_test

import (
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/duplicates"
)

// The first two are windows of one place, 2 bases apart, on different strands; the third is another.
func ExampleFinder_Find() {
	var b stringkernel.CorpusBuilder
	b.Add("a", []byte("ACGTTGCAAGCTTCCGATATCGGATTACAGGC"))
	b.Add("b", []byte("CAGCCTGTAATCCGATATCGGAAGCTTGCAAC"))
	b.Add("c", []byte("TTTTACGGCATCAGGACTACCCATGCATTGAA"))
	found, err := duplicates.Finder{Alphabet: stringkernel.DNA, Similarity: 0.8}.Find(context.Background(), b.Corpus())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(found.Of)
	for _, p := range found.Pairs {
		fmt.Printf("%d and %d: %.2f\n", p.I, p.J, p.Similarity)
	}
	// Output:
	// [0 0 2]
	// 0 and 1: 0.88
}
