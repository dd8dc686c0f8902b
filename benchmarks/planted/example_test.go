package planted_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/seqsvm/seqsvm/benchmarks/planted"
)

func ExampleGenerate() {
	set, err := planted.Generate(planted.Options{N: 100, Length: 60, Motif: "TTGACAATTAAT", Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	carriers := 0
	for i, sequence := range set.Seqs {
		if set.Labels[i] == planted.PositiveLabel && strings.Contains(string(sequence), set.Motif) {
			carriers++
		}
	}
	fmt.Println(len(set.Seqs), "sequences,", carriers, "with the motif and label", planted.PositiveLabel)
	// Output: 100 sequences, 50 with the motif and label +1
}
