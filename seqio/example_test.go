package seqio_test

import (
	"fmt"
	"strings"

	"github.com/seqsvm/seqsvm/seqio"
)

func Example() {
	const fasta = `>promoter1 +1
GCCTTCTCCAAAACGTGTTTTTTG
TTGTTAATTCGGTG
>control1 label=-1 from an intron
ttagcggatcctacctgacg
`
	set, err := seqio.Read(strings.NewReader(fasta), "example.fa", seqio.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(set.Format, set.DetectAlphabet(), set.Corpus.Letters(), "letters")
	for i := range set.Len() {
		fmt.Printf("line %d: %s %s %s\n", set.Lines[i], set.Corpus.Name(i), set.Label(i), set.Corpus.Seq(i))
	}

	_, err = seqio.Read(strings.NewReader(">x\nACGT\nACNT\n"), "strict.fa",
		seqio.Options{Ambiguous: seqio.AmbiguousError, Alphabet: "dna"})
	fmt.Println(err)
	// Output:
	// fasta dna 58 letters
	// line 1: promoter1 +1 GCCTTCTCCAAAACGTGTTTTTTGTTGTTAATTCGGTG
	// line 4: control1 -1 TTAGCGGATCCTACCTGACG
	// strict.fa:3: record "x": letter 'N' is not DNA
}

func ExampleLabelTable() {
	set, err := seqio.Read(strings.NewReader(">a\nACGT\n>b\nTTTT\n"), "example.fa", seqio.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	table, err := seqio.ReadLabels(strings.NewReader("# id, label\nb\tno\na\tyes\n"), "labels.tsv")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(table.Apply(set), set.Labels)
	// Output: <nil> [yes no]
}
