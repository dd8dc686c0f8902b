package scan

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/spectrum/gapped"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// BenchmarkGenome scans E. coli K-12, both strands, every position, for the thousand best windows of 200 letters; what
// is reported as bytes are windows. The genome is genome-ecoli-k12 of $SEQSVM_DATA (NCBI NC_000913), without it random
// letters of that length. Run it with -cpu 1.
func BenchmarkGenome(b *testing.B) {
	text := genomeOf(b)
	for _, c := range []struct {
		name   string
		kernel stringkernel.Kernel
	}{
		{"spectrum-k8", spectrum.Kernel{K: 8, Alphabet: dna}},
		{"spectrum-k8-bounded", spectrum.Kernel{K: 8, Bounded: true, Alphabet: dna}},
		{"gapped-l10-k6", gapped.Kernel{L: 10, K: 6, D: 3, Filter: gapped.Truncated, Alphabet: dna}},
	} {
		classifier := classifierOf(b, compose.Normalized{Kernel: c.kernel}, classify.TwoClass, 2)
		for _, raw := range []bool{true, false} {
			s, err := New(Options{Classifier: classifier, Alphabet: dna, Class: 1, Raw: raw, Window: 200, Plus: true,
				Minus: true})
			if err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("%s/raw=%v", c.name, raw), func(b *testing.B) {
				b.SetBytes(2 * int64(len(text)))
				for b.Loop() {
					best := &Top{N: 1000, Next: new(list), Least: NewThreshold(0)}
					err := s.Run(context.Background(), source(text, s.Stream(seqio.CaseUpper)),
						Job{Least: best.Least, Emit: func(batch *Batch) error {
							for _, h := range batch.Hits {
								if err := best.Add(s.Region(batch, h)); err != nil {
									return err
								}
							}
							return nil
						}})
					if err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// source cuts one record as a stream does.
func source(text []byte, opt seqio.StreamOptions) Source {
	return func(visit func(seqio.Chunk) error) error {
		for start := 0; ; start += opt.Size {
			end := min(start+opt.Size+opt.Overlap, len(text))
			if err := visit(seqio.Chunk{Record: "chr", Start: start, Seq: text[start:end],
				Last: end == len(text)}); err != nil || end == len(text) {
				return err
			}
		}
	}
}

func genomeOf(b *testing.B) []byte {
	if folder := os.Getenv("SEQSVM_DATA"); folder != "" {
		set, err := seqio.ReadFile(filepath.Join(folder, "genome-ecoli-k12", "genome.fa.gz"), seqio.Options{})
		if err != nil {
			b.Fatal(err)
		}
		return set.Corpus.Seq(0)
	}
	b.Log("SEQSVM_DATA is not set: random letters")
	return letters(rand.New(rand.NewPCG(1, 1)), "ACGT", 4_600_000)
}
