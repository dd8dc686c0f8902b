package seqsvm_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/seqsvm/seqsvm"
	"github.com/seqsvm/seqsvm/seqio"
)

// Learn from a file, save, load and predict.
func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "seqsvm")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "promoters.seqsvm")

	trained, err := seqsvm.Fit(ctx, "spectrum:k=6", seqsvm.Files("testdata/fasta/promoters.fa"), seqsvm.Options{})
	if err != nil {
		log.Fatal(err)
	}
	if err := trained.Save(path); err != nil {
		log.Fatal(err)
	}

	m, err := seqsvm.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	fasta := ">a\nGCGTTATTGACATTCGCGGAATAGCTGTATAATGCGCACCA\n>b\nCGAACGAGTCAATCAGACCGCTTTGACTCTGGTATTACTGTGA\n"
	predictions, err := m.Predict(ctx, seqio.Input{Path: "queries", Reader: strings.NewReader(fasta)})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.File.Kernel)
	for _, p := range predictions {
		fmt.Printf("%s %s %.2f\n", p.ID, p.Label, p.Scores[0])
	}
	// Output:
	// spectrum:k=6,alphabet=dna
	// a +1 0.71
	// b -1 -0.93
}

// Records of one class per file, a probability with each prediction.
func ExampleFit() {
	inputs := []seqio.Input{
		{Path: "with", Label: "TATA", Reader: strings.NewReader(
			">1\nGCTATAAAGGC\n>2\nCCTATAAATCC\n>3\nTATAAAGGCCG\n>4\nGGGTATAAACC\n>5\nCTATAAATGCG\n")},
		{Path: "without", Label: "other", Reader: strings.NewReader(
			">1\nGCGGCCAGGCC\n>2\nCCAGGCGTCGC\n>3\nGGCCGTGCAGC\n>4\nCGGCACGTTGC\n>5\nGTCCGCAGGAC\n")},
	}
	options := seqsvm.Options{Positive: "TATA", Probability: true}
	m, err := seqsvm.Fit(context.Background(), "spectrum:k=3,rc", inputs, options)
	if err != nil {
		log.Fatal(err)
	}
	p := m.Decide([]byte("GATATAAAGAC"))
	fmt.Println(p.Label, p.Probabilities[p.Class] > 0.5)
	// Output:
	// TATA true
}
