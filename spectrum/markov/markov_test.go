package markov

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/drawn"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
)

var (
	_ compose.Stranded      = Kernel{}
	_ stringkernel.Fitter   = Kernel{}
	_ stringkernel.Restorer = Kernel{}
)

func draw(rng *rand.Rand, letters string, n int) string {
	x := drawn.Text(rng, letters, n)
	return string(x)
}

func corpusOf(t testing.TB, records ...string) *stringkernel.Corpus {
	t.Helper()
	x := make([][]byte, len(records))
	for i, record := range records {
		x[i] = []byte(record)
	}
	return must.Get(stringkernel.NewCorpus(x, nil))(t)
}

// step is a letter after its context, at a place or, of a homogeneous chain, anywhere: -1.
type step struct {
	place   int
	context string
	letter  byte
}

// stepsOf counts the letters of x after their contexts, by definition, up to a length.
func (k Kernel) stepsOf(x string, length int) map[step]float64 {
	counts := map[step]float64{}
	for p := 0; p < min(len(x), length); p++ {
		word := x[max(0, p-k.Order) : p+1]
		if strings.Trim(word, k.Alphabet.Letters()) != "" {
			continue
		}
		s := step{-1, word[:len(word)-1], x[p]}
		if k.Positional {
			s.place = p
		}
		counts[s]++
	}
	return counts
}

// defined is a chain by definition.
type defined struct {
	kernel Kernel
	counts map[step]float64
	n      float64
	length int
}

func (k Kernel) defined(records []string) defined {
	d := defined{k, map[step]float64{}, float64(len(records)), math.MaxInt}
	if k.Positional {
		d.length = 0
	}
	for _, x := range records {
		if k.Positional {
			d.length = max(d.length, len(x))
		}
		for s, count := range k.stepsOf(x, math.MaxInt) {
			d.counts[s] += count
		}
	}
	return d
}

// seen returns how often a letter is seen after the end of its context, as long a context as there is at its place, and
// how often any letter is.
func (d defined) seen(s step, end string) (count, total float64) {
	for other, n := range d.counts {
		if other.place == s.place && len(other.context) == len(s.context) && strings.HasSuffix(other.context, end) {
			total += n
			if other.letter == s.letter {
				count += n
			}
		}
	}
	return count, total
}

// theta returns θ, and N_a + ασ.
func (d defined) theta(s step) (theta, total float64) {
	weight := 4 * d.kernel.Pseudo
	theta = 0.25
	for i := len(s.context); i >= 0; i-- {
		count, all := d.seen(s, s.context[i:])
		total = all + weight
		theta = (count + weight*theta) / total
	}
	return theta, total
}

// scores returns the s_ab that are not 0.
func (d defined) scores(x string) map[step]float64 {
	counts, out := d.kernel.stepsOf(x, d.length), map[step]float64{}
	for s := range counts {
		total := 0.0
		for _, b := range []byte(d.kernel.Alphabet.Letters()) {
			total += counts[step{s.place, s.context, b}]
		}
		for _, b := range []byte(d.kernel.Alphabet.Letters()) {
			s.letter = b
			theta, seen := d.theta(s)
			out[s] = (counts[s] - total*theta) / math.Sqrt(seen/d.n*theta)
		}
	}
	return out
}

func (d defined) logLikelihood(x string) (sum float64) {
	for s, count := range d.kernel.stepsOf(x, d.length) {
		theta, _ := d.theta(s)
		sum += count * math.Log(theta)
	}
	return sum
}

// valueOf is the kernel by definition, of records with classes if they are given.
func (k Kernel) valueOf(records []string, classes []int, x, y string) (sum float64) {
	groups := map[int][]string{}
	for i, record := range records {
		class := 0
		if k.Top {
			class = classes[i]
		}
		groups[class] = append(groups[class], record)
	}
	longest := k.defined(records).length
	for c, members := range groups {
		chain := k.defined(members)
		chain.length = longest
		other := chain.scores(y)
		for s, value := range chain.scores(x) {
			sum += value * other[s]
		}
		for d, others := range groups {
			if d > c {
				rival := k.defined(others)
				rival.length = longest
				sum += (chain.logLikelihood(x) - rival.logLikelihood(x)) *
					(chain.logLikelihood(y) - rival.logLikelihood(y)) / float64(len(groups)-1) *
					math.Pow(cmp.Or(k.Odds, 1), 2)
			}
		}
	}
	return sum
}

func drawKernel(rng *rand.Rand) Kernel {
	k := Kernel{Order: rng.IntN(4), Positional: rng.IntN(2) == 0, Top: rng.IntN(2) == 0,
		Pseudo: 0.1 + rng.Float64(), Alphabet: stringkernel.DNA}
	if k.Top && rng.IntN(2) == 0 {
		k.Odds = 3 * rng.Float64()
	}
	return k
}

func TestByDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		k, records, classes := drawKernel(rng), make([]string, 9), make([]int, 9)
		for i := range records {
			records[i], classes[i] = draw(rng, "ACGTN", rng.IntN(15)), 5*(i%3)
		}
		fitted := must.Get(k.Fit(t.Context(), corpusOf(t, records...).WithClasses(classes)))(t)
		for range 5 {
			x, y := draw(rng, "ACGTACGTN", rng.IntN(20)), draw(rng, "ACGTACGTN", rng.IntN(20))
			got, want := fitted.Eval([]byte(x), []byte(y)), k.valueOf(records, classes, x, y)
			if math.Abs(got-want) > 1e-9*(1+math.Abs(want)) {
				t.Fatalf("%+v: k(%s, %s) = %v, by definition %v", k, x, y, got, want)
			}
		}
	}
}

// TestProbabilities: those of all sequences of one length sum to 1, in places of training and beyond.
func TestProbabilities(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		k := drawKernel(rng)
		c := must.Get(k.Learn(t.Context(), corpusOf(t, draw(rng, "ACGT", 3), draw(rng, "ACGNT", 4), draw(rng, "ACGT", 2))))(t)
		sum, x := 0.0, make([]byte, 5)
		for code := range 1 << (2 * len(x)) {
			for i := range x {
				x[i] = "ACGT"[code>>(2*i)&3]
			}
			sum += math.Exp(c.LogLikelihood(x))
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Errorf("%+v: probabilities sum to %v", k, sum)
		}
	}
}

// classed fits a kernel to records with classes, by their places and lengths; where one record has none beside it, to
// no classes.
type classed struct{ Kernel }

func (k classed) with(c *stringkernel.Corpus) (Kernel, *stringkernel.Corpus) {
	classes := make([]int, c.Len())
	for i := range classes {
		classes[i] = i % 3
	}
	k.Top = c.Len() > 1
	return k.Kernel, c.WithClasses(classes)
}

func (k classed) Fit(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Kernel, error) {
	kernel, of := k.with(c)
	return kernel.Fit(ctx, of)
}

func (k classed) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	kernel, of := k.with(c)
	return kernel.Gram(ctx, of)
}

func TestConformance(t *testing.T) {
	for order := range 3 {
		for _, positional := range []bool{false, true} {
			k := Kernel{Order: order, Positional: positional, Pseudo: 0.5, Alphabet: stringkernel.DNA}
			options := kerneltest.Options{Letters: "ACGT", Breaks: "N"}
			t.Run(fmt.Sprintf("order %d, positional %v", order, positional), func(t *testing.T) {
				kerneltest.Run(t, k, options)
				t.Run("rc", func(t *testing.T) { kerneltest.Run(t, compose.Normalized(k.BothStrands()), options) })
				k.Top = true
				t.Run("top", func(t *testing.T) { kerneltest.Run(t, classed{k}, options) })
			})
		}
	}
}

// TestStrands: a kernel that counts both strands has the values of the wrapper that does.
func TestStrands(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	for range 50 {
		k, records := drawKernel(rng), make([]string, 6)
		for i := range records {
			records[i] = draw(rng, "ACGTN", rng.IntN(15))
		}
		c := corpusOf(t, records...).WithClasses([]int{0, 1, 0, 1, 0, 1})
		own := must.Get(compose.OnBothStrands(k, stringkernel.DNA).(Kernel).Fit(t.Context(), c))(t)
		wrapped := must.Get(stringkernel.Fit(t.Context(), compose.BothStrands(k, stringkernel.DNA), c))(t)
		x, y := []byte(draw(rng, "ACGTN", rng.IntN(15))), []byte(draw(rng, "ACGTN", rng.IntN(15)))
		if got, want := own.Eval(x, y), wrapped.Eval(x, y); math.Abs(got-want) > 1e-9*(1+math.Abs(want)) {
			t.Errorf("%+v: k(%s, %s) = %v, of the wrapper %v", k, x, y, got, want)
		}
	}
}

func TestRefuses(t *testing.T) {
	for _, c := range []struct {
		kernel Kernel
		want   string
	}{
		{Kernel{Order: -1, Pseudo: 1, Alphabet: stringkernel.DNA}, "markov: order = -1, want 0…11 for 4 letters"},
		{Kernel{Order: 12, Pseudo: 1, Alphabet: stringkernel.DNA}, "markov: order = 12, want 0…11 for 4 letters"},
		{Kernel{Order: 3, Pseudo: 1}, "markov: order = 3, want 0…2 for 256 letters"},
		{Kernel{Alphabet: stringkernel.DNA}, "markov: pseudo = 0, want above 0, at most 1e+09"},
		{Kernel{Odds: 2, Pseudo: 1, Alphabet: stringkernel.DNA}, "markov: odds = 2 without top, whose log odds it weighs"},
		{Kernel{Odds: -1, Top: true, Pseudo: 1, Alphabet: stringkernel.DNA},
			"markov: odds = -1, want above 0, at most 1e+06"},
		{Kernel{Pseudo: math.NaN(), Alphabet: stringkernel.DNA}, "markov: pseudo = NaN, want above 0, at most 1e+09"},
	} {
		if err := c.kernel.Check(); err == nil || err.Error() != c.want {
			t.Errorf("%+v: %v, want %s", c.kernel, err, c.want)
		}
	}
	top := Kernel{Top: true, Pseudo: 1, Alphabet: stringkernel.DNA}
	one := corpusOf(t, "A", "C").WithClasses([]int{1, 1})
	for want, corpus := range map[string]*stringkernel.Corpus{
		"markov: top: " + stringkernel.ErrNoClasses.Error() + ": want labels, or markov without top": corpusOf(t, "ACGT"),
		"markov: top needs records of two classes or more, these are of 1":                           one,
		"markov: 6.87e+10 probabilities, want at most 2147483646: take a lower order":                nil,
	} {
		k := top
		if corpus == nil {
			k = Kernel{Order: 11, Positional: true, Pseudo: 1, Alphabet: stringkernel.DNA}
			corpus = corpusOf(t, strings.Repeat("A", 4106))
		}
		if _, err := k.Gram(t.Context(), corpus); err == nil || err.Error() != want {
			t.Errorf("%+v: %v, want %s", k, err, want)
		}
	}
}
