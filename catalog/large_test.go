package catalog

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// largeLetters is the size of the corpus of TestLargeCorpus: more than 32 bits count with a sign.
const largeLetters = 2_200_000_000

// A corpus of more than 2³¹ letters is read, indexed, multiplied with and merged. It repeats a few records, so that
// what it must give follows from their values of k(x, y). SEQSVM_LARGE has the size in letters, 2200000000 say, which
// takes 11 GB and some minutes; without it, the test is of a small corpus.
func TestLargeCorpus(t *testing.T) {
	letters := 300_000
	if text := os.Getenv("SEQSVM_LARGE"); text != "" {
		var err error
		if letters, err = strconv.Atoi(text); err != nil {
			t.Fatalf("SEQSVM_LARGE: %v, want %d or so", err, largeLetters)
		}
		defer memory.SetLimit(memory.Limit())
		memory.SetLimit(40 << 30)
	}
	const length, distinct = 1000, 7
	rng := rand.New(rand.NewPCG(1, 2))
	var records [distinct][]byte
	for a := range records {
		records[a] = make([]byte, length)
		for i := range records[a] {
			records[a][i] = "ACGT"[rng.IntN(4)]
		}
	}
	n := letters/length + 1
	corpus := readRepeated(t, records[:], n)
	if corpus.Len() != n || corpus.Letters() != n*length {
		t.Fatalf("%d records of %d letters", corpus.Len(), corpus.Letters())
	}
	small := must.Get(stringkernel.NewCorpus(records[:], nil))(t)
	for _, text := range []string{"spectrum:k=8,alphabet=dna", "gapped:l=8,k=6,alphabet=dna"} {
		t.Run(text, func(t *testing.T) { checkLarge(t, text, corpus, small) })
	}
}

// readRepeated reads FASTA of n records that repeat a few.
func readRepeated(t *testing.T, records [][]byte, n int) *stringkernel.Corpus {
	t.Helper()
	in, out := io.Pipe()
	go func() {
		w := bufio.NewWriterSize(out, 1<<20)
		for i := range n {
			fmt.Fprintf(w, ">%d\n%s\n", i, records[i%len(records)])
		}
		out.CloseWithError(w.Flush())
	}()
	set := must.Get(seqio.Read(in, "large.fa", seqio.Options{RepeatedIDs: true}))(t)
	return set.Corpus
}

// checkLarge compares a product and a merged scorer with sums of values of k.
func checkLarge(t *testing.T, text string, corpus, small *stringkernel.Corpus) {
	spec := must.Get(parse(text))(t)
	kernel := must.Get(build([]Term{spec}, false))(t)
	n, m := corpus.Len(), small.Len()
	v, sums := make([]float64, n), make([]float64, m)
	for i := range v {
		v[i] = float64(i%11) - 4
		sums[i%m] += v[i]
	}
	want := make([]float64, m)
	for a := range want {
		for b, sum := range sums {
			want[a] += sum * kernel.Eval(small.Seq(a), small.Seq(b))
		}
	}
	near := func(what string, i int, got float64) {
		if w := want[i%m]; math.Abs(got-w) > 1e-9*math.Abs(w) {
			t.Fatalf("%s of record %d: %v, want %v", what, i, got, w)
		}
	}
	gram := must.Get(kernel.Gram(t.Context(), corpus))(t)
	product := make([]float64, n)
	gram.MulVecTo(product, v)
	for i, got := range product {
		near("product", i, got)
	}
	scorer := must.Get(stringkernel.Merge(t.Context(), kernel, corpus, v))(t)
	var score [1]float64
	for i := range m {
		scorer.ScoreTo(score[:], small.Seq(i))
		near("score", i, score[0])
	}
}
