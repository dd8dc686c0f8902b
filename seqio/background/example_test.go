package background_test

import (
	"fmt"
	"strings"

	"github.com/seqsvm/seqsvm/seqio/background"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// A shuffle has the dinucleotides of its sequence, and N where it was.
func ExampleShuffler() {
	s := background.Shuffler{K: 2, Alphabet: stringkernel.DNA}
	if err := s.Check(); err != nil {
		fmt.Println(err)
		return
	}
	x := "ACGTACGGTACGTTACGAACGNNNNCGCGTATTCG"
	y := string(s.ShuffleTo(nil, []byte(x), background.NewRand(1, 0, 0)))
	fmt.Println(strings.Count(x, "CG"), strings.Count(y, "CG"), x != y,
		strings.Index(y, "NNNN") == strings.Index(x, "NNNN"))
	// Output: 8 8 true true
}
