package compose

import (
	"context"
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/floats"

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
	ctx context.Context, c *stringkernel.Corpus, members []stringkernel.Kernel,
) (stringkernel.Shared, error) {
	return shareInside(ctx, BothStrands(k).double(c), members,
		func(k BothStrands) stringkernel.Kernel { return k.Kernel },
		func(ctx context.Context, k BothStrands, g stringkernel.Gram) (stringkernel.Gram, error) {
			return newStrandGram(ctx, k, g, c)
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

// strandGram sees the doubled corpus: rows i and n + i are the two strands of sequence i.
type strandGram struct {
	gramOptions
	n    int
	diag []float64
}

func newStrandGram(
	ctx context.Context, k BothStrands, inner stringkernel.Gram, c *stringkernel.Corpus,
) (stringkernel.Gram, error) {
	diag, err := ofEach(ctx, k, c, k.SelfEval)
	if err != nil {
		return nil, err
	}
	g := &strandGram{gramOptions{inner: inner}, c.Len(), diag}
	g.outside = g
	return g, nil
}

func (g *strandGram) Len() int { return g.n }

func (g *strandGram) Diag(dst []float64) { copy(dst, g.diag) }

func (g *strandGram) Row(dst []float64, i int) {
	g.borrow(1, 2*g.n, func(v [][]float64) {
		g.inner.Row(v[0], i)
		floats.AddTo(dst, v[0][:g.n], v[0][g.n:])
		g.inner.Row(v[0], g.n+i)
		for j := range dst[:g.n] {
			dst[j] += v[0][j] + v[0][g.n+j]
		}
	})
}

// MulBlockTo gives both strands the same coefficients and adds up their scores.
func (g *strandGram) MulBlockTo(dst, v [][]float64) {
	g.borrow(2*len(v), 2*g.n, func(both [][]float64) {
		in, out := both[:len(v)], both[len(v):]
		for m := range v {
			copy(in[m], v[m])
			copy(in[m][g.n:], v[m])
		}
		stringkernel.MulBlock(g.inner, out, in)
		for m := range v {
			floats.AddTo(dst[m], out[m][:g.n], out[m][g.n:])
		}
	})
}

func (g *strandGram) rows(inner stringkernel.FeatureRows) stringkernel.FeatureRows {
	return strandRows{inner, g.n}
}

// strandRows are sums of rows i and n + i.
type strandRows struct {
	stringkernel.FeatureRows
	n int
}

func (r strandRows) Scatter(t []float64, i int, a float64) {
	r.FeatureRows.Scatter(t, i, a)
	r.FeatureRows.Scatter(t, r.n+i, a)
}

func (r strandRows) Gather(t []float64, i int) float64 {
	return r.FeatureRows.Gather(t, i) + r.FeatureRows.Gather(t, r.n+i)
}

func (r strandRows) Own(dst []float64) {
	both := make([]float64, 2*r.n)
	r.FeatureRows.Own(both)
	for i := range dst[:r.n] {
		dst[i] = both[i] + both[r.n+i]
	}
}

func (r strandRows) AppendRow(ids []uint32, values []float64, i int) ([]uint32, []float64) {
	ids, values = r.FeatureRows.AppendRow(ids, values, i)
	return r.FeatureRows.AppendRow(ids, values, r.n+i)
}

// strandScorer scores both strands of the query against both strands of the support vectors.
type strandScorer struct {
	scorerOptions
	inner    stringkernel.Scorer
	alphabet stringkernel.Alphabet
	scratch  sync.Pool // of *strandScratch
}

type strandScratch struct {
	rc     []byte
	scores []float64
}

func newStrandScorer(inner stringkernel.Scorer, a stringkernel.Alphabet) *strandScorer {
	s := &strandScorer{inner: inner, alphabet: a, scratch: sync.Pool{New: func() any { return new(strandScratch) }}}
	s.scorerOptions = scorerOptions{[]stringkernel.Scorer{inner}, strandScores{s}}
	return s
}

// ScoreTo adds the strands' scores last, and addition commutes: that is why both strands give the same bits.
func (s *strandScorer) ScoreTo(dst []float64, x []byte) {
	w := s.scratch.Get().(*strandScratch)
	defer s.scratch.Put(w)
	w.rc = s.alphabet.ReverseComplementTo(w.rc, x)
	w.scores = scratch.Resize(w.scores, s.Outputs())
	s.inner.ScoreTo(dst, x)
	s.inner.ScoreTo(w.scores, w.rc)
	for m, value := range w.scores {
		dst[m] += value
	}
}

func (s *strandScorer) Describer() stringkernel.Describer { return stringkernel.DescriberOf(s.inner) }

// strandScores are the options of the scorer, which add up those of both strands.
type strandScores struct{ *strandScorer }

// mirrored writes the sum of what write makes of x and, in reverse order, of what it makes of the reverse complement.
func (s strandScores) mirrored(dst []float64, x []byte, write func(dst []float64, x []byte)) {
	w := s.scratch.Get().(*strandScratch)
	defer s.scratch.Put(w)
	w.rc = s.alphabet.ReverseComplementTo(w.rc, x)
	w.scores = scratch.Resize(w.scores, len(dst))
	write(dst, x)
	write(w.scores, w.rc)
	for i := range w.scores {
		dst[i] += w.scores[len(dst)-1-i]
	}
}

func (s strandScores) ExplainTo(dst []float64, m int, x []byte) {
	inner := stringkernel.ExplainerOf(s.inner)
	s.mirrored(dst[:len(x)], x, func(dst []float64, x []byte) { inner.ExplainTo(dst, m, x) })
}

func (s strandScores) TrackTo(dst []float64, m int, x []byte, window int) {
	s.mirrored(dst[:len(x)-window+1], x, func(dst []float64, x []byte) {
		stringkernel.Track(dst, s.inner, m, x, window)
	})
}

// SubstituteTo adds up a letter on one strand and its complement, at the mirrored position, on the other.
func (s strandScores) SubstituteTo(scores, contributions []float64, m int, x, letters []byte) {
	n, complements := len(letters), make([]byte, len(letters))
	for b, letter := range letters {
		complements[b] = s.alphabet.ReverseComplementTo(nil, []byte{letter})[0]
	}
	other, parts := make([]float64, len(scores)), []float64(nil)
	if contributions != nil {
		parts = make([]float64, len(contributions))
	}
	Substitute(scores, contributions, s.inner, m, x, letters)
	Substitute(other, parts, s.inner, m, s.alphabet.ReverseComplementTo(nil, x), complements)
	for i := range x {
		mirrored := (len(x) - 1 - i) * n
		for b := range n {
			scores[i*n+b] += other[mirrored+b]
			if contributions != nil {
				contributions[i*n+b] += parts[mirrored+b]
			}
		}
	}
}

func (s strandScores) ScoreBatchTo(dst []float64, x [][]byte) {
	other, scores := make([][]byte, len(x)), make([]float64, len(x)*s.Outputs())
	for i := range x {
		other[i] = s.alphabet.ReverseComplementTo(nil, x[i])
	}
	stringkernel.ScoreBatch(s.inner, dst, x)
	stringkernel.ScoreBatch(s.inner, scores, other)
	for i, value := range scores {
		dst[i] += value
	}
}

// TopFeatures lists a feature and its reverse complement, which have the same weight, as one: an occurrence counts on
// its strand and, as the other, on the opposite one.
func (s strandScores) TopFeatures(mix []float64, n int) []stringkernel.Feature {
	twice := n
	if n <= stringkernel.AllFeatures/2 {
		twice = 2 * n // each may be listed as both
	}
	return stringkernel.StrongestWeights(s.joined(stringkernel.FeatureListerOf(s.inner).TopFeatures(mix, twice)), n)
}

// FeaturesOf lists the features of both strands of x, a feature and its reverse complement as one.
func (s strandScores) FeaturesOf(mix []float64, x []byte, n int) []stringkernel.Feature {
	const all = stringkernel.AllFeatures
	inner := stringkernel.FeatureListerOf(s.inner)
	features := inner.FeaturesOf(mix, x, all)
	features = append(features, inner.FeaturesOf(mix, s.alphabet.ReverseComplementTo(nil, x), all)...)
	features = s.joined(features)
	for i := range features {
		features[i].Count /= 2 // once on either strand
	}
	return stringkernel.StrongestContributions(features, n)
}

// joined makes one feature of a feature and its reverse complement, under the alphabetically first: the weight of both,
// the sum of counts and contributions.
func (s strandScores) joined(features []stringkernel.Feature) (joined []stringkernel.Feature) {
	place := map[string]int{}
	for _, f := range features {
		f.Text = min(f.Text, s.opposite(f.Text))
		at, known := place[f.Text]
		if !known {
			place[f.Text] = len(joined)
			f.Weight *= 2
			joined = append(joined, f)
			continue
		}
		joined[at].Count += f.Count
		joined[at].Contribution += f.Contribution
	}
	return joined
}

// opposite returns the reverse complement of a feature. The mark of the beginning is then at the end, and becomes that
// of the end.
func (s strandScores) opposite(text string) string {
	other := s.alphabet.ReverseComplementTo(nil, []byte(text))
	for i, b := range other {
		switch b {
		case stringkernel.BeginSign:
			other[i] = stringkernel.EndSign
		case stringkernel.EndSign:
			other[i] = stringkernel.BeginSign
		}
	}
	return string(other)
}
