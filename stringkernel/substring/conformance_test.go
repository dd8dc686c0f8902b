package substring_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/seqsvm/seqsvm/internal/drawn"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
)

// weightings pairs every weighting with its definition, w_s for a substring of length l (its φ part for tfidf).
var weightings = []struct {
	kernel substring.Kernel
	weight func(l int) float64
}{
	{substring.Kernel{Weight: substring.Fixed, K: 1}, func(l int) float64 { return indicator(l == 1) }},
	{substring.Kernel{Weight: substring.Fixed, K: 3}, func(l int) float64 { return indicator(l == 3) }},
	{substring.Kernel{Weight: substring.Fixed, K: 50}, func(l int) float64 { return indicator(l == 50) }},
	{substring.Kernel{Weight: substring.Bounded, K: 1}, func(l int) float64 { return indicator(l <= 1) }},
	{substring.Kernel{Weight: substring.Bounded, K: 4}, func(l int) float64 { return indicator(l <= 4) }},
	{substring.Kernel{Weight: substring.Constant}, func(int) float64 { return 1 }},
	{substring.Kernel{Weight: substring.Constant, K: 5}, func(l int) float64 { return indicator(l <= 5) }},
	{substring.Kernel{Weight: substring.Decay, Lambda: 0.5}, func(l int) float64 { return math.Pow(0.5, float64(l)) }},
	{substring.Kernel{Weight: substring.Decay, Lambda: 0.99}, func(l int) float64 {
		return math.Pow(0.99, float64(l))
	}},
	{substring.Kernel{Weight: substring.Decay, Lambda: 1.5, K: 6}, func(l int) float64 {
		return math.Pow(1.5, float64(l)) * indicator(l <= 6)
	}},
	{substring.Kernel{Weight: substring.Length, Weights: []float64{0.25, 0, 3, 1}}, func(l int) float64 {
		return append([]float64{0, 0.25, 0, 3, 1}, make([]float64, 1000)...)[l]
	}},
	{substring.Kernel{Weight: substring.TFIDF}, func(int) float64 { return 1 }},
	{substring.Kernel{Weight: substring.TFIDF, K: 4}, func(l int) float64 { return indicator(l <= 4) }},
	{substring.Kernel{Weight: substring.TFIDF, Lambda: 0.7}, func(l int) float64 { return math.Pow(0.7, float64(l)) }},
}

func indicator(true bool) float64 {
	if true {
		return 1
	}
	return 0
}

var alphabets = []struct {
	name   stringkernel.Alphabet
	draw   string // four letters, then others
	breaks string
}{
	{stringkernel.DNA, "ACGT", "Nn"}, {stringkernel.RNA, "ACGU", "T"}, {stringkernel.Protein, "ACDY", "X*"},
	{stringkernel.Bytes, "ab\x00\xff", ""},
}

// functions are those of counts.
var functions = map[stringkernel.Count]func(n float64) float64{
	"": func(n float64) float64 { return n }, stringkernel.CountPresence: func(float64) float64 { return 1 },
	stringkernel.CountSqrt: math.Sqrt, stringkernel.CountLog: func(n float64) float64 { return math.Log(1 + n) },
	stringkernel.CountSublinear: func(n float64) float64 { return 1 + math.Log(n) },
}

// symbols returns the letters of x, or its code points, between marks of its ends; −1 breaks.
func symbols(k substring.Kernel, x []byte) (all []rune) {
	code, some := k.Alphabet.Codes(), false
	for len(x) > 0 {
		symbol, size := rune(x[0]), 1
		if k.Unit == substring.RuneUnit {
			if symbol, size = utf8.DecodeRune(x); symbol == utf8.RuneError && size == 1 {
				symbol = -1
			}
		} else if k.Alphabet != "" && code[x[0]] < 0 {
			symbol = -1
		}
		all, x, some = append(all, symbol), x[size:], some || symbol >= 0
	}
	if k.Ends && some {
		return slices.Concat([]rune{utf8.MaxRune}, all, []rune{utf8.MaxRune - 1})
	}
	return all
}

// define returns the features of a kernel by definition: √w times a function of the count of one strand or, normalised,
// of both.
func define(
	k substring.Kernel, weight func(l int) float64, rc bool,
) func(*stringkernel.Corpus) func(x []byte) map[string]float64 {
	strands := func(x []byte) [][]byte {
		if rc {
			return [][]byte{x, k.Alphabet.ReverseComplementTo(nil, x)}
		}
		return [][]byte{x}
	}
	counts := func(strands ...[]byte) map[string]float64 {
		counts := map[string]float64{}
		for _, x := range strands {
			all := symbols(k, x)
			for i := range all {
				for j := i; j < len(all) && all[j] >= 0; j++ {
					if weight(j-i+1) > 0 {
						counts[string(all[i:j+1])]++
					}
				}
			}
		}
		return counts
	}
	return func(c *stringkernel.Corpus) func(x []byte) map[string]float64 {
		df, n := map[string]float64{}, 1.0
		for i := 0; i < c.Len() && k.Weight == substring.TFIDF; i++ {
			for _, x := range strands(c.Seq(i)) { // each is a document
				n++
				for s := range counts(x) {
					df[s]++
				}
			}
		}
		return func(x []byte) map[string]float64 {
			all, own := counts(strands(x)...), 0.0
			for s, count := range all {
				all[s] = functions[k.Count](count) * math.Sqrt(weight(utf8.RuneCountInString(s)))
				if k.Weight == substring.TFIDF {
					all[s] *= 1 + math.Log(n/(1+df[s]))
				}
				own += all[s] * all[s]
			}
			for s := range all {
				if rc {
					all[s] /= math.Sqrt(own)
				}
			}
			return all
		}
	}
}

// run runs the suite on a kernel or, with rc, on both strands, normalised.
func run(t *testing.T, k substring.Kernel, weight func(l int) float64, rc bool, opt kerneltest.Options) {
	t.Helper()
	opt.Define = define(k, weight, rc)
	kernel := stringkernel.Kernel(k)
	if rc {
		kernel = compose.Normalized(compose.OnBothStrands(k, k.Alphabet))
	}
	t.Run(fmt.Sprintf("%+v/rc=%v", k, rc), func(t *testing.T) { kerneltest.Run(t, kernel, opt) })
}

// TestConformance runs the suite on every weighting: on an alphabet, on both strands, through a function of counts, and
// on other units or with marks.
func TestConformance(t *testing.T) {
	counts := []stringkernel.Count{stringkernel.CountPresence, stringkernel.CountSqrt, stringkernel.CountLog,
		stringkernel.CountSublinear}
	units := []struct {
		ends            bool
		unit            substring.Unit
		alphabet        stringkernel.Alphabet
		letters, breaks string
	}{
		{false, substring.RuneUnit, "", "\xc3\xa9", "\xff"}, // é, and bytes that are none
		{true, substring.RuneUnit, stringkernel.Bytes, "ab\xc3\xa9", "\xff\xfe"},
		{true, substring.ByteUnit, stringkernel.Bytes, "ab\xc3\xa9", ""},
		{true, "", stringkernel.DNA, "ACGT", "N-"},
		{true, "", stringkernel.Protein, "AY", "X"},
	}
	for i, w := range weightings {
		k, a := w.kernel, alphabets[i/2%len(alphabets)]
		if k.Alphabet = a.name; i%2 == 1 {
			run(t, k, w.weight, false, kerneltest.Options{Letters: a.draw, Breaks: a.breaks, MaxLength: 28})
		}
		if k.Alphabet = stringkernel.DNA; i%2 == 0 || k.Weight == substring.TFIDF {
			k.Ends = i%4 == 0
			run(t, k, w.weight, true, kerneltest.Options{Letters: "ACGT", Breaks: "N", MaxLength: 28})
		} else {
			k.Count = counts[i/2%len(counts)]
			run(t, k, w.weight, i%4 == 1, kerneltest.Options{Letters: "ACGT", Breaks: "N", MaxLength: 28})
		}
		if i%3 > 0 {
			continue
		}
		k, u := w.kernel, units[i/3%len(units)]
		k.Unit, k.Ends, k.Alphabet = u.unit, u.ends, u.alphabet
		run(t, k, w.weight, false, kerneltest.Options{Letters: u.letters, Breaks: u.breaks, MaxLength: 30})
	}
}

// TestCompiledConformance does so for short strings of nucleotides, which package spectrum counts.
func TestCompiledConformance(t *testing.T) {
	for _, k := range []substring.Kernel{
		{Weight: substring.Fixed, K: 3}, {Weight: substring.Bounded, K: 4}, {Weight: substring.Bounded, K: 10},
		{Weight: substring.Fixed, K: 3, Count: stringkernel.CountPresence},
		{Weight: substring.Bounded, K: 10, Count: stringkernel.CountLog},
		{Weight: substring.Bounded, K: 11, Count: stringkernel.CountLog},
		{Weight: substring.Bounded, K: 33, Count: stringkernel.CountSqrt},
		{Weight: substring.Fixed, K: 12, Count: stringkernel.CountSublinear},
	} {
		k.Alphabet = stringkernel.DNA
		weight := func(l int) float64 { return indicator(l == k.K || k.Weight == substring.Bounded && l < k.K) }
		run(t, k, weight, k.K%2 == 0, kerneltest.Options{Letters: "ACGT", Breaks: "N", MaxLength: 30})
	}
}

// random draws letters.
func random(rng *rand.Rand, letters string, n int) []byte {
	return drawn.Text(rng, letters, n)
}

// records of random letters, some of which share long strings or repeat them.
func records(letters string, n, longest int) *stringkernel.Corpus {
	rng := rand.New(rand.NewPCG(uint64(n), uint64(longest)))
	var b stringkernel.CorpusBuilder
	b.Add("", nil)
	for i := range n {
		x := random(rng, letters, 1+rng.IntN(longest))
		switch i % 4 {
		case 1:
			x = slices.Concat(x, x)
		case 2:
			x = append(x, b.Letters()...)[:min(longest, len(x)+len(b.Letters()))]
		}
		b.Add("", x)
	}
	return b.Corpus()
}

// TestIndexes runs the suite on records that make the kernel choose each of its indexes.
func TestIndexes(t *testing.T) {
	every := make([]byte, 256)
	for b := range every {
		every[b] = byte(b)
	}
	long, many := records("ACGTN", 50, 80), records("ACGT", 1000, 20)
	bytes := records(string(every), 12, 300)
	chains := must.Get(stringkernel.NewCorpus([][]byte{
		[]byte(strings.Repeat("A", 120) + "C"), []byte("C" + strings.Repeat("A", 90)),
		[]byte(strings.Repeat("AC", 60) + "G"), []byte(strings.Repeat("CA", 70))}, nil))(t)
	for _, c := range []struct {
		index     string
		weighting int
		alphabet  stringkernel.Alphabet
		records   *stringkernel.Corpus
	}{
		{"a suffix tree", 5, stringkernel.DNA, long},
		{"a suffix tree of decaying weights", 8, stringkernel.DNA, long},
		{"a suffix tree of long strings", 2, stringkernel.DNA, long},
		{"a suffix tree by lengths", 10, stringkernel.Protein, long},
		{"a suffix tree by frequency", 11, stringkernel.DNA, long},
		{"a suffix tree of many records", 5, stringkernel.DNA, many},
		{"a suffix tree that is a chain", 8, stringkernel.DNA, chains},
		{"a chain by frequency", 11, stringkernel.DNA, chains},
		{"a suffix tree of all bytes", 4, stringkernel.Bytes, bytes},
		{"package spectrum", 4, stringkernel.DNA, records("ACGT", 5000, 20)},
	} {
		w := weightings[c.weighting]
		w.kernel.Alphabet = c.alphabet
		t.Run(c.index, func(t *testing.T) {
			run(t, w.kernel, w.weight, false, kerneltest.Options{MaxLength: 80, Records: c.records, Letters: "ACGT"})
		})
	}
}

// TestManyRecords multiplies with more records than 16 bits can number, of at most 6 letters, half of them empty.
func TestManyRecords(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	var b stringkernel.CorpusBuilder
	for j := range 66_000 {
		b.Add("", random(rng, "ACGT"[:3+j/60_000], max(0, rng.IntN(12)-5)))
	}
	c := b.Corpus()
	k := substring.Kernel{Weight: substring.Constant, Alphabet: stringkernel.DNA}
	features := define(k, func(int) float64 { return 1 }, false)(c)
	g := must.Get(k.Gram(t.Context(), c))(t)
	v, got, sum := make([]float64, c.Len()), make([]float64, c.Len()), map[string]float64{}
	for j := range v {
		v[j] = math.Sin(float64(j))
		for s, value := range features(c.Seq(j)) {
			sum[s] += v[j] * value
		}
	}
	g.MulVecTo(got, v)
	for j := range got {
		want := 0.0
		for s, value := range features(c.Seq(j)) {
			want += sum[s] * value
		}
		if math.Abs(got[j]-want) > 1e-7*(1+math.Abs(want)) {
			t.Fatalf("(K·v)[%d] = %v, by definition %v", j, got[j], want)
		}
	}
}
