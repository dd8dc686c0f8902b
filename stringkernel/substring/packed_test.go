package substring_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
)

// Package spectrum counts the same substrings as the suffix structures: the same integers, to the last bit. That of
// nucleotides stands in for them in compiled kernels.
func TestEqualsTheSpectrumKernel(t *testing.T) {
	for a, letters := range map[stringkernel.Alphabet]string{
		stringkernel.DNA: "ACGTN", stringkernel.RNA: "ACGUT", stringkernel.Protein: "ACDLX", stringkernel.Bytes: "ab\x00\xff",
	} {
		for _, length := range []int{1, 2, 3, 5, 8} {
			for _, bounded := range []bool{false, true} {
				k := spectrum.Kernel{K: length, Bounded: bounded, Alphabet: a}
				t.Run(fmt.Sprint(k), func(t *testing.T) { equalsSpectrum(t, k, letters) })
			}
		}
	}
}

func equalsSpectrum(t *testing.T, theirs spectrum.Kernel, letters string) {
	mine := substring.Kernel{Weight: substring.Fixed, K: theirs.K, Alphabet: theirs.Alphabet}
	if theirs.Bounded {
		mine.Weight = substring.Bounded
	}
	rng := rand.New(rand.NewPCG(14, uint64(theirs.K)))
	seqs := [][]byte{nil}
	for i := range 11 {
		seqs = append(seqs, text(rng, letters[:2+i%(len(letters)-1)], rng.IntN(80)))
	}
	c, err := stringkernel.NewCorpus(seqs, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, want := matrixOf(t, mine, c), matrixOf(t, theirs, c)
	if !slices.Equal(got, want) {
		t.Fatalf("matrix %v, by package spectrum %v", got, want)
	}
	for i := range c.Len() {
		for j := range c.Len() {
			if value := mine.Eval(c.Seq(i), c.Seq(j)); value != want[i*c.Len()+j] {
				t.Fatalf("%d, %d: %v, by package spectrum %v", i, j, value, want[i*c.Len()+j])
			}
		}
	}
}

func text(rng *rand.Rand, letters string, n int) []byte {
	x := make([]byte, n)
	for i := range x {
		x[i] = letters[rng.IntN(len(letters))]
	}
	return x
}

// matrixOf returns the rows of a matrix and its diagonal.
func matrixOf(t *testing.T, k stringkernel.Kernel, c *stringkernel.Corpus) []float64 {
	t.Helper()
	g, err := k.Gram(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	n := c.Len()
	all := make([]float64, n*n+n)
	for i := range n {
		g.Row(all[i*n:(i+1)*n], i)
	}
	g.Diag(all[n*n:])
	return all
}

// ready is a compiled kernel, which is not what its parameters alone are.
type ready struct{ substring.Kernel }

// A compiled kernel of short nucleotide strings conforms as the others do, and has the options of package spectrum.
func TestCompiledConforms(t *testing.T) {
	for _, k := range []substring.Kernel{
		{Weight: substring.Fixed, K: 3, Alphabet: stringkernel.DNA},
		{Weight: substring.Bounded, K: 4, Alphabet: stringkernel.DNA},
		{Weight: substring.Bounded, K: 10, Alphabet: stringkernel.DNA},
		{Weight: substring.Fixed, K: 3, Count: stringkernel.CountPresence, Alphabet: stringkernel.DNA},
		{Weight: substring.Bounded, K: 4, Count: stringkernel.CountSqrt, Alphabet: stringkernel.DNA},
		{Weight: substring.Bounded, K: 10, Count: stringkernel.CountLog, Alphabet: stringkernel.DNA},
		{Weight: substring.Bounded, K: 11, Count: stringkernel.CountLog, Alphabet: stringkernel.DNA},
		{Weight: substring.Fixed, K: 12, Count: stringkernel.CountSublinear, Alphabet: stringkernel.DNA},
	} {
		compiled, err := k.Compile()
		if err != nil {
			t.Fatal(err)
		}
		want := k.K < 10 || !k.Count.Linear() && (k.K == 10 || k.Weight == substring.Fixed)
		if short := stringkernel.EnumeratorOf(compiled) != nil; short != want {
			t.Errorf("%v: package spectrum's options %v", k, short)
		}
		kerneltest.Run(t, ready{compiled.(substring.Kernel)}, kerneltest.Options{Letters: "ACGT", Breaks: "N", MaxLength: 40})
	}
}

// Longer nucleotide strings are counted by package spectrum in training alone: the matrix has the same bits, and the
// product those of its rows up to rounding.
func TestCompiledMatrixOfLongerStrings(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 6))
	var b stringkernel.CorpusBuilder
	repeat := text(rng, "ACGT", 40)
	for i := range 30 {
		x := text(rng, "ACGTN", 60)
		if i%3 == 0 {
			x = append(x, repeat...)
		}
		b.Add("", x)
	}
	c := b.Corpus()
	for _, k := range []substring.Kernel{
		{Weight: substring.Fixed, K: 10}, {Weight: substring.Bounded, K: 10},
		{Weight: substring.Fixed, K: 32}, {Weight: substring.Bounded, K: 32}, {Weight: substring.Bounded, K: 33},
	} {
		k.Alphabet = stringkernel.DNA
		compiled, err := k.Compile()
		if err != nil {
			t.Fatal(err)
		}
		if got, want := matrixOf(t, compiled, c), matrixOf(t, k, c); !slices.Equal(got, want) {
			t.Errorf("%s, k = %d: another matrix than that of suffix structures", k.Weight, k.K)
		}
	}
}

// Through a function of counts, too, package spectrum has the values of suffix structures, on one strand and on both,
// whether records repeat many k-mers or few.
func TestCompiledCounts(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	var many, few stringkernel.CorpusBuilder
	for i := range 12 {
		many.Add("", slices.Concat(text(rng, "ACGTN"[:2+i%4], rng.IntN(70)), text(rng, "AC", 200)))
		x := text(rng, "ACGT", rng.IntN(400))
		copied := x[len(x)-min(30, len(x)):]
		few.Add("", slices.Concat(x, []byte("N"), copied, text(rng, "ACGT", 300)))
	}
	long := spectrum.Kernel{K: 16, Bounded: true, Count: stringkernel.CountSqrt, Alphabet: stringkernel.DNA}
	for _, c := range []*stringkernel.Corpus{many.Corpus(), few.Corpus()} {
		if g, err := long.LongGram(t.Context(), c); g == nil || err != nil {
			t.Fatalf("long k-mers are not in one list; error %v", err)
		}
		for _, count := range []stringkernel.Count{
			stringkernel.CountPresence, stringkernel.CountSqrt, stringkernel.CountLog, stringkernel.CountSublinear,
		} {
			for _, k := range []substring.Kernel{
				{Weight: substring.Fixed, K: 2}, {Weight: substring.Bounded, K: 1}, {Weight: substring.Bounded, K: 10},
				{Weight: substring.Bounded, K: 11}, {Weight: substring.Bounded, K: 32}, {Weight: substring.Bounded, K: 33},
				{Weight: substring.Fixed, K: 32},
			} {
				k.Count, k.Alphabet = count, stringkernel.DNA
				for _, slow := range []stringkernel.Kernel{k, k.Stranded().BothStrands()} {
					compiledCounts(t, slow.(substring.Kernel), c)
				}
			}
		}
	}
}

// compiledCounts compares the rows, the diagonal and a product of a kernel with those of the compiled one.
func compiledCounts(t *testing.T, k substring.Kernel, c *stringkernel.Corpus) {
	t.Helper()
	compiled, err := k.Compile()
	if err != nil {
		t.Fatal(err)
	}
	got, want := matrixOf(t, compiled, c), matrixOf(t, k, c)
	for i, w := range want {
		if math.Abs(got[i]-w) > 1e-12*(1+w) {
			t.Fatalf("%+v: entry %d is %v, by suffix structures %v", k, i, got[i], w)
		}
	}
	g, err := compiled.Gram(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	n := c.Len()
	v, product := make([]float64, n), make([]float64, n)
	for i := range v {
		v[i] = float64(i%5) - 2
	}
	g.MulVecTo(product, v)
	for i := range n {
		sum, size := 0.0, 0.0
		for j, w := range want[i*n : (i+1)*n] {
			sum += w * v[j]
			size += w * math.Abs(v[j])
		}
		if math.Abs(product[i]-sum) > 1e-12*(1+size) {
			t.Fatalf("%+v: entry %d of a product is %v, by rows of suffix structures %v", k, i, product[i], sum)
		}
	}
}

// The features of a model are those that suffix structures list, without their support.
func TestCompiledListsTheSameFeatures(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	var b stringkernel.CorpusBuilder
	var coef []float64
	for range 8 {
		x, a := text(rng, "ACGT", 30), rng.NormFloat64()
		for range 2 { // what occurs once is not listed
			b.Add("", x)
			coef = append(coef, a)
		}
	}
	c, k := b.Corpus(), substring.Kernel{Weight: substring.Bounded, K: 5, Alphabet: stringkernel.DNA}
	compiled, err := k.Compile()
	if err != nil {
		t.Fatal(err)
	}
	got, want := topFeatures(t, compiled, c, coef), topFeatures(t, k, c, coef)
	if len(want) < 20 || len(got) != len(want) {
		t.Fatalf("%d features, want the %d of suffix structures", len(got), len(want))
	}
	for name, weight := range want {
		if math.Abs(got[name]-weight) > 1e-12 {
			t.Errorf("%s: weight %v, by suffix structures %v", name, got[name], weight)
		}
	}
}

func topFeatures(
	t *testing.T, k stringkernel.Kernel, c *stringkernel.Corpus, coef []float64,
) map[string]float64 {
	t.Helper()
	s, err := stringkernel.Merge(t.Context(), k, c, coef)
	if err != nil {
		t.Fatal(err)
	}
	weights := map[string]float64{}
	for _, f := range stringkernel.FeatureListerOf(s).TopFeatures([]float64{1}, stringkernel.AllFeatures) {
		weights[f.Text] = f.Weight
	}
	return weights
}
