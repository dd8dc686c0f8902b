package compose

import (
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// Part is a kernel on a part of each sequence: letters From … To − 1, 0-based, as far as the sequence has them, or all
// from From on. On windows of one length, a sum of parts knows where signals are, with weights that say where they
// matter.
//
// It indexes a copy of the parts and costs what the wrapped kernel does; a scorer has the options of the one inside, by
// positions of the whole sequence.
type Part struct {
	Kernel   stringkernel.Kernel
	From, To int // 0 ≤ From < To, or To = 0: to the end
	Drop     int // letters at the end of a sequence that no part has: numbers beside it

	reference *stringkernel.Corpus // what the kernel was fitted to, whole
}

// Check checks the bounds and the wrapped kernel.
func (k Part) Check() error {
	_, err := k.Compile()
	return err
}

// Compile checks the bounds and compiles the wrapped kernel.
func (k Part) Compile() (stringkernel.Kernel, error) {
	if k.From < 0 || k.Drop < 0 || k.To != 0 && k.To <= k.From {
		return nil, fmt.Errorf("part: letters %d to %d, want a first one of at least 1 and a last one not before it",
			k.From+1, k.To)
	}
	err := compileInside("part", &k.Kernel)
	return k, err
}

// of returns the part of a sequence.
func (k Part) of(x []byte) []byte {
	from, to := k.bounds(len(x))
	return x[from:to]
}

// bounds returns those of the part of a sequence of a length.
func (k Part) bounds(length int) (from, to int) {
	if to = max(0, length-k.Drop); k.To != 0 {
		to = min(k.To, to)
	}
	return min(k.From, to), to
}

// corpus returns the parts of the sequences of a corpus, with their classes.
func (k Part) corpus(c *stringkernel.Corpus) *stringkernel.Corpus {
	var b stringkernel.CorpusBuilder
	for i := range c.Len() {
		b.Add(c.Name(i), k.of(c.Seq(i)))
	}
	return b.Corpus().WithClasses(c.Classes())
}

// Eval compares the parts.
func (k Part) Eval(x, y []byte) float64 { return k.Kernel.Eval(k.of(x), k.of(y)) }

// SelfEval is that of the part.
func (k Part) SelfEval(x []byte) float64 { return SelfEval(k.Kernel, k.of(x)) }

// JointSelfEval is that of the parts.
func (k Part) JointSelfEval(x, y []byte) float64 { return JointSelfEval(k.Kernel, k.of(x), k.of(y)) }

// Gram indexes the parts.
func (k Part) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	inner, err := k.Kernel.Gram(ctx, k.corpus(c))
	if err != nil {
		return nil, err
	}
	return partGram{inner, k}, nil
}

// Merge merges the parts.
func (k Part) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	inner, err := k.Kernel.Merge(ctx, k.corpus(sv), c)
	if err != nil {
		return nil, err
	}
	return newPartScorer(k, inner), nil
}

// Traits are those of the wrapped kernel, without those of k-mers wherever they are.
func (k Part) Traits() stringkernel.Traits {
	t := stringkernel.TraitsOf(k.Kernel)
	t.KmerLength = 0
	if check := t.CheckRecord; check != nil {
		t.CheckRecord = func(x []byte) error { return check(k.of(x)) }
	}
	if each := t.EachUnit; each != nil {
		t.EachUnit = func(x []byte, visit func(lo, hi int)) {
			each(k.of(x), func(lo, hi int) { visit(k.From+lo, k.From+hi) })
		}
	}
	return t
}

// Fitter fits the wrapped kernel to the parts.
func (k Part) Fitter() stringkernel.Fitter {
	if stringkernel.DependsOnCorpus(k.Kernel) {
		return partOptions(k)
	}
	return nil
}

// partOptions are the options that the kernel has if the wrapped one does.
type partOptions Part

func (k partOptions) Fit(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Kernel, error) {
	inner, err := stringkernel.Fit(ctx, k.Kernel, Part(k).corpus(c))
	return Part{inner, k.From, k.To, k.Drop, c}, err
}

func (k partOptions) Reference() *stringkernel.Corpus { return k.reference }

func (k partOptions) SelfContained() bool { return stringkernel.FitterOf(k.Kernel).SelfContained() }

// Restorer stores and restores the wrapped scorer.
func (k Part) Restorer() stringkernel.Restorer {
	return given(stringkernel.RestorerOf(k.Kernel), stringkernel.Restorer(partOptions(k)))
}

func (k partOptions) Arrays(s stringkernel.Scorer) []stringkernel.Array {
	return stringkernel.RestorerOf(k.Kernel).Arrays(s.(*partScorer).inner)
}

func (k partOptions) Restore(arrays []stringkernel.Array) (stringkernel.Scorer, error) {
	inner, err := stringkernel.RestorerOf(k.Kernel).Restore(arrays)
	if err != nil {
		return nil, err
	}
	return newPartScorer(Part(k), inner), nil
}

// Comparer compares the parts.
func (k Part) Comparer() Comparer { return given(ComparerOf(k.Kernel), Comparer(partOptions(k))) }

func (k partOptions) Compare(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Comparison, error) {
	compare, err := ComparerOf(k.Kernel).Compare(ctx, Part(k).corpus(c))
	return func(dst []float64, x []byte) { compare(dst, Part(k).of(x)) }, err
}

// Enumerator lists the features of the part.
func (k Part) Enumerator() stringkernel.Enumerator {
	return given(stringkernel.EnumeratorOf(k.Kernel), stringkernel.Enumerator(partOptions(k)))
}

func (k partOptions) EachFeature(x []byte, visit func(name string, value float64)) {
	stringkernel.EnumeratorOf(k.Kernel).EachFeature(Part(k).of(x), visit)
}

// WindowNorms are those of the windows of the same part.
func (k Part) WindowNorms() WindowNorms {
	return given(WindowNormsOf(k.Kernel), WindowNorms(partOptions(k)))
}

func (k partOptions) TrackSelfTo(dst []float64, x []byte, window int) {
	for p := range dst[:len(x)-window+1] {
		dst[p] = Part(k).SelfEval(x[p : p+window])
	}
}

func (k partOptions) TrackJointSelfTo(dst []float64, x, y []byte, window int) {
	stringkernel.TrackJointByEval(Part(k), dst, x, y, window)
}

func (k partOptions) StrandSymmetric() bool { return false }

// Family is that of the wrapped kernel on the same part.
func (k Part) Family() string {
	return fmt.Sprintf("part(%d, %d, %d, %s)", k.From, k.To, k.Drop, stringkernel.FamilyOf(k.Kernel))
}

// Share indexes the parts.
func (k Part) Share(
	ctx context.Context, x *stringkernel.Indexes, members []stringkernel.Kernel,
) (stringkernel.Shared, error) {
	inside := func(k Part) stringkernel.Kernel { return k.Kernel }
	return shareInside(ctx, &stringkernel.Indexes{Corpus: k.corpus(x.Corpus)}, k, members, inside,
		func(_ context.Context, k Part, g stringkernel.Gram) (stringkernel.Gram, error) {
			return partGram{g, k}, nil
		})
}

// partGram is the matrix of the parts, with all its options.
type partGram struct {
	stringkernel.Gram
	kernel Part
}

func (g partGram) Describer() stringkernel.Describer     { return stringkernel.DescriberOf(g.Gram) }
func (g partGram) BlockMul() stringkernel.BlockMul       { return stringkernel.BlockMulOf(g.Gram) }
func (g partGram) Dense() stringkernel.Dense             { return stringkernel.DenseOf(g.Gram) }
func (g partGram) FeatureRows() stringkernel.FeatureRows { return stringkernel.FeatureRowsOf(g.Gram) }
func (g partGram) RowBlock() RowBlock                    { return RowBlockOf(g.Gram) }
func (g partGram) SelfValues() SelfValues                { return SelfValuesOf(g.Gram) }

// Merging merges the parts as their matrix does.
func (g partGram) Merging(documents []int) stringkernel.MergeFunc {
	merge := stringkernel.Merging(g.kernel.Kernel, g.Gram, documents)
	return func(
		ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
	) (stringkernel.Scorer, error) {
		inner, err := merge(ctx, g.kernel.corpus(sv), c)
		if err != nil {
			return nil, err
		}
		return newPartScorer(g.kernel, inner), nil
	}
}

// partScorer scores parts.
type partScorer struct {
	scorerOptions
	kernel Part
	inner  stringkernel.Scorer
}

func newPartScorer(k Part, inner stringkernel.Scorer) *partScorer {
	s := &partScorer{kernel: k, inner: inner}
	s.scorerOptions = scorerOptions{[]stringkernel.Scorer{inner}, partScores{s}}
	return s
}

func (s *partScorer) ScoreTo(dst []float64, x []byte) { s.inner.ScoreTo(dst, s.kernel.of(x)) }

// SelfScorer is that of the scorer inside.
func (s *partScorer) SelfScorer() SelfScorer {
	return given(SelfScorerOf(s.inner), SelfScorer(partScores{s}))
}

// Traits are those of the scorer inside, whose windows are the parts: the length of a sequence follows if the part goes
// to the end.
func (s *partScorer) Traits() stringkernel.Traits {
	t := stringkernel.TraitsOf(s.inner)
	switch {
	case t.WindowLength > 0 && s.kernel.To == 0:
		t.WindowLength += s.kernel.From + s.kernel.Drop
	default:
		t.WindowLength = 0
	}
	return t
}

// partScores are the options of the scorer.
type partScores struct{ *partScorer }

func (s partScores) SelfScoreTo(dst []float64, x []byte) float64 {
	return SelfScorerOf(s.inner).SelfScoreTo(dst, s.kernel.of(x))
}

func (s partScores) ExplainTo(dst []float64, m int, x []byte) {
	clear(dst[:len(x)])
	part := s.kernel.of(x)
	stringkernel.ExplainerOf(s.inner).ExplainTo(dst[min(s.kernel.From, len(x)):][:len(part)], m, part)
}

func (s partScores) TopFeatures(mix []float64, n int) []stringkernel.Feature {
	return stringkernel.FeatureListerOf(s.inner).TopFeatures(mix, n)
}

func (s partScores) FeaturesOf(mix []float64, x []byte, n int) []stringkernel.Feature {
	return stringkernel.FeatureListerOf(s.inner).FeaturesOf(mix, s.kernel.of(x), n)
}

func (s partScores) ScoreBatchTo(dst []float64, x [][]byte) {
	parts := make([][]byte, len(x))
	for i := range x {
		parts[i] = s.kernel.of(x[i])
	}
	stringkernel.ScoreBatch(s.inner, dst, parts)
}

// TrackTo tracks the parts of windows, which are windows of a part.
func (s partScores) TrackTo(dst []float64, m int, x []byte, window int) {
	windows := len(x) - window + 1
	from, to := s.kernel.bounds(window)
	if from == to { // no window has the part
		score := make([]float64, s.inner.Outputs())
		s.inner.ScoreTo(score, nil)
		for p := range dst[:windows] {
			dst[p] = score[m]
		}
		return
	}
	stringkernel.Track(dst, s.inner, m, x[from:windows-1+to], to-from)
}

// SubstituteTo changes letters of the part; others change nothing.
func (s partScores) SubstituteTo(scores, contributions []float64, m int, x, letters []byte) {
	SubstituteEach(scores, contributions, s.partScorer, m, x, letters)
}
