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
