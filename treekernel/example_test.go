package treekernel_test

import (
	"fmt"

	"github.com/seqsvm/seqsvm/treekernel"
)

func ExampleSST() {
	k := treekernel.SST{Lambda: 1, Size: 3}
	x := []byte("(S (NP it) (VP (V rains)))")
	y := []byte("(S (NP it) (VP (V snows)))")
	// S → NP VP, NP → it, VP → V, and S with one of NP and VP expanded, and with both: 6 fragments
	fmt.Println(k.Eval(x, y))
	// Output: 6
}

func ExampleLabels_Canonical() {
	labels := treekernel.Labels{Unordered: true, After: "##"}
	for _, record := range []string{"(POS##NP LEX##b (POS##X c) LEX##a)", "(POS##NP LEX##a LEX##b (POS##X c))"} {
		canonical, err := labels.Canonical(nil, []byte(record))
		if err != nil {
			fmt.Println(err)
		}
		fmt.Printf("%s\n", canonical)
	}
	// Output:
	// (NP (X c) a b)
	// (NP (X c) a b)
}
