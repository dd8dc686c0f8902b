// Package kerneltest is the conformance suite of the kernel contract: every implementation of stringkernel.Kernel
// passes
//
//	kerneltest.Run(t, spectrum.Kernel{K: 3, Alphabet: stringkernel.DNA}, kerneltest.Options{Letters: "ACGT"})
//
// It checks that all ways to the same number agree (row = Eval, product = Σ rows = merged score), that the kernel is
// positive semidefinite on random corpora, that contributions of positions and of features sum to the score, that
// windows of a long sequence score as they do alone, that sequences without features are harmless, that a stored form
// is restored to the bit and a damaged one refused without a panic, that wrappers forward its options, that work ends
// with its context and is refused where memory is short, and that no result depends on what it is written over, on the
// order of calls, on the number of processors or on concurrency (run it with -race). What the kernel should compute it
// knows from Options.Define or Options.Value; without either a test against the definition belongs beside it. Kernels
// with several indexes run it once for each, on Options.Records that make them choose it.
package kerneltest

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/internal/long"
	"github.com/seqsvm/seqsvm/internal/must"
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

	// Define, if given, returns the values of the features of a sequence by the definition of the kernel, fitted to a
	// corpus if it depends on one: what every way to a number is compared with. Value does the same for kernels
	// without a list of features, which takes time quadratic in the records. Without either it is Eval.
	Define func(fittedTo *stringkernel.Corpus) func(x []byte) map[string]float64
	Value  func(x, y []byte) float64

	// Records, if given, are what is indexed and merged, and what sequences are cut from, in place of drawn ones:
	// enough of them, of such lengths, that the kernel chooses the index to be tested. Checks to which the index is
	// nothing are left out.
	Records   *stringkernel.Corpus
	Uncounted bool // an index of Records takes memory uncounted
	Outputs   int  // of scorers; default 2, and those beyond 2 have two support vectors each

	// Draw, if given, draws the records of kernels that refuse others, such as trees. Letters are then only used for
	// sequences that scorers, which refuse nothing, are given besides.
	Draw func(*rand.Rand) []byte
}

// Run runs the suite as subtests.
func Run(t *testing.T, k stringkernel.Kernel, opt Options) {
	t.Helper()
	s := must.Get(newSuite(k, opt))(t)
	for _, c := range s.checks() {
		t.Run(c.name, func(t *testing.T) { c.run(s, t) })
	}
}

// A check is a part of the suite: of drawn sequences, of given Records or of both.
type check struct {
	name         string
	drawn, given bool
	run          func(s *suite, t testing.TB)
}

var allChecks = []check{
	{"fitting", true, false, (*suite).fitting}, // first: no other Fit has had its chance to change the kernel
	{"agreement", true, true, (*suite).agreement},
	{"windows", true, true, (*suite).windows},
	{"semidefinite", true, false, (*suite).semidefinite},
	{"edge sequences", true, false, (*suite).edges},
	{"explanation", true, true, (*suite).explanation},
	{"substitutions", true, false, (*suite).substitutions},
	{"features", true, true, (*suite).listed},
	{"batches", true, true, (*suite).batches},
	{"table", true, true, (*suite).table},
	{"space", true, true, (*suite).space},
	{"stored form", true, true, (*suite).stored},
	{"damaged stored form", true, false, (*suite).damaged},
	{"misuse", true, false, (*suite).misuse},
	{"inputs unchanged", true, false, (*suite).unchanged},
	{"concurrency", true, false, (*suite).concurrency},
	{"processors", false, true, (*suite).processors},
	{"cancellation", false, true, (*suite).cancellation},
	{"memory", false, true, (*suite).memory},
	{"json", true, false, (*suite).json},
	{"wrappers", true, false, (*suite).wrappers},
}

// checks lists the parts of the suite in the order in which they run.
func (s *suite) checks() []check {
	return slices.DeleteFunc(slices.Clone(allChecks), func(c check) bool {
		return s.Records != nil && !c.given || s.Records == nil && !c.drawn
	})
}

type suite struct {
	Options
	parameters stringkernel.Kernel // as given
	kernel     stringkernel.Kernel // compiled
	rng        *rand.Rand
	features   func(x []byte) map[string]float64 // of the fitted kernel, by Define
}

func newSuite(k stringkernel.Kernel, opt Options) (*suite, error) {
	if opt.Letters == "" {
		return nil, fmt.Errorf("kerneltest: Options.Letters is empty, want the letters to draw sequences from")
	}
	opt.MaxLength, opt.Outputs = cmp.Or(opt.MaxLength, 40), cmp.Or(opt.Outputs, 2)
	opt.Tolerance = cmp.Or(opt.Tolerance, 1e-9)
	compiled, err := stringkernel.Compile(k)
	if err != nil {
		return nil, fmt.Errorf("kerneltest: the kernel fails its Check: %w", err)
	}
	return &suite{Options: opt, parameters: k, kernel: compiled, rng: rand.New(rand.NewPCG(opt.Seed, 1))}, nil
}

// rounds returns how often a check draws: n times with the build tag long, else a fifth of that.
func rounds(n int) int { return long.Or(n, max(1, n/5)) }

// corpus returns Records, or draws n sequences, among them repeats of earlier ones and, unless lengths are fixed, an
// empty and a one-letter sequence.
func (s *suite) corpus(n int) *stringkernel.Corpus {
	if s.Records != nil {
		return s.Records
	}
	var b stringkernel.CorpusBuilder
	seqs := make([][]byte, n)
	for i := range seqs {
		seqs[i] = s.sequence()
		switch {
		case i > 2 && i < n-1 && s.rng.IntN(4) == 0: // the last one has features
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
	if s.Records != nil && s.Length > 0 {
		x := bytes.Clone(s.Records.Seq(s.rng.IntN(s.Records.Len())))
		copy(x[:s.rng.IntN(len(x)+1)], s.Records.Seq(s.rng.IntN(s.Records.Len())))
		return x
	}
	if s.Records != nil {
		return slices.Concat(s.piece(), s.piece())
	}
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

// piece cuts at most half of MaxLength letters from a record.
func (s *suite) piece() []byte {
	x := s.Records.Seq(s.rng.IntN(s.Records.Len()))
	n := s.rng.IntN(min(len(x), s.MaxLength/2) + 1)
	from := s.rng.IntN(len(x) - n + 1)
	return x[from : from+n]
}

func (s *suite) vector(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = s.rng.NormFloat64()
	}
	return v
}

// coefficients returns those of n support vectors for all outputs.
func (s *suite) coefficients(n int) [][]float64 {
	coef := [][]float64{s.vector(n), s.vector(n)}
	for len(coef) < s.Outputs {
		few := make([]float64, n)
		few[s.rng.IntN(n)], few[s.rng.IntN(n)] = 1, -1
		coef = append(coef, few)
	}
	return coef
}

// spoiled returns a vector of NaN: it exposes a method that adds to it instead of overwriting it.
func spoiled(n int) []float64 {
	return slices.Repeat([]float64{math.NaN()}, n)
}

// near compares two values given the size of the terms they are sums of. For a kernel value that is |φ(x)|·|φ(y)|: sums
// over features may cancel from there down to 0. It is 0 for a sequence without features, whose values must be 0
// exactly.
func (s *suite) near(got, want, size float64) bool {
	return math.Abs(got-want) <= s.Tolerance*(math.Abs(size)+math.Abs(want)) || got == want
}

// wrapped returns a suite for another kernel, whose definition is Eval.
func (s *suite) wrapped(k stringkernel.Kernel) *suite {
	w := *s
	w.kernel, w.Define, w.Value = k, nil, nil
	return &w
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
	if s.Define != nil {
		f.features = s.Define(c)
	}
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
