package spectrum_test

import (
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// GATTACA and TACATA share the 3-mers TAC and ACA, once each; N breaks k-mers.
func ExampleKernel() {
	k := spectrum.Kernel{K: 3, Alphabet: stringkernel.DNA}
	fmt.Println(k.Eval([]byte("GATTACA"), []byte("TACATA")))
	fmt.Println(k.Eval([]byte("GATTACA"), []byte("TACNATA")))
	k.Bounded = true // and k-mers of 1 and 2 letters
	fmt.Println(k.Eval([]byte("GATTACA"), []byte("TACATA")))
	fmt.Println(spectrum.Kernel{K: 40, Alphabet: stringkernel.DNA}.Check())
	// Output:
	// 2
	// 1
	// 21
	// spectrum: k = 40, want 1…32 for alphabet dna; substring:weight=fixed counts longer k-mers
}

func ExampleKernel_Gram() {
	c, err := stringkernel.NewCorpus([][]byte{[]byte("GATTACA"), []byte("TACATA"), []byte("CCC")}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	g, err := spectrum.Kernel{K: 2, Alphabet: stringkernel.DNA}.Gram(context.Background(), c)
	if err != nil {
		fmt.Println(err)
		return
	}
	row, product := make([]float64, g.Len()), make([]float64, g.Len())
	g.Row(row, 0)
	g.MulVecTo(product, []float64{1, -1, 0.5})
	fmt.Println(row, product)
	// Output: [6 5 0] [1 -2 2]
}

// The score of a sequence and what each of its positions contributes.
func ExampleKernel_Merge() {
	sv, err := stringkernel.NewCorpus([][]byte{[]byte("GATTACA"), []byte("CCCC")}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := stringkernel.Merge(context.Background(), spectrum.Kernel{K: 2, Alphabet: stringkernel.DNA}, sv, []float64{1, -1})
	if err != nil {
		fmt.Println(err)
		return
	}
	x := []byte("ATCC")
	score, parts := make([]float64, s.Outputs()), make([]float64, len(x))
	s.ScoreTo(score, x)
	stringkernel.ExplainerOf(s).ExplainTo(parts, 0, x)
	fmt.Println(score, parts)
	// Output: [-2] [0.5 0.5 -1.5 -1.5]
}
