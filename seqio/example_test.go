package seqio_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/matrix"
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

func ExampleNewTSV() {
	m, err := matrix.NewTSV(os.Stdout, true, []string{"a", "b"}, []string{"a", "b"}, -1)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, row := range [][]float64{{1, 0.25}, {0.25, 1}} {
		if err := m.WriteRow(i, row); err != nil {
			fmt.Println(err)
			return
		}
	}
	if err := m.Close(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 	a	b
	// a	1	0.25
	// b	0.25	1
}
