package compose

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"

	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Linear is a kernel whose features are those of other kernels, side by side and scaled, so that everything stays
// linear-time:
//
//	k(x, y) = s(x)·s(y)·Σ_t w_t·k_t(x', y')/Σ_t w_t
//
// where x' is a part of x, k_t may count both strands of it, and s(x) divides by the norm. Each is made by a function
// of its own, [Part], [BothStrands], [Normalized] and [Mean], and costs what the terms do, twice that for both strands.
type Linear struct {
	Terms   []stringkernel.Kernel
	Weights []float64 // w_t > 0 of each term; nil if all are equal

	From, To int                   // 0 ≤ From < To, or To = 0: to the end
	Drop     int                   // letters at the end of a sequence that no part has: numbers beside it
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

// Mean is the weighted mean of several kernels, Σ_t w_t·k_t(x, y)/Σ_t w_t, by equal weights if these are nil. The mean
// rather than the sum keeps k(x, x) = 1 when every term is normalised, so that C means the same.
func Mean(terms []stringkernel.Kernel, weights []float64) Linear {
	return Linear{Terms: terms, Weights: weights}
}

// IsMean reports whether the kernel is the mean of its terms and nothing else.
func (k Linear) IsMean() bool { return !k.Cosine && k.sees() }

// cuts reports whether the terms see parts of sequences.
func (k Linear) cuts() bool { return k.From != 0 || k.To != 0 || k.Drop != 0 }

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

// shares are the weights of the terms of a mean, nil for equal ones.
type shares []float64

// weight returns that of term t.
func (s shares) weight(t int) float64 {
	if s == nil {
		return 1
	}
	return s[t]
}

// total returns the sum of the weights of all n terms.
func (s shares) total(n int) float64 {
	if s == nil {
		return float64(n)
	}
	return floats.Sum(s)
}

// average returns the mean of a value of the terms.
func average[T any](weights shares, terms []T, value func(term T) float64) float64 {
	sum := 0.0
	for t, term := range terms {
		sum += float64(weights.weight(t) * value(term))
	}
	return sum / weights.total(len(terms))
}

// mean writes into dst the mean over the terms of what write gives, summed in order.
func mean[T any](dst []float64, weights shares, terms []T, write func(out []float64, t T)) {
	if len(terms) == 1 {
		write(dst, terms[0])
		return
	}
	one := scratch.Borrow(&scratch.Pool, len(dst))
	defer scratch.Pool.Put(one)
	meanBy(*one, dst, weights, terms, write)
}

// meanBy is mean with space for what one term gives.
func meanBy[T any](one, dst []float64, weights shares, terms []T, write func(out []float64, t T)) {
	clear(dst)
	for t, term := range terms {
		write(one, term)
		vectors.AddScaled(dst, weights.weight(t), one)
	}
	total := weights.total(len(terms))
	for i := range dst {
		dst[i] /= total
	}
}

// ofTerms collects something of each term, numbered from 0.
func ofTerms[T any](k Linear, of func(t int, term stringkernel.Kernel) (T, error)) ([]T, error) {
	return ofParts("sum: term", k.Terms, of)
}

// ofParts collects something of each part of a composed kernel, numbered from 0; errors say which of several.
func ofParts[T any](
	part string, kernels []stringkernel.Kernel, of func(i int, k stringkernel.Kernel) (T, error),
) ([]T, error) {
	list := make([]T, len(kernels))
	for i, k := range kernels {
		var err error
		if list[i], err = of(i, k); err != nil && len(kernels) > 1 {
			err = fmt.Errorf("%s %d: %w", part, i+1, err)
		}
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// part returns what the terms see of a sequence, on one strand.
func (k Linear) part(x []byte) []byte {
	from, to := k.bounds(len(x))
	return x[from:to]
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
		return average(k.Weights, k.Terms, func(t stringkernel.Kernel) float64 { return SelfEval(t, x) })
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

// JointSelfEval returns |φ(x) + φ(y)|².
func (k Linear) JointSelfEval(x, y []byte) float64 {
	if k.Cosine || k.Strands != "" {
		return stringkernel.JointByEval(k, x, y)
	}
	x, y = k.part(x), k.part(y)
	return average(k.Weights, k.Terms, func(t stringkernel.Kernel) float64 { return JointSelfEval(t, x, y) })
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
		scale, err := k.scales(ctx, sv)
		if err != nil {
			return nil, err
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

// Compare compares what the terms see of sequences, each term by its [Comparer] if it has one.
func (k Linear) Compare(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Comparison, error) {
	seen, n := k.seen(c), c.Len()
	terms, err := ofTerms(k, func(_ int, term stringkernel.Kernel) (stringkernel.Comparison, error) {
		return Compare(ctx, term, seen)
	})
	if err != nil {
		return nil, err
	}
	var scales []float64
	if k.Cosine {
		if scales, err = k.scales(ctx, c); err != nil {
			return nil, err
		}
	}
	return func(dst []float64, x []byte) {
		x = k.part(x)
		if k.Strands == "" {
			mean(dst, k.Weights, terms, func(out []float64, compare stringkernel.Comparison) { compare(out, x) })
		} else {
			k.compareStrands(dst, terms, x)
		}
		if k.Cosine {
			floats.Scale(inverseRoot(k.square(x)), dst[:n])
			floats.Mul(dst[:n], scales)
		}
	}, nil
}

// compareStrands compares both strands of a sequence with both strands of others.
func (k Linear) compareStrands(dst []float64, terms []stringkernel.Comparison, x []byte) {
	n := len(dst)
	rows := scratch.Borrow(&scratch.Pool, 4*n)
	defer scratch.Pool.Put(rows)
	rc := k.opposite(x)
	mean(*rows, k.Weights, terms, func(out []float64, compare stringkernel.Comparison) {
		compare(out[:2*n], x)
		compare(out[2*n:], rc)
	})
	plus, minus := (*rows)[:2*n], (*rows)[2*n:]
	for i := range dst {
		dst[i] = (plus[i] + minus[n+i]) + (minus[i] + plus[n+i])
	}
}

// Traits are those of the terms: of several the checks of all, and the sum of what they take.
func (k Linear) Traits() stringkernel.Traits {
	t := k.traitsOfAll()
	if len(k.Terms) == 1 {
		t = stringkernel.TraitsOf(k.Terms[0])
	}
	if bytes := t.MergeBytes; bytes != nil && k.Strands != "" {
		t.MergeBytes = func(sequences, letters, outputs int) float64 {
			return float64(2*letters) + bytes(2*sequences, 2*letters, outputs)
		}
	}
	if !k.cuts() {
		return t
	}
	t.KmerLength = 0 // they are not wherever they are
	if check := t.CheckRecord; check != nil {
		t.CheckRecord = func(x []byte) error { return check(k.part(x)) }
	}
	if each := t.EachUnit; each != nil {
		t.EachUnit = func(x []byte, visit func(lo, hi int)) {
			each(k.part(x), func(lo, hi int) { visit(k.From+lo, k.From+hi) })
		}
	}
	return t
}

func (k Linear) traitsOfAll() stringkernel.Traits {
	return stringkernel.Traits{CheckOutputs: func(outputs int) error {
		_, err := ofTerms(k, func(_ int, term stringkernel.Kernel) (none struct{}, err error) {
			if check := stringkernel.TraitsOf(term).CheckOutputs; check != nil {
				err = check(outputs)
			}
			return none, err
		})
		return err
	}, MergeBytes: func(sequences, letters, outputs int) (all float64) {
		for _, term := range k.Terms {
			if bytes := stringkernel.TraitsOf(term).MergeBytes; bytes != nil {
				all += bytes(sequences, letters, outputs)
			}
		}
		return all
	}, Prepare: func(ctx context.Context) error { return prepareAll(ctx, k.Terms) }}
}

// prepareAll prepares the terms.
func prepareAll[T any](ctx context.Context, terms []T) error {
	for _, t := range terms {
		if err := stringkernel.Prepare(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

// Fitter fits the terms that depend on a corpus, if any does.
func (k Linear) Fitter() stringkernel.Fitter {
	if slices.ContainsFunc(k.Terms, stringkernel.DependsOnCorpus) {
		return k
	}
	return nil
}

// Fit fits the terms to what they see of the corpus: each strand counts as a sequence.
func (k Linear) Fit(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Kernel, error) {
	seen := k.seen(c)
	terms, err := ofTerms(k, func(_ int, term stringkernel.Kernel) (stringkernel.Kernel, error) {
		return stringkernel.Fit(ctx, term, seen)
	})
	k.Terms, k.fitted = terms, &fitting{c, seen}
	return k, err
}

// Reference returns the corpus the terms were fitted to, nil if none was.
func (k Linear) Reference() *stringkernel.Corpus {
	switch {
	case k.fitted != nil:
		return k.fitted.corpus
	case !k.sees():
		return nil
	}
	return referenceOf(k.Terms)
}

// SelfContained reports whether every term is that depends on a corpus. On both strands it must be one that can count
// these itself: |φ(x) + φ(rc(x))|² is the term's, which must be fitted for it.
func (k Linear) SelfContained() bool {
	return !slices.ContainsFunc(k.Terms, func(t stringkernel.Kernel) bool {
		inner := stringkernel.FitterOf(t)
		return inner != nil && (!inner.SelfContained() || k.Strands != "" && StrandedOf(t) == nil)
	})
}

// Restorer stores and restores the scorers of the terms, if all of them can be.
func (k Linear) Restorer() stringkernel.Restorer {
	return givenAll(k.Terms, stringkernel.RestorerOf, stringkernel.Restorer(k))
}

// Arrays names the arrays of term t of several, 0-based, "t/…".
func (k Linear) Arrays(s stringkernel.Scorer) (arrays []stringkernel.Array) {
	for t, term := range s.(*linearScorer).terms {
		own := stringkernel.RestorerOf(k.Terms[t]).Arrays(term)
		if own == nil || len(k.Terms) == 1 {
			return own
		}
		for _, a := range own {
			arrays = append(arrays, stringkernel.Array{Name: strconv.Itoa(t) + "/" + a.Name, Data: a.Data})
		}
	}
	return arrays
}

// Restore restores the scorers of the terms.
func (k Linear) Restore(arrays []stringkernel.Array) (stringkernel.Scorer, error) {
	compiled, err := k.Compile()
	if err != nil {
		return nil, err
	}
	k = compiled.(Linear)
	parts := [][]stringkernel.Array{arrays}
	if len(k.Terms) > 1 {
		parts = make([][]stringkernel.Array, len(k.Terms))
		for _, a := range arrays {
			number, name, found := strings.Cut(a.Name, "/")
			t, err := strconv.Atoi(number)
			if !found || err != nil || t < 0 || t >= len(parts) {
				return nil, fmt.Errorf("sum: array %q belongs to none of the %d terms", a.Name, len(parts))
			}
			parts[t] = append(parts[t], stringkernel.Array{Name: name, Data: a.Data})
		}
	}
	return k.newScorer(func(t int, term stringkernel.Kernel) (stringkernel.Scorer, error) {
		return stringkernel.RestorerOf(term).Restore(parts[t])
	})
}

// IndexSharer shares what the terms see of the corpus. On both strands, a kernel that depends on a corpus shares no
// index: document frequencies count strands.
func (k Linear) IndexSharer() stringkernel.IndexSharer {
	if k.Strands != "" && k.Fitter() != nil {
		return nil
	}
	return k
}

// Family is that of the terms, in order, whatever their weights.
func (k Linear) Family() string {
	return fmt.Sprintf("linear(%d, %d, %d, %s, %t, %s)", k.From, k.To, k.Drop, k.Strands, k.Cosine, familiesOf(k.Terms))
}

func familiesOf(kernels []stringkernel.Kernel) string {
	families := make([]string, len(kernels))
	for i, k := range kernels {
		families[i] = stringkernel.FamilyOf(k)
	}
	return strings.Join(families, "; ")
}

// Share indexes what the terms see of the corpus, once per term.
func (k Linear) Share(
	ctx context.Context, x *stringkernel.Indexes, members []stringkernel.Kernel,
) (stringkernel.Shared, error) {
	corpus := x.Corpus
	if !k.sees() {
		x = &stringkernel.Indexes{Corpus: k.seen(corpus)}
	}
	terms, err := shareInside(ctx, x, k.Terms, members, func(k Linear) []stringkernel.Kernel { return k.Terms })
	return func(ctx context.Context, k stringkernel.Kernel, train []int) (stringkernel.Gram, error) {
		grams, err := ofTerms(k.(Linear), func(t int, term stringkernel.Kernel) (stringkernel.Gram, error) {
			return terms[t](ctx, term, train)
		})
		if err != nil {
			return nil, err
		}
		return k.(Linear).gram(ctx, corpus, grams)
	}, err
}

// Enumerator lists the features of a single term, divided by the norm. On both strands it adds up the values: a feature
// and its reverse complement have the same sum, v, and are one feature of value √2·v under the alphabetically first.
func (k Linear) Enumerator() stringkernel.Enumerator {
	if len(k.Terms) > 1 {
		return nil
	}
	return given(stringkernel.EnumeratorOf(k.Terms[0]), stringkernel.Enumerator(k))
}

// EachFeature visits the features of x.
func (k Linear) EachFeature(x []byte, visit func(name string, value float64)) {
	x = k.part(x)
	inner, scale := stringkernel.EnumeratorOf(k.Terms[0]), 1.0
	if k.Cosine {
		scale = inverseRoot(k.square(x))
	}
	if k.Strands == "" {
		inner.EachFeature(x, func(name string, value float64) { visit(name, float64(value*scale)) })
		return
	}
	var names []string
	values := map[string]float64{}
	add := func(name string, value float64) {
		other := string(k.opposite([]byte(name)))
		if name == other {
			value *= math.Sqrt2 // it occurs once where a feature and its different complement both occur
		}
		name = min(name, other)
		if _, known := values[name]; !known {
			names = append(names, name)
		}
		values[name] += value
	}
	inner.EachFeature(x, add)
	inner.EachFeature(k.opposite(x), add)
	for _, name := range names {
		visit(name, float64(values[name]/math.Sqrt2*scale))
	}
}

// WindowNorms are those of the terms, if all have them.
func (k Linear) WindowNorms() WindowNorms {
	return givenAll(k.Terms, WindowNormsOf, WindowNorms(k))
}

// TrackSelfTo writes k(w, w) of the windows w of x.
func (k Linear) TrackSelfTo(dst []float64, x []byte, window int) {
	dst = dst[:len(x)-window+1]
	from, to := k.bounds(window)
	part := x[from : len(x)-window+to]
	switch {
	case from == to: // no window has the part
		for p := range dst {
			dst[p] = k.square(nil)
		}
	case k.Strands == "":
		mean(dst, k.Weights, k.Terms, func(out []float64, t stringkernel.Kernel) { TrackSelf(out, t, part, to-from) })
	default:
		rc := k.opposite(part)
		mean(dst, k.Weights, k.Terms, func(out []float64, t stringkernel.Kernel) {
			WindowNormsOf(t).TrackJointSelfTo(out, part, rc, to-from)
		})
	}
	if k.Cosine {
		for p, square := range dst {
			dst[p] = unit(inverseRoot(square))
		}
	}
}

// TrackJointSelfTo writes |φ(v) + φ(w)|² of windows.
func (k Linear) TrackJointSelfTo(dst []float64, x, y []byte, window int) {
	if !k.IsMean() {
		stringkernel.TrackJointByEval(k, dst, x, y, window)
		return
	}
	mean(dst[:len(x)-window+1], k.Weights, k.Terms, func(out []float64, t stringkernel.Kernel) {
		WindowNormsOf(t).TrackJointSelfTo(out, x, y, window)
	})
}

// StrandSymmetric reports whether all terms are, of whole sequences. Scores of both strands are the same, so that no
// caller asks for both.
func (k Linear) StrandSymmetric() bool {
	return k.sees() && !slices.ContainsFunc(k.Terms,
		func(t stringkernel.Kernel) bool { return !WindowNormsOf(t).StrandSymmetric() })
}

// leastNorm is the least k(x, x) that is not taken for 0: the least float64 of full precision. The product of two
// inverse roots of such norms does not overflow.
const leastNorm = 0x1p-1022

// inverseRoot returns k^−½, and 0 for the norm of a sequence without features, or one that an indefinite kernel makes
// negative.
func inverseRoot(k float64) float64 {
	if !(k >= leastNorm) {
		return 0
	}
	return 1 / math.Sqrt(k)
}

// unit is a normalised diagonal entry: 1, or 0 without features.
func unit(scale float64) float64 {
	if scale == 0 {
		return 0
	}
	return 1
}
