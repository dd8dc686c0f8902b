//go:build heap

package spectrum_test

import (
	"bytes"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/seqsvm/seqsvm/internal/heaptest"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// All that is allocated to index long records, and to count one, is at most 8 bytes per letter, so that no moment of it
// takes more.
func TestHeapOfLongRecords(t *testing.T) {
	var b stringkernel.CorpusBuilder
	for _, unit := range []string{"A", "ACGTTGCA"} {
		b.Add("", bytes.Repeat([]byte(unit), 1<<22/len(unit)))
	}
	c := b.Corpus()
	for k := 1; k <= 8; k++ {
		kernel := spectrum.Kernel{K: k, Alphabet: stringkernel.DNA}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := kernel.Gram(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		kernel.SelfEval(c.Seq(0))
		runtime.ReadMemStats(&after)
		if per := float64(after.TotalAlloc-before.TotalAlloc) / float64(c.Letters()); per > 8 {
			t.Errorf("k = %d: %.1f bytes per letter are allocated, want at most 8", k, per)
		}
	}
}

// heapCorpora are random records, of which some or all are there twice, and records of long runs.
var heapCorpora = map[string]func(rng *rand.Rand, b *stringkernel.CorpusBuilder){
	"random": func(rng *rand.Rand, b *stringkernel.CorpusBuilder) { b.Add("", randomRecord(rng)) },
	"half shared": func(rng *rand.Rand, b *stringkernel.CorpusBuilder) {
		x := randomRecord(rng)
		b.Add("", x)
		b.Add("", x)
		b.Add("", randomRecord(rng))
		b.Add("", randomRecord(rng))
	},
	"all shared": func(rng *rand.Rand, b *stringkernel.CorpusBuilder) {
		x := randomRecord(rng)
		b.Add("", x)
		b.Add("", x)
	},
	"runs": func(rng *rand.Rand, b *stringkernel.CorpusBuilder) {
		var x []byte
		for len(x) < 500 {
			x = append(x, bytes.Repeat([]byte{"ACGT"[rng.IntN(4)]}, 1+rng.IntN(60))...)
		}
		b.Add("", x)
	},
}

func randomRecord(rng *rand.Rand) []byte { return random(rng, "ACGT", 500) }

// At no moment of indexing are there more bytes per letter: 4 for a list of the features by document or by feature, two
// of which there are at a time, 2 for the starts of features that two documents share; of the bounded kernel that for
// each length beyond those in arrays; with counts, a list of the k-mers that repeat besides. A tenth may be garbage.
func TestHeapOfIndexes(t *testing.T) {
	for name, add := range heapCorpora {
		rng := rand.New(rand.NewPCG(19, 19))
		var b stringkernel.CorpusBuilder
		for len(b.Letters()) < 1<<23 {
			add(rng, &b)
		}
		c := b.Corpus()
		for _, test := range []struct {
			k    spectrum.Kernel
			most float64
		}{
			{spectrum.Kernel{K: 8}, 2.5},
			{spectrum.Kernel{K: 10}, 6.5},
			{spectrum.Kernel{K: 11}, 12},
			{spectrum.Kernel{K: 16}, 12},
			{spectrum.Kernel{K: 10, Bounded: true}, 6},
			{spectrum.Kernel{K: 14, Bounded: true}, 45},
			{spectrum.Kernel{K: 8, Bounded: true, Count: stringkernel.CountSqrt}, 9},
		} {
			test.k.Alphabet = stringkernel.DNA
			var g stringkernel.Gram
			peak := heaptest.Peak(func() {
				var err error
				if g, err = test.k.Gram(t.Context(), c); err != nil {
					t.Fatal(err)
				}
			}) / float64(c.Letters())
			t.Logf("%s, %+v: %.1f bytes per letter", name, test.k, peak)
			if peak > test.most {
				t.Errorf("%s, %+v: %.1f bytes per letter at the peak, want at most %v", name, test.k, peak, test.most)
			}
			runtime.KeepAlive(g)
		}
	}
}

// At no moment of merging are there more than 8 bytes per letter beyond the weights, whatever the number of outputs,
// and none of it exceeds what is said beforehand. A tenth may be garbage.
func TestHeapOfMerges(t *testing.T) {
	for name, add := range heapCorpora {
		rng := rand.New(rand.NewPCG(20, 19))
		var b stringkernel.CorpusBuilder
		for len(b.Letters()) < 1<<23 {
			add(rng, &b)
		}
		c := b.Corpus()
		letters := float64(c.Letters())
		for _, test := range []struct {
			k       spectrum.Kernel
			outputs int
		}{
			{spectrum.Kernel{K: 16}, 1}, {spectrum.Kernel{K: 16}, 6}, {spectrum.Kernel{K: 14, Bounded: true}, 1},
		} {
			test.k.Alphabet = stringkernel.DNA
			coef := make([][]float64, test.outputs)
			for m := range coef {
				coef[m] = vector(rng, c.Len())
				for i := range coef[m] {
					coef[m][i] += 100 // of a support vector it is not 0
				}
			}
			before := heaptest.InUse()
			var s stringkernel.Scorer
			peak := heaptest.Peak(func() {
				var err error
				if s, err = stringkernel.Merge(t.Context(), test.k, c, coef...); err != nil {
					t.Fatal(err)
				}
			}) / letters
			kept := (heaptest.InUse() - before) / letters
			said := stringkernel.TraitsOf(test.k).MergeBytes(c.Len(), c.Letters(), test.outputs) / letters
			t.Logf("%s, %+v, %d outputs: %.1f bytes per letter at the peak, %.1f kept, %.1f said", name, test.k, test.outputs,
				peak, kept, said)
			if most := 1.1*(kept+8) + 0.2; peak > most || peak > 1.1*said {
				t.Errorf("%s, %+v, %d outputs: %.1f bytes per letter at the peak, want at most %.1f and %.1f",
					name, test.k, test.outputs, peak, most, said)
			}
			runtime.KeepAlive(s)
		}
	}
}
