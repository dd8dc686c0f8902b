package compose

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Raw returns a scorer without the norms of queries: of a [Normalized] kernel f_m(x) = Σ_i coef[m][i]·k(x_i, x)/√k(x_i,
// x_i), in which the support vectors are normalised and x is not; of a [Mean] the mean of its terms' raw scores, of
// [BothStrands] the sum of both strands', of a [Part] that of the part; any other scorer itself. The norm takes longer
// than the score where k(x, x) is quadratic in |x|, and raw scores of k-mers add up to that of the sequence they are
// in. It shares its structure with s and takes O(1) per term.
func Raw(s stringkernel.Scorer) stringkernel.Scorer {
	switch s := s.(type) {
	case *normalizedScorer:
		return s.inner
	case *strandScorer:
		return newStrandScorer(Raw(s.inner), s.alphabet)
	case *partScorer:
		return newPartScorer(s.kernel, Raw(s.inner))
	case *meanScorer:
		terms := make([]stringkernel.Scorer, len(s.inside))
		for t, term := range s.inside {
			terms[t] = Raw(term)
		}
		return newMeanScorer(s.kernel, terms, nil)
	}
	return s
}

// given returns the option outside, that of a wrapper, if what is wrapped has its own, else nil.
func given[O comparable](inside, outside O) O {
	var none O
	if inside == none {
		return none
	}
	return outside
}

// givenAll returns the option outside, that of a wrapper, if all that is wrapped has it, else nil.
func givenAll[T any, O comparable](inside []T, optionOf func(T) O, outside O) O {
	for _, t := range inside {
		outside = given(optionOf(t), outside)
	}
	return outside
}

// scorerOptions is the part of a wrapper's scorer that answers for its options: it has those which all scorers inside
// have, by the methods of outside.
type scorerOptions struct {
	inside  []stringkernel.Scorer
	outside interface {
		stringkernel.Explainer
		stringkernel.FeatureLister
		stringkernel.BatchScorer
		stringkernel.Tracker
		Substituter // whatever the scorers inside have
	}
}

func (s *scorerOptions) Outputs() int { return s.inside[0].Outputs() }

func (s *scorerOptions) Explainer() stringkernel.Explainer {
	return givenAll(s.inside, stringkernel.ExplainerOf, stringkernel.Explainer(s.outside))
}

func (s *scorerOptions) FeatureLister() stringkernel.FeatureLister {
	return givenAll(s.inside, stringkernel.FeatureListerOf, stringkernel.FeatureLister(s.outside))
}

func (s *scorerOptions) BatchScorer() stringkernel.BatchScorer {
	return givenAll(s.inside, stringkernel.BatchScorerOf, stringkernel.BatchScorer(s.outside))
}

func (s *scorerOptions) Tracker() stringkernel.Tracker {
	return givenAll(s.inside, stringkernel.TrackerOf, stringkernel.Tracker(s.outside))
}

// Substituter is that of outside if any scorer inside has one: it takes the others' sequences one by one.
func (s *scorerOptions) Substituter() Substituter {
	if slices.ContainsFunc(s.inside, func(t stringkernel.Scorer) bool { return SubstituterOf(t) != nil }) {
		return s.outside
	}
	return nil
}

// gramOptions is the part of a wrapper's matrix that answers for its options, and for its products, by the methods of
// outside.
type gramOptions struct {
	inner   stringkernel.Gram
	outside interface {
		stringkernel.BlockMul // of one vector too, whatever inner has
		rows(inner stringkernel.FeatureRows) stringkernel.FeatureRows
	}
	scratch sync.Pool
}

func (g *gramOptions) MulVecTo(dst, v []float64) {
	g.outside.MulBlockTo([][]float64{dst}, [][]float64{v})
}

func (g *gramOptions) Describer() stringkernel.Describer { return stringkernel.DescriberOf(g.inner) }

func (g *gramOptions) BlockMul() stringkernel.BlockMul {
	return given(stringkernel.BlockMulOf(g.inner), stringkernel.BlockMul(g.outside))
}

func (g *gramOptions) FeatureRows() stringkernel.FeatureRows {
	if inner := stringkernel.FeatureRowsOf(g.inner); inner != nil {
		return g.outside.rows(inner)
	}
	return nil
}

// borrow lends use m vectors of length n of arbitrary content.
func (g *gramOptions) borrow(m, n int, use func(v [][]float64)) {
	all := scratch.Borrow(&g.scratch, m*n)
	defer g.scratch.Put(all)
	v := make([][]float64, m)
	for i := range v {
		v[i] = (*all)[i*n : (i+1)*n]
	}
	use(v)
}

// selfScorer is a scorer with the way to k(x, x) that it and its kernel have.
type selfScorer struct {
	stringkernel.Scorer
	kernel stringkernel.Kernel
	own    SelfScorer // nil if it has none
	norms  Norms      // nil if it has none
}

func newSelfScorer(k stringkernel.Kernel, s stringkernel.Scorer) selfScorer {
	return selfScorer{s, k, SelfScorerOf(s), NormsOf(k)}
}

// SelfScoreTo is ScoreTo and returns k(x, x).
func (s *selfScorer) SelfScoreTo(dst []float64, x []byte) float64 {
	switch {
	case s.own != nil:
		return s.own.SelfScoreTo(dst, x)
	case s.norms != nil:
		s.ScoreTo(dst, x)
		return s.norms.SelfEval(x)
	}
	s.ScoreTo(dst, x)
	return s.kernel.Eval(x, x)
}

// self returns k(x, x), by the scorer if it knows, since the kernel may not.
func (s *selfScorer) self(x []byte) float64 {
	switch {
	case s.own != nil:
		return s.own.SelfScoreTo(make([]float64, s.Outputs()), x)
	case s.norms != nil:
		return s.norms.SelfEval(x)
	}
	return s.kernel.Eval(x, x)
}

// innerFitter fits what is wrapped.
type innerFitter struct {
	stringkernel.Fitter
	wrap func(inner stringkernel.Kernel) stringkernel.Kernel
}

func (f innerFitter) Fit(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Kernel, error) {
	inner, err := f.Fitter.Fit(ctx, c)
	if err != nil {
		return nil, err
	}
	return f.wrap(inner), nil
}

// compileInside compiles what a wrapper with a name wraps.
func compileInside(wrapper string, inner *stringkernel.Kernel) (err error) {
	if *inner == nil {
		return fmt.Errorf("%s: no kernel inside", wrapper)
	}
	*inner, err = stringkernel.Compile(*inner)
	return err
}

// shareInside indexes a corpus for what the members wrap, by what k does: of a member, inside returns the kernel in it,
// and around wraps the matrix of that.
func shareInside[K stringkernel.Kernel](
	ctx context.Context, x *stringkernel.Indexes, k K, members []stringkernel.Kernel,
	inside func(K) stringkernel.Kernel,
	around func(context.Context, K, stringkernel.Gram) (stringkernel.Gram, error),
) (stringkernel.Shared, error) {
	inner := make([]stringkernel.Kernel, len(members))
	for i, m := range members {
		inner[i] = inside(m.(K))
	}
	shared, err := x.ShareBy(ctx, inside(k), inner)
	return func(ctx context.Context, k stringkernel.Kernel, train []int) (stringkernel.Gram, error) {
		g, err := shared(ctx, inside(k.(K)), train)
		if err != nil {
			return nil, err
		}
		return around(ctx, k.(K), g)
	}, err
}

// ofEach returns a value of each sequence by a kernel, computed on all processors. The error is that of ctx.
func ofEach(
	ctx context.Context, k stringkernel.Kernel, c *stringkernel.Corpus, value func(x []byte) float64,
) (values []float64, err error) {
	defer cancel.Catch(&err)
	if err := stringkernel.Prepare(ctx, k); err != nil {
		return nil, err
	}
	all := make([]float64, c.Len())
	parallel.EachContext(ctx, c.Len(), func(i int) { all[i] = value(c.Seq(i)) })
	return all, nil
}

// eachEntry replaces the entries of an n × n matrix. The error is that of ctx.
func eachEntry(ctx context.Context, dst []float64, n int, value func(i, j int, inner float64) float64) (err error) {
	defer cancel.Catch(&err)
	parallel.EachContext(ctx, n, func(i int) {
		row := dst[i*n : (i+1)*n]
		for j, inner := range row {
			row[j] = value(i, j, inner)
		}
	})
	return nil
}

// leaves returns the number of kernels of which a kernel is composed, in the order in which they are written.
func leaves(k stringkernel.Kernel) int {
	switch k := k.(type) {
	case Mean:
		return leavesOf(k.Terms)
	case Product:
		return leavesOf(k.Factors)
	case Function:
		return leaves(k.Kernel)
	case RBF:
		return leaves(k.Kernel)
	case Normalized:
		return leaves(k.Kernel)
	case BothStrands:
		return leaves(k.Kernel)
	case Part:
		return leaves(k.Kernel)
	case LowRank:
		return leaves(k.Kernel)
	case Fourier:
		return leaves(k.Kernel)
	}
	return 1
}

func leavesOf(kernels []stringkernel.Kernel) (n int) {
	for _, k := range kernels {
		n += leaves(k)
	}
	return n
}
