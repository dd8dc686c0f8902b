package search_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/search"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// planted are random sequences over some letters, of which those of one class have a word at a random place, with one
// letter in five changed.
func planted(b *testing.B, n, length int, letters, word string) *classify.Dataset {
	b.Helper()
	rng := rand.New(rand.NewPCG(1, 1))
	var c stringkernel.CorpusBuilder
	labels := make([]string, n)
	for i := range n {
		x := make([]byte, length)
		for j := range x {
			x[j] = letters[rng.IntN(len(letters))]
		}
		if labels[i] = "without"; i%2 == 0 {
			labels[i] = "with"
			at := rng.IntN(length - len(word))
			for j := range len(word) {
				if rng.IntN(5) > 0 {
					x[at+j] = word[j]
				}
			}
		}
		c.Add(fmt.Sprint(i), x)
	}
	d, err := classify.NewDataset(c.Corpus(), labels, nil)
	if err != nil {
		b.Fatal(err)
	}
	return d
}

// BenchmarkSpectra searches spectrum kernels of six lengths, each of which has its own index, and reports which
// part of the time their indexes take.
func BenchmarkSpectra(b *testing.B) {
	const dna, protein = "ACGT", "ACDEFGHIKLMNPQRSTVWY"
	for _, set := range []struct {
		name    string
		data    *classify.Dataset
		kernel  spectrum.Kernel
		lengths []int
	}{
		{"dna", planted(b, 2000, 300, dna, "GATTACAGATTACA"), spectrum.Kernel{Alphabet: stringkernel.DNA},
			[]int{3, 4, 5, 6, 7, 8}},
		{"dna-long", planted(b, 2000, 300, dna, "GATTACAGATTACA"), spectrum.Kernel{Alphabet: stringkernel.DNA},
			[]int{9, 10, 11, 12, 13, 14}},
		{"dna-bounded", planted(b, 2000, 300, dna, "GATTACAGATTACA"),
			spectrum.Kernel{Alphabet: stringkernel.DNA, Bounded: true}, []int{3, 4, 5, 6, 7, 8}},
		{"protein", planted(b, 2000, 300, protein, "MKWVTF"), spectrum.Kernel{Alphabet: stringkernel.Protein},
			[]int{1, 2, 3, 4, 5, 6}},
	} {
		fold, err := set.data.Folds(5, 1)
		if err != nil {
			b.Fatal(err)
		}
		for _, costs := range [][]float64{{1}, {0.1, 0.3, 1, 3, 10}} {
			var s search.Search
			for _, length := range set.lengths {
				k := set.kernel
				k.K = length
				for _, c := range costs {
					s.Candidates = append(s.Candidates, classify.Trainer{Kernel: compose.Normalized{Kernel: k}, C: c})
				}
			}
			b.Run(fmt.Sprintf("%s/costs=%d", set.name, len(costs)), func(b *testing.B) {
				var indexing time.Duration
				for b.Loop() {
					start := time.Now()
					for at := 0; at < len(s.Candidates); at += len(costs) {
						if _, err := stringkernel.Share(b.Context(), set.data.Corpus,
							[]stringkernel.Kernel{s.Candidates[at].Kernel}); err != nil {
							b.Fatal(err)
						}
					}
					indexing += time.Since(start)
					if _, err := s.Run(context.Background(), set.data, fold); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(100*indexing.Seconds()/(b.Elapsed()-indexing).Seconds(), "%index")
			})
		}
	}
}
