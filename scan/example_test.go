package scan_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/scan"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// The windows of six letters that the sum of their dinucleotides TA speaks for, without those that overlap a better
// one.
func Example() {
	var sv stringkernel.CorpusBuilder
	sv.Add("x", []byte("TATATA"))
	scorer, err := stringkernel.Merge(context.Background(), spectrum.Kernel{K: 2, Alphabet: stringkernel.DNA}, sv.Corpus(),
		[]float64{1})
	if err != nil {
		fmt.Println(err)
		return
	}
	classifier := &decide.Classifier{
		Rule: decide.Rule{
			Classes: []string{"other", "TATA"}, Scheme: decide.TwoClass, Positive: 1,
			Machines: []decide.Binary{{Positive: 1, Rho: 6}},
		},
		Scorer: scorer,
	}
	scanner, err := scan.New(scan.Options{Classifier: classifier, Alphabet: stringkernel.DNA, Class: 1, Window: 6,
		Plus: true, Strandless: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	genome := strings.NewReader(">chr1\nGGCTATAAAGGGC\nCTTATATG\n>chr2\nGGG\n")
	source := func(visit func(seqio.Chunk) error) error {
		return seqio.Stream(genome, "genome.fa", scanner.Stream(seqio.CaseUpper), visit)
	}
	best := &scan.Suppressor{Distance: 6, Next: printer{}}
	err = scanner.Run(context.Background(), source,
		scan.Job{Least: scan.NewThreshold(0), Emit: func(b *scan.Batch) error {
			for _, h := range b.Hits {
				if err := best.Add(scanner.Region(b, h)); err != nil {
					return err
				}
			}
			return nil
		}})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := best.End(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// chr1:1-7 2
	// chr1:14-20 4
}

type printer struct{}

func (printer) Add(r scan.Region) error {
	_, err := fmt.Printf("%s:%d-%d %v\n", r.Record, r.Start, r.End, r.Score)
	return err
}

func (printer) End() error { return nil }
