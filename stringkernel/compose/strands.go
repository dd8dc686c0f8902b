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
// k_rc(x, y) = k(x, y) + k(x, rc y) + k(rc x, y) + k(rc x, rc y). A sequence and its reverse complement have the same score, to
// the bit.
//
// It wraps any kernel: both strands are indexed as two sequences that share a coefficient. Time and memory double.
type BothStrands struct {
	Kernel   stringkernel.Kernel
	Alphabet stringkernel.Alphabet // DNA or RNA

	fitted *strandPair
}

// strandPair is the corpus that Fit was given, and both strands of it, which the kernel inside was fitted to.
type strandPair struct {
	forward, both *stringkernel.Corpus
}

// Check checks the alphabet and the kernel inside.
func (k BothStrands) Check() error {
	_, err := k.Compile()
	return err
}

// Compile checks the alphabet and compiles the kernel inside.
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
	return stringkernel.JointSelfEval(k.Kernel, x, k.Alphabet.ReverseComplementTo(nil, x))
}

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

// CheckOutputs asks the kernel inside.
func (k BothStrands) CheckOutputs(outputs int) error {
	return stringkernel.CheckOutputs(k.Kernel, outputs)
}

// Merge merges both strands of every support vector.
func (k BothStrands) Merge(ctx context.Context, sv *stringkernel.Corpus, coef ...[]float64) (stringkernel.Scorer, error) {
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

// double returns all sequences of c followed by their reverse complements. Of the corpus fitted to, it is the very corpus the kernel inside
// was fitted to, which that need not index twice then.
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

// DependsOnCorpus reports whether the kernel inside does.
func (k BothStrands) DependsOnCorpus() bool { return stringkernel.DependsOnCorpus(k.Kernel) }

// Fit fits the kernel inside to both strands: each strand counts as a sequence.
func (k BothStrands) Fit(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Kernel, error) {
	if !k.DependsOnCorpus() {
		return k, nil
	}
	both := k.double(c)
	inner, err := stringkernel.Fit(ctx, k.Kernel, both)
	if err != nil {
		return nil, err
	}
	return BothStrands{Kernel: inner, Alphabet: k.Alphabet, fitted: &strandPair{c, both}}, nil
}

// Reference returns the corpus that Fit was given, nil before.
func (k BothStrands) Reference() *stringkernel.Corpus {
	if k.fitted == nil {
		return nil
	}
	return k.fitted.forward
}

// CanRestore reports whether the kernel inside restores scorers.
func (k BothStrands) CanRestore() bool { return stringkernel.CanRestore(k.Kernel) }

// Restore rebuilds the scorer of the kernel inside.
func (k BothStrands) Restore(arrays []stringkernel.Array) (stringkernel.Scorer, error) {
	inner, err := restore(k.Kernel, arrays)
	if err != nil {
		return nil, err
	}
	return newStrandScorer(inner, k.Alphabet), nil
}

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

func (g *strandGram) RowBased() bool { return stringkernel.IsRowBased(g.inner) }

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

type strandScorer struct {
	inner    stringkernel.Scorer
	alphabet stringkernel.Alphabet
	scratch  *sync.Pool // of *strandScratch
}

type strandScratch struct {
	rc     []byte
	scores []float64
}

func newStrandScorer(inner stringkernel.Scorer, a stringkernel.Alphabet) strandScorer {
	return strandScorer{inner: inner, alphabet: a, scratch: &sync.Pool{New: func() any { return new(strandScratch) }}}
}

func (s strandScorer) Outputs() int { return s.inner.Outputs() }

// ScoreTo adds the strands' scores last, and addition commutes: that is why both strands give the same bits.
func (s strandScorer) ScoreTo(dst []float64, x []byte) {
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

func (s strandScorer) ExplainTo(dst []float64, m int, x []byte) {
	w := s.scratch.Get().(*strandScratch)
	defer s.scratch.Put(w)
	w.rc = s.alphabet.ReverseComplementTo(w.rc, x)
	w.scores = scratch.Resize(w.scores, len(x))
	explain(s.inner, dst, m, x)
	explain(s.inner, w.scores, m, w.rc)
	for i := range w.scores {
		dst[i] += w.scores[len(x)-1-i]
	}
}

func (s strandScorer) CanExplain() bool { return stringkernel.CanExplain(s.inner) }

func (s strandScorer) Arrays() ([]stringkernel.Array, bool) { return stringkernel.ArraysOf(s.inner) }

func (s strandScorer) CanScoreBatch() bool { return stringkernel.CanScoreBatch(s.inner) }

// ScoreBatchTo adds up the scores of both strands.
func (s strandScorer) ScoreBatchTo(dst []float64, x [][]byte) {
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

func (g *strandGram) CanMulBlock() bool { return stringkernel.CanMulBlock(g.inner) }

// MulBlockTo gives both strands the same coefficients and adds up their scores.
func (g *strandGram) MulBlockTo(dst, v [][]float64) {
	in, out := scratch.Vectors(len(v), 2*g.n), scratch.Vectors(len(v), 2*g.n)
	for m := range v {
		copy(in[m][:g.n], v[m])
		copy(in[m][g.n:], v[m])
	}
	stringkernel.MulBlock(g.inner, out, in)
	for m := range v {
		for j := range dst[m][:g.n] {
			dst[m][j] = out[m][j] + out[m][g.n+j]
		}
	}
}

// CanEnumerate reports whether the kernel inside enumerates.
func (k BothStrands) CanEnumerate() bool { return stringkernel.CanEnumerate(k.Kernel) }

// EachFeature adds up the values of both strands. A feature and its reverse complement have the same sum, v, and are one feature of value √2·v under the
// alphabetically first.
func (k BothStrands) EachFeature(x []byte, visit func(name string, value float64)) {
	e, ok := k.Kernel.(stringkernel.Enumerator)
	if !ok {
		return
	}
	var names []string
	values := map[string]float64{}
	add := func(name string, value float64) {
		other := string(k.Alphabet.ReverseComplementTo(nil, []byte(name)))
		if name == other {
			value *= math.Sqrt2 // it comes once where a word and another come both
		}
		name = min(name, other)
		if _, known := values[name]; !known {
			names = append(names, name)
		}
		values[name] += value
	}
	e.EachFeature(x, add)
	e.EachFeature(k.Alphabet.ReverseComplementTo(nil, x), add)
	for _, name := range names {
		visit(name, values[name]/math.Sqrt2)
	}
}

// Family is that of the kernel inside. One that depends on a corpus shares no index: document frequencies count strands.
func (k BothStrands) Family() string {
	if k.DependsOnCorpus() {
		return stringkernel.LoneFamily(k)
	}
	return fmt.Sprintf("rc(%s, %s)", k.Alphabet, stringkernel.FamilyOf(k.Kernel))
}

// Share indexes both strands of the corpus for the kernels inside.
func (k BothStrands) Share(ctx context.Context, c *stringkernel.Corpus, members []stringkernel.Kernel) (stringkernel.Shared, error) {
	if k.DependsOnCorpus() {
		return stringkernel.ShareLone(ctx, c, k)
	}
	inner, err := shareInside(ctx, k.double(c), members, func(m stringkernel.Kernel) stringkernel.Kernel { return m.(BothStrands).Kernel })
	return strandShared{c, inner}, err
}

type strandShared struct {
	corpus *stringkernel.Corpus
	inner  stringkernel.Shared
}

func (s strandShared) GramOf(ctx context.Context, k stringkernel.Kernel, _ []int) (stringkernel.Gram, error) {
	strands := k.(BothStrands)
	inner, err := s.inner.GramOf(ctx, strands.Kernel, nil)
	if err != nil {
		return nil, err
	}
	return newStrandGram(strands, inner, s.corpus), nil
}

// CanListFeatures reports whether the scorer inside lists.
func (s strandScorer) CanListFeatures() bool { return stringkernel.CanListFeatures(s.inner) }

// TopFeatures lists a feature and its reverse complement, which have one weight, as one: an occurrence counts on its strand and, as the
// other, on the opposite one.
func (s strandScorer) TopFeatures(mix []float64, n int) []stringkernel.Feature {
	twice := n
	if n <= stringkernel.AllFeatures/2 {
		twice = 2 * n // each may come as both
	}
	return stringkernel.StrongestWeights(s.joined(listTop(s.inner, mix, twice)), n)
}

// FeaturesOf lists the features of both strands of x, a feature and its reverse complement as one.
func (s strandScorer) FeaturesOf(mix []float64, x []byte, n int) []stringkernel.Feature {
	features := listOf(s.inner, mix, x, stringkernel.AllFeatures)
	features = append(features, listOf(s.inner, mix, s.alphabet.ReverseComplementTo(nil, x), stringkernel.AllFeatures)...)
	features = s.joined(features)
	for i := range features {
		features[i].Count /= 2 // once on either strand
	}
	return stringkernel.StrongestContributions(features, n)
}

// joined makes one of a feature and its reverse complement, under the alphabetically first: the weight of both, the sum of counts and contributions.
func (s strandScorer) joined(features []stringkernel.Feature) (joined []stringkernel.Feature) {
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

// opposite returns the reverse complement of a feature. The mark of the beginning stands at the end then, and is that of the end.
func (s strandScorer) opposite(text string) string {
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

// FeatureRows returns the sums of both strands' rows.
func (g *strandGram) FeatureRows() stringkernel.FeatureRows {
	if inner := stringkernel.RowsOf(g.inner); inner != nil {
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

// Raw returns both strands' raw scores, added.
func (s strandScorer) Raw() stringkernel.Scorer {
	s.inner = stringkernel.Raw(s.inner)
	return s
}

// TrackTo adds the scores of the windows of the reverse complement, in reverse order, to those of the windows of x.
func (s strandScorer) TrackTo(dst []float64, m int, x []byte, window int) {
	stringkernel.Track(dst, s.inner, m, x, window)
	w := s.scratch.Get().(*strandScratch)
	defer s.scratch.Put(w)
	w.rc = s.alphabet.ReverseComplementTo(w.rc, x)
	w.scores = scratch.Resize(w.scores, len(x)-window+1)
	stringkernel.Track(w.scores, s.inner, m, w.rc, window)
	for p := range w.scores {
		dst[p] += w.scores[len(w.scores)-1-p]
	}
}

// CanTrack reports whether the scorer inside does.
func (s strandScorer) CanTrack() bool { return stringkernel.CanTrack(s.inner) }

// TrackSelfTo writes k_rc(w, w).
func (k BothStrands) TrackSelfTo(dst []float64, x []byte, window int) {
	if joint, ok := k.Kernel.(stringkernel.JointSelfTracker); ok {
		joint.TrackJointSelfTo(dst, x, k.Alphabet.ReverseComplementTo(nil, x), window)
		return
	}
	for p := range dst[:len(x)-window+1] {
		dst[p] = k.SelfEval(x[p : p+window])
	}
}

// CanTrackSelf reports whether the kernel inside is a JointSelfTracker.
func (k BothStrands) CanTrackSelf() bool {
	_, ok := k.Kernel.(stringkernel.JointSelfTracker)
	return ok
}

// WindowLength asks the scorer inside.
func (s strandScorer) WindowLength() int { return stringkernel.WindowLength(s.inner) }
