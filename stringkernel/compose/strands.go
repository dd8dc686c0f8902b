package compose

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/seqsvm/seqsvm/internal/parallel"
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
	if k.Kernel == nil {
		return nil, errors.New("rc: no kernel inside")
	}
	var err error
	k.Kernel, err = stringkernel.Compile(k.Kernel)
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
	return newStrandGram(k, inner, c), nil
}

// Merge merges both strands of every support vector.
func (k BothStrands) Merge(
	ctx context.Context, sv *stringkernel.Corpus, coef ...[]float64,
) (stringkernel.Scorer, error) {
	if err := stringkernel.CheckCoef(sv, coef); err != nil {
		return nil, fmt.Errorf("rc: %w", err)
	}
	doubled := make([][]float64, len(coef))
	for m := range coef {
		doubled[m] = append(append(make([]float64, 0, 2*sv.Len()), coef[m]...), coef[m]...)
	}
	inner, err := k.Kernel.Merge(ctx, k.double(sv), doubled...)
	if err != nil {
		return nil, err
	}
	return newStrandScorer(inner, k.Alphabet), nil
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

// Describer is that of the wrapped kernel.
func (k BothStrands) Describer() stringkernel.Describer { return stringkernel.DescriberOf(k.Kernel) }

// Fitter fits the wrapped kernel to both strands: each strand counts as a sequence.
func (k BothStrands) Fitter() stringkernel.Fitter {
	if f := stringkernel.FitterOf(k.Kernel); f != nil {
		return strandFitter{k, f}
	}
	return nil
}

type strandFitter struct {
	kernel BothStrands
	inner  stringkernel.Fitter
}

func (f strandFitter) Fit(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Kernel, error) {
	both := f.kernel.double(c)
	inner, err := f.inner.Fit(ctx, both)
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

func (f strandFitter) SelfContained() bool { return f.inner.SelfContained() }

// Restorer stores and restores the wrapped scorer.
func (k BothStrands) Restorer() stringkernel.Restorer {
	if r := stringkernel.RestorerOf(k.Kernel); r != nil {
		return strandRestorer{r, k.Alphabet}
	}
	return nil
}

type strandRestorer struct {
	inner    stringkernel.Restorer
	alphabet stringkernel.Alphabet
}

func (r strandRestorer) Arrays(s stringkernel.Scorer) []stringkernel.Array {
	return r.inner.Arrays(s.(*strandScorer).inner)
}

func (r strandRestorer) Restore(arrays []stringkernel.Array) (stringkernel.Scorer, error) {
	inner, err := r.inner.Restore(arrays)
	if err != nil {
		return nil, err
	}
	return newStrandScorer(inner, r.alphabet), nil
}

// IndexSharer shares both strands of the corpus. A kernel that depends on a corpus shares no index: document
// frequencies count strands.
func (k BothStrands) IndexSharer() stringkernel.IndexSharer {
	if stringkernel.DependsOnCorpus(k.Kernel) {
		return nil
	}
	return strandSharer(k)
}

type strandSharer BothStrands

func (s strandSharer) Family() string {
	return fmt.Sprintf("rc(%s, %s)", s.Alphabet, stringkernel.FamilyOf(s.Kernel))
}

func (s strandSharer) Share(
	ctx context.Context, c *stringkernel.Corpus, members []stringkernel.Kernel,
) (stringkernel.Shared, error) {
	both := BothStrands(s).double(c)
	inner, err := shareInside(ctx, both, members, func(m stringkernel.Kernel) stringkernel.Kernel {
		return m.(BothStrands).Kernel
	})
	return func(ctx context.Context, k stringkernel.Kernel, _ []int) (stringkernel.Gram, error) {
		strands := k.(BothStrands)
		g, err := inner(ctx, strands.Kernel, nil)
		if err != nil {
			return nil, err
		}
		return newStrandGram(strands, g, c), nil
	}, err
}

// Enumerator adds up the values of both strands. A feature and its reverse complement have the same sum, v, and are one
// feature of value √2·v under the alphabetically first.
func (k BothStrands) Enumerator() stringkernel.Enumerator {
	if e := stringkernel.EnumeratorOf(k.Kernel); e != nil {
		return strandEnumerator{k.Alphabet, e}
	}
	return nil
}

type strandEnumerator struct {
	alphabet stringkernel.Alphabet
	inner    stringkernel.Enumerator
}

func (e strandEnumerator) EachFeature(x []byte, visit func(name string, value float64)) {
	var names []string
	values := map[string]float64{}
	add := func(name string, value float64) {
		other := string(e.alphabet.ReverseComplementTo(nil, []byte(name)))
		if name == other {
			value *= math.Sqrt2 // it occurs once where a feature and its different complement both occur
		}
		name = min(name, other)
		if _, known := values[name]; !known {
			names = append(names, name)
		}
		values[name] += value
	}
	e.inner.EachFeature(x, add)
	e.inner.EachFeature(e.alphabet.ReverseComplementTo(nil, x), add)
	for _, name := range names {
		visit(name, values[name]/math.Sqrt2)
	}
}

// WindowNorms are the joint norms of both strands of each window.
func (k BothStrands) WindowNorms() WindowNorms {
	if w := WindowNormsOf(k.Kernel); w != nil {
		return strandNorms{k, w}
	}
	return nil
}

type strandNorms struct {
	kernel BothStrands
	inner  WindowNorms
}

func (n strandNorms) TrackSelfTo(dst []float64, x []byte, window int) {
	n.inner.TrackJointSelfTo(dst, x, n.kernel.Alphabet.ReverseComplementTo(nil, x), window)
}

func (n strandNorms) TrackJointSelfTo(dst []float64, x, y []byte, window int) {
	stringkernel.TrackJointByEval(n.kernel, dst, x, y, window)
}

// StrandSymmetric reports false: scores of both strands are the same, so that no caller asks for both.
func (n strandNorms) StrandSymmetric() bool { return false }

// strandGram sees the doubled corpus: rows i and n + i are the two strands of sequence i.
type strandGram struct {
	inner   stringkernel.Gram
	n       int
	diag    []float64
	scratch sync.Pool
}

func newStrandGram(k BothStrands, inner stringkernel.Gram, c *stringkernel.Corpus) *strandGram {
	g := &strandGram{inner: inner, n: c.Len(), diag: make([]float64, c.Len())}
	parallel.For(g.n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			g.diag[i] = k.SelfEval(c.Seq(i))
		}
	})
	return g
}

func (g *strandGram) Len() int { return g.n }

func (g *strandGram) Diag(dst []float64) { copy(dst, g.diag) }

func (g *strandGram) Row(dst []float64, i int) {
	both := scratch.Borrow(&g.scratch, 2*g.n)
	defer g.scratch.Put(both)
	g.inner.Row(*both, i)
	for j := range dst[:g.n] {
		dst[j] = (*both)[j] + (*both)[g.n+j]
	}
	g.inner.Row(*both, g.n+i)
	for j := range dst[:g.n] {
		dst[j] += (*both)[j] + (*both)[g.n+j]
	}
}

func (g *strandGram) MulVecTo(dst, v []float64) {
	in, out := scratch.Borrow(&g.scratch, 2*g.n), scratch.Borrow(&g.scratch, 2*g.n)
	defer g.scratch.Put(in)
	defer g.scratch.Put(out)
	copy((*in)[:g.n], v)
	copy((*in)[g.n:], v)
	g.inner.MulVecTo(*out, *in)
	for j := range dst[:g.n] {
		dst[j] = (*out)[j] + (*out)[g.n+j]
	}
}

func (g *strandGram) Describer() stringkernel.Describer { return stringkernel.DescriberOf(g.inner) }

// BlockMul gives both strands the same coefficients and adds up their scores.
func (g *strandGram) BlockMul() stringkernel.BlockMul {
	if b := stringkernel.BlockMulOf(g.inner); b != nil {
		return strandBlock{b, g.n}
	}
	return nil
}

type strandBlock struct {
	inner stringkernel.BlockMul
	n     int
}

func (b strandBlock) MulBlockTo(dst, v [][]float64) {
	in, out := scratch.Vectors(len(v), 2*b.n), scratch.Vectors(len(v), 2*b.n)
	for m := range v {
		copy(in[m][:b.n], v[m])
		copy(in[m][b.n:], v[m])
	}
	b.inner.MulBlockTo(out, in)
	for m := range v {
		for j := range dst[m][:b.n] {
			dst[m][j] = out[m][j] + out[m][b.n+j]
		}
	}
}

// FeatureRows returns the sums of both strands' rows.
func (g *strandGram) FeatureRows() stringkernel.FeatureRows {
	if inner := stringkernel.FeatureRowsOf(g.inner); inner != nil {
		return strandRows{inner, g.n}
	}
	return nil
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
	inner    stringkernel.Scorer
	alphabet stringkernel.Alphabet
	scratch  sync.Pool // of *strandScratch
}

type strandScratch struct {
	rc     []byte
	scores []float64
}

func newStrandScorer(inner stringkernel.Scorer, a stringkernel.Alphabet) *strandScorer {
	return &strandScorer{inner: inner, alphabet: a, scratch: sync.Pool{New: func() any { return new(strandScratch) }}}
}

func (s *strandScorer) Outputs() int { return s.inner.Outputs() }

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

// Explainer adds up the contributions of both strands.
func (s *strandScorer) Explainer() stringkernel.Explainer {
	if e := stringkernel.ExplainerOf(s.inner); e != nil {
		return strandExplainer{s, e}
	}
	return nil
}

type strandExplainer struct {
	scorer *strandScorer
	inner  stringkernel.Explainer
}

func (e strandExplainer) ExplainTo(dst []float64, m int, x []byte) {
	w := e.scorer.scratch.Get().(*strandScratch)
	defer e.scorer.scratch.Put(w)
	w.rc = e.scorer.alphabet.ReverseComplementTo(w.rc, x)
	w.scores = scratch.Resize(w.scores, len(x))
	e.inner.ExplainTo(dst, m, x)
	e.inner.ExplainTo(w.scores, m, w.rc)
	for i := range w.scores {
		dst[i] += w.scores[len(x)-1-i]
	}
}

// FeatureLister lists a feature and its reverse complement as one.
func (s *strandScorer) FeatureLister() stringkernel.FeatureLister {
	if l := stringkernel.FeatureListerOf(s.inner); l != nil {
		return strandLister{s.alphabet, l}
	}
	return nil
}

type strandLister struct {
	alphabet stringkernel.Alphabet
	inner    stringkernel.FeatureLister
}

// TopFeatures lists a feature and its reverse complement, which have the same weight, as one: an occurrence counts on
// its strand and, as the other, on the opposite one.
func (l strandLister) TopFeatures(mix []float64, n int) []stringkernel.Feature {
	twice := n
	if n <= stringkernel.AllFeatures/2 {
		twice = 2 * n // each may be listed as both
	}
	return stringkernel.StrongestWeights(l.joined(l.inner.TopFeatures(mix, twice)), n)
}

// FeaturesOf lists the features of both strands of x, a feature and its reverse complement as one.
func (l strandLister) FeaturesOf(mix []float64, x []byte, n int) []stringkernel.Feature {
	const all = stringkernel.AllFeatures
	features := l.inner.FeaturesOf(mix, x, all)
	features = append(features, l.inner.FeaturesOf(mix, l.alphabet.ReverseComplementTo(nil, x), all)...)
	features = l.joined(features)
	for i := range features {
		features[i].Count /= 2 // once on either strand
	}
	return stringkernel.StrongestContributions(features, n)
}

// joined makes one feature of a feature and its reverse complement, under the alphabetically first: the weight of both,
// the sum of counts and contributions.
func (l strandLister) joined(features []stringkernel.Feature) (joined []stringkernel.Feature) {
	place := map[string]int{}
	for _, f := range features {
		f.Text = min(f.Text, l.opposite(f.Text))
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
func (l strandLister) opposite(text string) string {
	other := l.alphabet.ReverseComplementTo(nil, []byte(text))
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

// BatchScorer adds up the scores of both strands.
func (s *strandScorer) BatchScorer() stringkernel.BatchScorer {
	if b := stringkernel.BatchScorerOf(s.inner); b != nil {
		return strandBatch{s, b}
	}
	return nil
}

type strandBatch struct {
	scorer *strandScorer
	inner  stringkernel.BatchScorer
}

func (b strandBatch) ScoreBatchTo(dst []float64, x [][]byte) {
	other, scores := make([][]byte, len(x)), make([]float64, len(x)*b.scorer.Outputs())
	for i := range x {
		other[i] = b.scorer.alphabet.ReverseComplementTo(nil, x[i])
	}
	b.inner.ScoreBatchTo(dst, x)
	b.inner.ScoreBatchTo(scores, other)
	for i, value := range scores {
		dst[i] += value
	}
}

// Tracker adds the scores of the windows of the reverse complement, in reverse order, to those of the windows.
func (s *strandScorer) Tracker() stringkernel.Tracker {
	if t := stringkernel.TrackerOf(s.inner); t != nil {
		return strandTracker{s, t}
	}
	return nil
}

type strandTracker struct {
	scorer *strandScorer
	inner  stringkernel.Tracker
}

func (t strandTracker) TrackTo(dst []float64, m int, x []byte, window int) {
	t.inner.TrackTo(dst, m, x, window)
	w := t.scorer.scratch.Get().(*strandScratch)
	defer t.scorer.scratch.Put(w)
	w.rc = t.scorer.alphabet.ReverseComplementTo(w.rc, x)
	w.scores = scratch.Resize(w.scores, len(x)-window+1)
	t.inner.TrackTo(w.scores, m, w.rc, window)
	for p := range w.scores {
		dst[p] += w.scores[len(w.scores)-1-p]
	}
}
