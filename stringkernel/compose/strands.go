package compose

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// BothStrands makes a kernel on nucleotides blind to the strand: φ_rc(x) = φ(x) + φ(rc(x)), so
// k_rc(x, y) = k(x, y) + k(x, rc y) + k(rc x, y) + k(rc x, rc y). A sequence and its reverse complement have the same
// score, to the bit.
//
// It wraps any kernel: both strands are indexed as two sequences that share a coefficient. Time and memory double.
// Kernels that are [Stranded] do without it: see [OnBothStrands].
type BothStrands struct {
	Kernel   stringkernel.Kernel
	Alphabet stringkernel.Alphabet // DNA or RNA

	fitted *strandPair
}

// strandPair is the corpus that Fit was given, and both strands of it, which the wrapped kernel was fitted to.
type strandPair struct {
	forward, both *stringkernel.Corpus
}

// Check checks the alphabet and the wrapped kernel.
func (k BothStrands) Check() error {
	_, err := k.Compile()
	return err
}

// Compile checks the alphabet and compiles the wrapped kernel.
func (k BothStrands) Compile() (stringkernel.Kernel, error) {
	if !k.Alphabet.Complementary() {
		return nil, fmt.Errorf("rc: alphabet %q has no complement, want dna or rna", string(k.Alphabet))
	}
	err := compileInside("rc", &k.Kernel)
	return k, err
}

// Eval returns k_rc(x, y).
func (k BothStrands) Eval(x, y []byte) float64 {
	rx, ry := k.Alphabet.ReverseComplementTo(nil, x), k.Alphabet.ReverseComplementTo(nil, y)
	same := k.Kernel.Eval(x, y) + k.Kernel.Eval(rx, ry)
	across := k.Kernel.Eval(x, ry) + k.Kernel.Eval(rx, y)
	return same + across
}

// SelfEval returns k_rc(x, x).
func (k BothStrands) SelfEval(x []byte) float64 {
	return JointSelfEval(k.Kernel, x, k.Alphabet.ReverseComplementTo(nil, x))
}

// JointSelfEval returns |φ_rc(x) + φ_rc(y)|².
func (k BothStrands) JointSelfEval(x, y []byte) float64 { return stringkernel.JointByEval(k, x, y) }

// Gram indexes both strands of the corpus. An unfitted kernel that depends on a corpus takes both strands of this one.
func (k BothStrands) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	both := k.double(c)
	var err error
	if k.Kernel, err = stringkernel.Compile(k.Kernel); err != nil {
		return nil, err
	}
	if stringkernel.Reference(k.Kernel) == nil {
		if k.Kernel, err = stringkernel.Fit(ctx, k.Kernel, both); err != nil {
			return nil, err
		}
	}
	inner, err := k.Kernel.Gram(ctx, both)
	if err != nil {
		return nil, err
	}
	return newStrandGram(ctx, k, inner, c)
}

// Merge merges both strands of every support vector.
func (k BothStrands) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	if err := c.Check(sv); err != nil {
		return nil, fmt.Errorf("rc: %w", err)
	}
	inner, err := k.Kernel.Merge(ctx, k.double(sv), c.Twice())
	if err != nil {
		return nil, err
	}
	return newStrandScorer(inner, k.Alphabet), nil
}

// Comparer compares both strands with both strands.
func (k BothStrands) Comparer() Comparer {
	return given(ComparerOf(k.Kernel), Comparer(strandOptions(k)))
}

func (k strandOptions) Compare(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Comparison, error) {
	compare, err := ComparerOf(k.Kernel).Compare(ctx, BothStrands(k).double(c))
	return strandComparison{compare, k.Alphabet, c.Len()}.rowTo, err
}

// strandComparison compares with n sequences and their reverse complements.
type strandComparison struct {
	compare  stringkernel.Comparison
	alphabet stringkernel.Alphabet
	n        int
}

func (r strandComparison) rowTo(dst []float64, x []byte) {
	rows := scratch.Borrow(&scratch.Pool, 4*r.n)
	defer scratch.Pool.Put(rows)
	plus, minus := (*rows)[:2*r.n], (*rows)[2*r.n:]
	r.compare(plus, x)
	r.compare(minus, r.alphabet.ReverseComplementTo(nil, x))
	for i := range dst {
		dst[i] = (plus[i] + minus[r.n+i]) + (minus[i] + plus[r.n+i])
	}
}

// double returns all sequences of c followed by their reverse complements. Of the corpus fitted to, it is the very
// corpus the wrapped kernel was fitted to, which that need not index twice then.
func (k BothStrands) double(c *stringkernel.Corpus) *stringkernel.Corpus {
	if k.fitted != nil && c == k.fitted.forward {
		return k.fitted.both
	}
	var b stringkernel.CorpusBuilder
	b.Grow(2*c.Len(), 2*c.Letters())
	for i := range c.Len() {
		b.Add(c.Name(i), c.Seq(i))
	}
	var rc []byte
	for i := range c.Len() {
		rc = k.Alphabet.ReverseComplementTo(rc, c.Seq(i))
		b.Add(c.Name(i), rc)
	}
	if classes := c.Classes(); classes != nil {
		return b.Corpus().WithClasses(slices.Concat(classes, classes))
	}
	return b.Corpus()
}

// Describer is that of the wrapped kernel, which merges twice as many sequences.
func (k BothStrands) Describer() stringkernel.Describer {
	t := stringkernel.TraitsOf(k.Kernel)
	if bytes := t.MergeBytes; bytes != nil {
		t.MergeBytes = func(sequences, letters, outputs int) float64 {
			return float64(2*letters) + bytes(2*sequences, 2*letters, outputs)
		}
	}
	return traits(t)
}

// traits are a Describer.
type traits stringkernel.Traits

func (t traits) Traits() stringkernel.Traits { return stringkernel.Traits(t) }

// Fitter fits the wrapped kernel to both strands: each strand counts as a sequence.
func (k BothStrands) Fitter() stringkernel.Fitter {
	if f := stringkernel.FitterOf(k.Kernel); f != nil {
		return strandFitter{f, k}
	}
	return nil
}

type strandFitter struct {
	stringkernel.Fitter
	kernel BothStrands
}

func (f strandFitter) Fit(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Kernel, error) {
	both := f.kernel.double(c)
	inner, err := f.Fitter.Fit(ctx, both)
	if err != nil {
		return nil, err
	}
	return BothStrands{Kernel: inner, Alphabet: f.kernel.Alphabet, fitted: &strandPair{c, both}}, nil
}

// SelfContained reports false: |φ(x) + φ(rc(x))|² is the wrapped kernel's, which must be fitted for it, unless it is
// one that counts both strands itself when it is read from a model.
func (f strandFitter) SelfContained() bool {
	return StrandedOf(f.kernel.Kernel) != nil && f.Fitter.SelfContained()
}

// Reference returns the corpus that Fit was given, nil before.
func (f strandFitter) Reference() *stringkernel.Corpus {
	if f.kernel.fitted == nil {
		return nil
	}
	return f.kernel.fitted.forward
}

// strandOptions are the options that the kernel has if the wrapped one does.
type strandOptions BothStrands

// Restorer stores and restores the wrapped scorer.
func (k BothStrands) Restorer() stringkernel.Restorer {
	return given(stringkernel.RestorerOf(k.Kernel), stringkernel.Restorer(strandOptions(k)))
}

func (k strandOptions) Arrays(s stringkernel.Scorer) []stringkernel.Array {
	return stringkernel.RestorerOf(k.Kernel).Arrays(s.(*strandScorer).inner)
}

func (k strandOptions) Restore(arrays []stringkernel.Array) (stringkernel.Scorer, error) {
	inner, err := stringkernel.RestorerOf(k.Kernel).Restore(arrays)
	if err != nil {
		return nil, err
	}
	return newStrandScorer(inner, k.Alphabet), nil
}

// IndexSharer shares both strands of the corpus. A kernel that depends on a corpus shares no index: document
// frequencies count strands.
func (k BothStrands) IndexSharer() stringkernel.IndexSharer {
	if stringkernel.DependsOnCorpus(k.Kernel) {
		return nil
	}
	return strandOptions(k)
}

func (k strandOptions) Family() string {
	return fmt.Sprintf("rc(%s, %s)", k.Alphabet, stringkernel.FamilyOf(k.Kernel))
}

func (k strandOptions) Share(
	ctx context.Context, x *stringkernel.Indexes, members []stringkernel.Kernel,
) (stringkernel.Shared, error) {
	both := &stringkernel.Indexes{Corpus: BothStrands(k).double(x.Corpus)}
	return shareInside(ctx, both, BothStrands(k), members,
		func(k BothStrands) stringkernel.Kernel { return k.Kernel },
		func(ctx context.Context, k BothStrands, g stringkernel.Gram) (stringkernel.Gram, error) {
			return newStrandGram(ctx, k, g, x.Corpus)
		})
}

// Enumerator adds up the values of both strands. A feature and its reverse complement have the same sum, v, and are one
// feature of value √2·v under the alphabetically first.
func (k BothStrands) Enumerator() stringkernel.Enumerator {
	return given(stringkernel.EnumeratorOf(k.Kernel), stringkernel.Enumerator(strandOptions(k)))
}

func (k strandOptions) EachFeature(x []byte, visit func(name string, value float64)) {
	var names []string
	values := map[string]float64{}
	add := func(name string, value float64) {
		other := string(k.Alphabet.ReverseComplementTo(nil, []byte(name)))
		if name == other {
			value *= math.Sqrt2 // it occurs once where a feature and its different complement both occur
		}
		name = min(name, other)
		if _, known := values[name]; !known {
			names = append(names, name)
		}
		values[name] += value
	}
	inner := stringkernel.EnumeratorOf(k.Kernel)
	inner.EachFeature(x, add)
	inner.EachFeature(k.Alphabet.ReverseComplementTo(nil, x), add)
	for _, name := range names {
		visit(name, values[name]/math.Sqrt2)
	}
}

// WindowNorms are the joint norms of both strands of each window.
func (k BothStrands) WindowNorms() WindowNorms {
	return given(WindowNormsOf(k.Kernel), WindowNorms(strandOptions(k)))
}

func (k strandOptions) TrackSelfTo(dst []float64, x []byte, window int) {
	WindowNormsOf(k.Kernel).TrackJointSelfTo(dst, x, k.Alphabet.ReverseComplementTo(nil, x), window)
}

func (k strandOptions) TrackJointSelfTo(dst []float64, x, y []byte, window int) {
	stringkernel.TrackJointByEval(BothStrands(k), dst, x, y, window)
}

// StrandSymmetric reports false: scores of both strands are the same, so that no caller asks for both.
func (k strandOptions) StrandSymmetric() bool { return false }
