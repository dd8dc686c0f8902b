package spectrum_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/internal/drawn"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
)

// counts returns #_s(x) of every k-mer s that the kernel counts, by definition.
func counts(k spectrum.Kernel, x []byte) map[string]float64 {
	counts := map[string]float64{}
	letter := k.Alphabet.Codes()
	for i := range x {
		for j := i; j < len(x) && j-i < k.K && letter[x[j]] >= 0; j++ {
			if k.Bounded || j-i == k.K-1 {
				counts[string(x[i:j+1])]++
			}
		}
	}
	return counts
}

// define returns the features of the kernel by definition: functions of the counts of one strand or, normalised, of
// both, times 1 + ln((1 + n)/(1 + df)) with TFIDF.
func define(k spectrum.Kernel, rc bool) func(*stringkernel.Corpus) func(x []byte) map[string]float64 {
	values := func(x []byte) map[string]float64 {
		all := counts(k, x)
		if rc {
			for s, n := range counts(k, k.Alphabet.ReverseComplementTo(nil, x)) {
				all[s] += n
			}
		}
		for s, n := range all {
			switch k.Count {
			case stringkernel.CountPresence:
				all[s] = 1
			case stringkernel.CountSqrt:
				all[s] = math.Sqrt(n)
			case stringkernel.CountLog:
				all[s] = math.Log(1 + n)
			case stringkernel.CountSublinear:
				all[s] = 1 + math.Log(n)
			}
		}
		return all
	}
	normalised := func(all map[string]float64) map[string]float64 {
		own := 0.0
		for _, value := range all {
			own += value * value
		}
		for s := range all {
			if rc {
				all[s] /= math.Sqrt(own)
			}
		}
		return all
	}
	return func(c *stringkernel.Corpus) func(x []byte) map[string]float64 {
		if !k.TFIDF {
			return func(x []byte) map[string]float64 { return normalised(values(x)) }
		}
		df := map[string]float64{}
		for i := range c.Len() {
			for s := range values(c.Seq(i)) {
				df[s]++
			}
		}
		return func(x []byte) map[string]float64 {
			all := values(x)
			for s, value := range all {
				if all[s] = value * (1 + math.Log(float64(1+c.Len())/(1+df[s]))); df[s] == 0 {
					delete(all, s)
				}
			}
			return normalised(all)
		}
	}
}

// Letters of each alphabet, and others.
var letters = map[stringkernel.Alphabet][2]string{
	stringkernel.DNA: {"ACGT", "N"}, stringkernel.RNA: {"ACGU", "T"}, stringkernel.Bytes: {"ab c\x00\xff", ""},
	stringkernel.Protein: {"ACDEFGHIKLMNPQRSTVWY", "BJOUXZ*"}, "murphy10": {"ACDEFGHIKLMNPQRSTVWY", "X"},
}

// run runs the suite on a kernel, or on both strands, normalised.
func run(t *testing.T, k spectrum.Kernel, rc bool, opt kerneltest.Options) {
	t.Helper()
	opt.Define = define(k, rc)
	kernel := stringkernel.Kernel(k)
	if rc {
		kernel = compose.Normalized(compose.OnBothStrands(k, k.Alphabet))
	}
	of := letters[k.Alphabet]
	opt.Breaks = of[1]
	if opt.Letters == "" {
		opt.Letters = of[0]
	}
	t.Run(fmt.Sprintf("%+v/rc=%v", k, rc), func(t *testing.T) { kerneltest.Run(t, kernel, opt) })
}

func TestConformance(t *testing.T) {
	for _, c := range []struct {
		k       spectrum.Kernel
		letters string // few of them, where k-mers are long
	}{
		{spectrum.Kernel{K: 1, Alphabet: stringkernel.DNA}, ""},
		{spectrum.Kernel{K: 3, Alphabet: stringkernel.DNA}, ""},
		{spectrum.Kernel{K: 14, Alphabet: stringkernel.DNA}, "AC"},
		{spectrum.Kernel{K: 32, Alphabet: stringkernel.RNA}, "AU"},
		{spectrum.Kernel{K: 4, Bounded: true, Alphabet: stringkernel.DNA}, ""},
		{spectrum.Kernel{K: 32, Bounded: true, Alphabet: stringkernel.DNA}, "AC"},
		{spectrum.Kernel{K: 2, Alphabet: stringkernel.Protein}, ""},
		{spectrum.Kernel{K: 12, Bounded: true, Alphabet: stringkernel.Protein}, "LAVWY"},
		{spectrum.Kernel{K: 3, Bounded: true, Alphabet: "murphy10"}, ""},
		{spectrum.Kernel{K: 2, Alphabet: stringkernel.Bytes}, ""},
		{spectrum.Kernel{K: 8, Bounded: true, Alphabet: stringkernel.Bytes}, "ab\xff"},
	} {
		run(t, c.k, false, kerneltest.Options{Letters: c.letters, MaxLength: 60})
	}
}

var functions = []stringkernel.Count{
	stringkernel.CountPresence, stringkernel.CountSqrt, stringkernel.CountLog, stringkernel.CountSublinear,
	stringkernel.CountRaw,
}

// Functions of counts, and k-mers weighed by frequency, of one strand and of both.
func TestWeighedConformance(t *testing.T) {
	for i, c := range []struct {
		k       spectrum.Kernel
		letters string
	}{
		{spectrum.Kernel{K: 1, Alphabet: stringkernel.DNA}, ""},
		{spectrum.Kernel{K: 3, Alphabet: stringkernel.DNA}, ""},
		{spectrum.Kernel{K: 14, Alphabet: stringkernel.DNA}, "AC"},
		{spectrum.Kernel{K: 12, Bounded: true, Alphabet: stringkernel.RNA}, "AU"},
		{spectrum.Kernel{K: 3, Bounded: true, Alphabet: stringkernel.Protein}, "LAVWY"},
		{spectrum.Kernel{K: 8, Bounded: true, Alphabet: stringkernel.Bytes}, "ab\xff"},
	} {
		for j := range 2 {
			c.k.Count, c.k.TFIDF = functions[(2*i+j)%len(functions)], j == 1
			rc := c.k.Alphabet.Complementary() && (i+j)%2 == 0
			run(t, c.k, rc, kerneltest.Options{Letters: c.letters, MaxLength: 60})
		}
	}
}

func random(r *rand.Rand, letters string, n int) []byte {
	return drawn.Text(r, letters, n)
}

// records of an alphabet: as many letters as are wanted in records of 50 to 550, some of which repeat a motif or an
// earlier record, or are ten times as long; an empty one and one without a k-mer.
func records(a stringkernel.Alphabet, size int) *stringkernel.Corpus {
	r := rand.New(rand.NewPCG(uint64(size), 23))
	var b stringkernel.CorpusBuilder
	b.Add("", nil)
	of := letters[a]
	b.Add("", []byte(of[1]+of[0][:1]))
	for n := 0; len(b.Letters()) < size; n++ {
		x := random(r, of[0]+of[0]+of[0]+of[1], 50+r.IntN(500))
		switch {
		case n%7 == 3:
			x = bytes.Repeat(x[:5], len(x)/5)
		case n%7 == 5:
			x = append(x[:20], b.Letters()[len(b.Letters())-150:]...)
		case n%50 == 9:
			x = append(x, random(r, of[0], 10*len(x))...)
		}
		b.Add("", x)
	}
	return b.Corpus()
}

// bound are records whose counts are just below or above what sums of 16 bits hold.
func bound(letters int) *stringkernel.Corpus {
	var b stringkernel.CorpusBuilder
	for i := range 35 {
		b.Add("", bytes.Repeat([]byte{"AAC"[i%3]}, letters-i/30))
	}
	return b.Corpus()
}

// runs are records of long runs of a letter, whose counts do not fit into 16 bits.
func runs() *stringkernel.Corpus {
	var b stringkernel.CorpusBuilder
	for _, n := range []int{70_000, 300, 40, 7} {
		b.Add("", bytes.Repeat([]byte("A"), n))
		b.Add("", append(bytes.Repeat([]byte("C"), n/5), "ACGTTGCANGATTACA"...))
	}
	return b.Corpus()
}

// TestIndexes runs the suite on records that make the kernel choose each of its indexes.
func TestIndexes(t *testing.T) {
	dna, few := records(stringkernel.DNA, 66_000), records(stringkernel.DNA, 7_000)
	for _, c := range []struct {
		index   string
		k       spectrum.Kernel
		records *stringkernel.Corpus
		outputs int
	}{
		{"a table, records in whole matrices", spectrum.Kernel{K: 3}, dna, 2},
		{"a table and postings", spectrum.Kernel{K: 8}, dna, 2},
		{"a table, counts beyond 16 bits", spectrum.Kernel{K: 2}, runs(), 2},
		{"whole matrices of 16 bits", spectrum.Kernel{K: 6}, bound(260), 2},
		{"whole matrices of more", spectrum.Kernel{K: 5}, bound(261), 2},
		{"sorted k-mers", spectrum.Kernel{K: 12}, dna, 2},
		{"sorted k-mers, counts beyond 16 bits", spectrum.Kernel{K: 20}, runs(), 2},
		{"lists of support vectors", spectrum.Kernel{K: 9}, few, 300},
		{"many machines, counts", spectrum.Kernel{K: 9, Count: stringkernel.CountSqrt}, few, 300},
		{"a ladder of tables", spectrum.Kernel{K: 6, Bounded: true}, few, 2},
		{"a ladder and sorted k-mers", spectrum.Kernel{K: 10, Bounded: true}, few, 2},
		{"a ladder and sorted k-mers, counts beyond 16 bits", spectrum.Kernel{K: 11, Bounded: true}, runs(), 2},
		{"a suffix tree of nucleotides", spectrum.Kernel{K: 14, Bounded: true}, few, 2},
		{"a suffix tree", spectrum.Kernel{K: 5, Bounded: true, Alphabet: stringkernel.Protein},
			records(stringkernel.Protein, 10_000), 2},
		{"a suffix tree of bytes", spectrum.Kernel{K: 8, Bounded: true, Alphabet: stringkernel.Bytes},
			records(stringkernel.Bytes, 10_000), 2},
		{"a suffix tree, counts", spectrum.Kernel{K: 5, Bounded: true, Alphabet: stringkernel.Protein,
			Count: stringkernel.CountSqrt}, records(stringkernel.Protein, 10_000), 2},
		{"a table of counts", spectrum.Kernel{K: 6, Count: stringkernel.CountLog}, few, 2},
		{"a list of counts", spectrum.Kernel{K: 12, Count: stringkernel.CountPresence}, dna, 2},
		{"a ladder of counts", spectrum.Kernel{K: 6, Bounded: true, Count: stringkernel.CountSublinear}, few, 2},
		{"a suffix tree of nucleotides, counts", spectrum.Kernel{K: 12, Bounded: true, Count: stringkernel.CountSqrt}, few, 2},
		{"k-mers by frequency", spectrum.Kernel{K: 7, TFIDF: true}, few, 2},
	} {
		if c.k.Alphabet == "" {
			c.k.Alphabet = stringkernel.DNA
		}
		t.Run(c.index, func(t *testing.T) {
			run(t, c.k, false, kerneltest.Options{MaxLength: 200, Records: c.records, Outputs: c.outputs})
		})
	}
}
