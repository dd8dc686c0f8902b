package compose

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// Linear is a kernel whose features are those of other kernels, side by side and scaled, so that everything stays
// linear-time:
//
//	k(x, y) = s(x)·s(y)·Σ_t w_t·k_t(x', y')/Σ_t w_t
//
// where x' is a part of x, or x in upper case, k_t may count both strands of it, and s(x) divides by the norm. Each is
// made by a function of its own, [Part], [AnyCase], [BothStrands], [Normalized] and [Mean], and costs what the terms
// do, twice that for both strands.
type Linear struct {
	Terms   []stringkernel.Kernel
	Weights []float64 // w_t > 0 of each term; nil if all are equal

	From, To int                   // 0 ≤ From < To, or To = 0: to the end
	Drop     int                   // letters at the end of a sequence that no part has: numbers beside it
	AnyCase  bool                  // lower-case letters of sequences count as upper-case ones
	Strands  stringkernel.Alphabet // if not empty, DNA or RNA, of which both strands count
	Cosine   bool                  // divide by the norms

	fitted *fitting
	whole  bool // scorers are not taken apart: the terms are two parts of one kernel
}

// fitting is the corpus that Fit was given, and what the terms saw of it.
type fitting struct{ corpus, seen *stringkernel.Corpus }

// Normalized is the cosine of a kernel: k(x, y)/√(k(x, x)·k(y, y)), the default of the tool. A sequence without
// features has the value 0 with every sequence, itself included.
//
// It costs one k(x, x) per sequence and changes no structure: the Gram operator becomes S·K·S with S = diag(K_ii)^−½,
// and merging folds S into the coefficients.
func Normalized(k stringkernel.Kernel) Linear {
	l, is := k.(Linear)
	if !is || l.Cosine {
		l = Linear{Terms: []stringkernel.Kernel{k}}
	}
	l.Cosine = true
	return l
}

// BothStrands makes a kernel on nucleotides blind to the strand: φ_rc(x) = φ(x) + φ(rc(x)), so
// k_rc(x, y) = k(x, y) + k(x, rc y) + k(rc x, y) + k(rc x, rc y). A sequence and its reverse complement have the same
// score, to the bit.
//
// It wraps any kernel: both strands are indexed as two sequences that share a coefficient. Time and memory double.
// Kernels that are [Stranded] do without it: see [OnBothStrands].
func BothStrands(k stringkernel.Kernel, a stringkernel.Alphabet) Linear {
	return Linear{Terms: []stringkernel.Kernel{k}, Strands: cmp.Or(a, stringkernel.Bytes)}
}

// Part is a kernel on a part of each sequence: letters from … to − 1, 0-based, as far as the sequence has them, or all
// from from on if to is 0, without drop letters at its end. On windows of one length, a sum of parts knows where
// signals are, with weights that say where they matter.
//
// It indexes a copy of the parts and costs what the wrapped kernel does; a scorer has the options of the one inside, by
// positions of the whole sequence.
func Part(k stringkernel.Kernel, from, to, drop int) Linear {
	l, is := k.(Linear)
	if !is || l.cuts() {
		l = Linear{Terms: []stringkernel.Kernel{k}}
	}
	l.From, l.To, l.Drop = from, to, drop
	return l
}

// AnyCase is a kernel to which lower-case letters are the same as upper-case ones. Beside the kernel itself, to which
// they match nothing, it tells what is around a site in upper case from the site. It costs what [Part] does.
func AnyCase(k stringkernel.Kernel) Linear {
	l, is := k.(Linear)
	if !is {
		l = Linear{Terms: []stringkernel.Kernel{k}}
	}
	l.AnyCase = true
	return l
}

// Mean is the weighted mean of several kernels, Σ_t w_t·k_t(x, y)/Σ_t w_t, by equal weights if these are nil. The mean
// rather than the sum keeps k(x, x) = 1 when every term is normalised, so that C means the same.
func Mean(terms []stringkernel.Kernel, weights []float64) Linear {
	return Linear{Terms: terms, Weights: weights}
}

// IsMean reports whether the kernel is the mean of its terms and nothing else.
func (k Linear) IsMean() bool { return !k.Cosine && k.sees() }

// cuts reports whether the terms see parts of sequences, or other letters.
func (k Linear) cuts() bool { return k.From != 0 || k.To != 0 || k.Drop != 0 || k.AnyCase }

// sees reports whether the terms see the sequences as they are.
func (k Linear) sees() bool { return !k.cuts() && k.Strands == "" }

// raw returns the kernel without division by norms.
func (k Linear) raw() Linear {
	k.Cosine = false
	return k
}

// Check checks the parameters and each term.
func (k Linear) Check() error {
	_, err := k.Compile()
	return err
}

// Compile compiles each term.
func (k Linear) Compile() (stringkernel.Kernel, error) {
	switch {
	case len(k.Terms) == 0:
		return nil, errors.New("sum: no kernels, want at least 1")
	case k.From < 0 || k.Drop < 0 || k.To != 0 && k.To <= k.From:
		return nil, fmt.Errorf("part: letters %d to %d, want a first one of at least 1 and a last one not before it",
			k.From+1, k.To)
	case k.Strands != "" && !k.Strands.Complementary():
		return nil, fmt.Errorf("rc: alphabet %q has no complement, want dna or rna", string(k.Strands))
	}
	if err := k.checkWeights(); err != nil {
		return nil, err
	}
	terms, err := ofTerms(k, func(_ int, term stringkernel.Kernel) (stringkernel.Kernel, error) {
		err := compileInside(k.name(), &term)
		return term, err
	})
	k.Terms = terms
	return k, err
}

func (k Linear) leaves() int { return leavesOf(k.Terms) }

// name names in errors what the kernel does.
func (k Linear) name() string {
	switch {
	case len(k.Terms) > 1:
		return "sum"
	case k.Cosine:
		return "normalized"
	case k.Strands != "":
		return "rc"
	}
	return "part"
}

// checkWeights returns an error unless each term has a weight, or none.
func (k Linear) checkWeights() error {
	if k.Weights == nil {
		return nil
	}
	if len(k.Weights) != len(k.Terms) {
		return fmt.Errorf("sum: %d weights for %d terms", len(k.Weights), len(k.Terms))
	}
	for t, w := range k.Weights {
		if !(w > 0) || math.IsInf(w, 0) {
			return fmt.Errorf("sum: term %d has the weight %v, want a finite number > 0", t+1, w)
		}
	}
	if total := shares(k.Weights).total(len(k.Weights)); math.IsInf(total, 0) {
		return fmt.Errorf("sum: weights that sum to %v, want a finite number", total)
	}
	return nil
}

// part returns what the terms see of a sequence, on one strand.
func (k Linear) part(x []byte) []byte {
	from, to := k.bounds(len(x))
	return k.letters(x[from:to])
}

// letters returns letters as the terms see them.
func (k Linear) letters(x []byte) []byte {
	if k.AnyCase {
		return bytes.ToUpper(x)
	}
	return x
}

// bounds returns those of the part of a sequence of a length.
func (k Linear) bounds(length int) (from, to int) {
	if to = max(0, length-k.Drop); k.To != 0 {
		to = min(k.To, to)
	}
	return min(k.From, to), to
}

// opposite returns the reverse complement of a sequence.
func (k Linear) opposite(x []byte) []byte { return k.Strands.ReverseComplementTo(nil, x) }

// seen returns what the terms see of a corpus: all parts, followed by their reverse complements if both strands count.
// Of the corpus fitted to, it is the very corpus the terms were fitted to, which they need not index twice then.
func (k Linear) seen(c *stringkernel.Corpus) *stringkernel.Corpus {
	switch {
	case k.sees():
		return c
	case k.fitted != nil && c == k.fitted.corpus:
		return k.fitted.seen
	}
	var b stringkernel.CorpusBuilder
	b.Grow(2*c.Len(), 2*c.Letters())
	for i := range c.Len() {
		b.Add(c.Name(i), k.part(c.Seq(i)))
	}
	classes := c.Classes()
	if k.Strands != "" {
		var rc []byte
		for i := range c.Len() {
			rc = k.Strands.ReverseComplementTo(rc, k.part(c.Seq(i)))
			b.Add(c.Name(i), rc)
		}
		classes = slices.Concat(classes, classes)
	}
	return b.Corpus().WithClasses(classes)
}

// Eval returns the value of the definition; normalised, it is in [−1, 1] up to rounding, and in [0, 1] for kernels of
// counts.
func (k Linear) Eval(x, y []byte) float64 {
	x, y = k.part(x), k.part(y)
	scale := 1.0
	if k.Cosine {
		if scale = inverseRoot(k.square(x)) * inverseRoot(k.square(y)); scale == 0 {
			return 0
		}
	}
	if k.Strands == "" {
		return scale * average(k.Weights, k.Terms, func(t stringkernel.Kernel) float64 { return t.Eval(x, y) })
	}
	rx, ry := k.opposite(x), k.opposite(y)
	return scale * average(k.Weights, k.Terms, func(t stringkernel.Kernel) float64 {
		same := t.Eval(x, y) + t.Eval(rx, ry)
		across := t.Eval(x, ry) + t.Eval(rx, y)
		return same + across
	})
}

// square returns k(x, x) before normalisation, of what the terms see of a sequence.
func (k Linear) square(x []byte) float64 {
	if k.Strands == "" {
		return average(k.Weights, k.Terms, func(t stringkernel.Kernel) float64 { return t.SelfEval(x) })
	}
	rc := k.opposite(x)
	return average(k.Weights, k.Terms, func(t stringkernel.Kernel) float64 { return JointSelfEval(t, x, rc) })
}

// SelfEval returns k(x, x).
func (k Linear) SelfEval(x []byte) float64 {
	square := k.square(k.part(x))
	if k.Cosine {
		return unit(inverseRoot(square))
	}
	return square
}

// Gram indexes what the terms see of the corpus, once per term. Of both strands, an unfitted kernel that depends on a
// corpus takes those of this one.
func (k Linear) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	if k.Strands != "" {
		compiled, err := k.Compile()
		if err != nil {
			return nil, err
		}
		if k = compiled.(Linear); k.Fitter() != nil && k.Reference() == nil {
			fitted, err := k.Fit(ctx, c)
			if err != nil {
				return nil, err
			}
			k = fitted.(Linear)
		}
	}
	seen := k.seen(c)
	terms, err := ofTerms(k, func(_ int, term stringkernel.Kernel) (stringkernel.Gram, error) {
		return term.Gram(ctx, seen)
	})
	if err != nil {
		return nil, err
	}
	return k.gram(ctx, c, terms)
}

// Merge merges each term, and folds the norms of the support vectors into their coefficients.
func (k Linear) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	if err := c.Check(sv); err != nil {
		return nil, fmt.Errorf("%s: %w", k.name(), err)
	}
	compiled, err := k.Compile()
	if err != nil {
		return nil, err
	}
	k = compiled.(Linear)
	if k.Cosine {
		scale := c.Scale
		if scale == nil {
			if scale, err = k.scales(ctx, sv); err != nil {
				return nil, err
			}
		}
		c = c.Scaled(scale)
	}
	if k.Strands != "" {
		c = c.Twice()
	}
	seen := k.seen(sv)
	return k.newScorer(func(_ int, term stringkernel.Kernel) (stringkernel.Scorer, error) {
		return term.Merge(ctx, seen, c)
	})
}

// scales returns k(x, x)^−½ of each sequence, before normalisation.
func (k Linear) scales(ctx context.Context, c *stringkernel.Corpus) ([]float64, error) {
	return ofEach(ctx, k, c, func(x []byte) float64 { return inverseRoot(k.square(k.part(x))) })
}

// ofTerms collects something of each term, numbered from 0.
func ofTerms[T any](k Linear, of func(t int, term stringkernel.Kernel) (T, error)) ([]T, error) {
	return ofParts("sum: term", k.Terms, of)
}

// OnBothStrands returns the kernel that counts both strands: its own if it is [Stranded], else the wrapper, whose Check
// refuses an alphabet without a complement.
func OnBothStrands(k stringkernel.Kernel, a stringkernel.Alphabet) stringkernel.Kernel {
	if s := StrandedOf(k); s != nil && a.Complementary() {
		return s.BothStrands()
	}
	return BothStrands(k, a)
}
