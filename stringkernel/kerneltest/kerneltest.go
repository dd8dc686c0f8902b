// Package kerneltest is the conformance suite of the kernel contract: every implementation of stringkernel.Kernel
// passes
//
//	kerneltest.Run(t, spectrum.Kernel{K: 3, Alphabet: stringkernel.DNA}, kerneltest.Options{Letters: "ACGT"})
//
// It checks that all ways to the same number agree (row = Eval, product = Σ rows = merged score), that the kernel is
// positive semidefinite on random corpora, that contributions of positions and of features sum to the score, that
// windows of a long sequence score as they do alone, that sequences without features are harmless, that a stored form
// is restored to the bit and a damaged one refused without a panic, that wrappers forward its options, and that no
// result depends on what it is written over, on the order of calls or on concurrency (run it with -race). It does not
// know what the kernel should compute: a test against the definition belongs beside it.
package kerneltest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// Options tells the suite what sequences to try.
type Options struct {
	Letters    string  // letters to draw from; required
	Breaks     string  // letters outside the alphabet; default none
	MaxLength  int     // longest sequence drawn; default 40
	Length     int     // if positive, all sequences have this length (kernels on fixed windows)
	Tolerance  float64 // relative; default 1e-9
	Indefinite bool    // the kernel need not be positive semidefinite
	Seed       uint64

	// Draw, if given, draws the records of kernels that refuse others, such as trees. Letters are then only used for
	// sequences that scorers, which refuse nothing, are given besides.
	Draw func(*rand.Rand) []byte
}

// Run runs the suite as subtests.
func Run(t *testing.T, k stringkernel.Kernel, opt Options) {
	t.Helper()
	s, err := newSuite(k, opt)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range checks {
		t.Run(c.name, func(t *testing.T) { c.run(s, t) })
	}
}

// checks lists the parts of the suite in the order in which they run.
var checks = []struct {
	name string
	run  func(s *suite, t testing.TB)
}{
	{"fitting", (*suite).fitting}, // first: no other Fit has had its chance to change the kernel
	{"agreement", (*suite).agreement},
	{"windows", (*suite).windows},
	{"semidefinite", (*suite).semidefinite},
	{"edge sequences", (*suite).edges},
	{"explanation", (*suite).explanation},
	{"substitutions", (*suite).substitutions},
	{"features", (*suite).features},
	{"batches", (*suite).batches},
	{"merging", (*suite).merging},
	{"table", (*suite).table},
	{"space", (*suite).space},
	{"stored form", (*suite).stored},
	{"damaged stored form", (*suite).damaged},
	{"misuse", (*suite).misuse},
	{"inputs unchanged", (*suite).unchanged},
	{"concurrency", (*suite).concurrency},
	{"json", (*suite).json},
	{"wrappers", (*suite).wrappers},
}

type suite struct {
	Options
	parameters stringkernel.Kernel // as given
	kernel     stringkernel.Kernel // compiled
	rng        *rand.Rand
}

func newSuite(k stringkernel.Kernel, opt Options) (*suite, error) {
	if opt.Letters == "" {
		return nil, fmt.Errorf("kerneltest: Options.Letters is empty, want the letters to draw sequences from")
	}
	if opt.MaxLength == 0 {
		opt.MaxLength = 40
	}
	if opt.Tolerance == 0 {
		opt.Tolerance = 1e-9
	}
	compiled, err := stringkernel.Compile(k)
	if err != nil {
		return nil, fmt.Errorf("kerneltest: the kernel fails its Check: %w", err)
	}
	return &suite{Options: opt, parameters: k, kernel: compiled, rng: rand.New(rand.NewPCG(opt.Seed, 1))}, nil
}

// rounds returns how often a check draws: n times, a quarter of that with -short.
func rounds(n int) int {
	if testing.Short() {
		return n / 4
	}
	return n
}

// corpus draws n sequences, among them repeats of earlier ones and, unless lengths are fixed, an empty and a one-letter
// sequence.
func (s *suite) corpus(n int) *stringkernel.Corpus {
	var b stringkernel.CorpusBuilder
	seqs := make([][]byte, n)
	for i := range seqs {
		seqs[i] = s.sequence()
		switch {
		case i > 2 && s.rng.IntN(4) == 0:
			seqs[i] = seqs[s.rng.IntN(i)]
		case i == 1 && s.Length == 0:
			seqs[i] = nil
		case i == 2 && s.Length == 0 && s.Draw == nil:
			seqs[i] = []byte(s.Letters[:1])
		}
		b.Add(fmt.Sprintf("s%d", i), seqs[i])
	}
	return b.Corpus()
}

func (s *suite) sequence() []byte {
	if s.Draw != nil {
		return s.Draw(s.rng)
	}
	n := s.Length
	if n == 0 {
		n = s.rng.IntN(s.MaxLength + 1)
	}
	letters := s.Letters
	if s.rng.IntN(3) == 0 { // a repetitive sequence
		letters = letters[:min(2, len(letters))]
	}
	x := make([]byte, n)
	for i := range x {
		x[i] = letters[s.rng.IntN(len(letters))]
		if s.Breaks != "" && s.rng.IntN(12) == 0 {
			x[i] = s.Breaks[s.rng.IntN(len(s.Breaks))]
		}
	}
	return x
}

func (s *suite) vector(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = s.rng.NormFloat64()
	}
	return v
}

// spoiled returns a vector of NaN: it exposes a method that adds to it instead of overwriting it.
func spoiled(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = math.NaN()
	}
	return v
}

// near compares two values given the size of the terms they are sums of. For a kernel value that is |φ(x)|·|φ(y)|: sums
// over features may cancel from there down to 0. It is 0 for a sequence without features, whose values must be 0
// exactly.
func (s *suite) near(got, want, size float64) bool {
	return math.Abs(got-want) <= s.Tolerance*(math.Abs(size)+math.Abs(want)) || got == want
}

// fitted returns a suite for the kernel fitted to c, where that matters.
func (s *suite) fitted(t testing.TB, c *stringkernel.Corpus) *suite {
	t.Helper()
	k, err := stringkernel.Fit(t.Context(), s.kernel, c)
	if err != nil {
		t.Fatalf("Fit: %v", err)
	}
	f := *s
	f.kernel = k
	return &f
}

func (s *suite) gram(t testing.TB, c *stringkernel.Corpus) stringkernel.Gram {
	t.Helper()
	g, err := s.kernel.Gram(t.Context(), c)
	if err != nil {
		t.Fatalf("Gram: %v", err)
	}
	if g.Len() != c.Len() {
		t.Fatalf("Len() = %d for %d sequences", g.Len(), c.Len())
	}
	return g
}

func (s *suite) merge(t testing.TB, sv *stringkernel.Corpus, coef ...[]float64) stringkernel.Scorer {
	t.Helper()
	scorer, err := stringkernel.Merge(t.Context(), s.kernel, sv, coef...)
	if err != nil {
		t.Fatalf("Merge: %v", err)
	}
	if scorer.Outputs() != len(coef) {
		t.Fatalf("Outputs() = %d for %d coefficient vectors", scorer.Outputs(), len(coef))
	}
	return scorer
}

// Concat returns a corpus of all sequences of several, in their order.
func Concat(corpora ...*stringkernel.Corpus) *stringkernel.Corpus {
	var b stringkernel.CorpusBuilder
	for _, c := range corpora {
		for i := range c.Len() {
			b.Add(c.Name(i), c.Seq(i))
		}
	}
	return b.Corpus()
}
