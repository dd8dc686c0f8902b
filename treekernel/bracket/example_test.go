package bracket_test

import (
	"fmt"
	"log"

	"github.com/seqsvm/seqsvm/treekernel/bracket"
)

func Example() {
	var w bracket.Writer
	w.OpenString("S")
	w.OpenString("NP")
	w.Leaf([]byte("New York"))
	w.Close()
	w.Close()
	fmt.Printf("%s\n", w.Bytes())

	var f bracket.Forest
	if err := f.Parse(w.Bytes()); err != nil {
		log.Fatal(err)
	}
	for child := 1; child < int(f.End[0]); child = int(f.End[child]) {
		fmt.Printf("%s has %d descendant\n", f.Label(child), int(f.End[child])-child-1)
	}
	fmt.Printf("%s\n", bracket.Unescape(nil, f.Label(2)))
	// Output:
	// (S (NP New\sYork))
	// NP has 1 descendant
	// New York
}
