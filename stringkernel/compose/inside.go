package compose

import (
	"context"

	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Raw returns a scorer without the norms of queries: of a [Normalized] kernel f_m(x) = Σ_i coef[m][i]·k(x_i, x)/√k(x_i,
// x_i), in which the support vectors are normalised and x is not; of a [Mean] the mean of its terms' raw scores, of
// [BothStrands] the sum of both strands'; any other scorer itself. The norm takes longer than the score where k(x, x)
// is quadratic in |x|, and raw scores of k-mers add up to that of the sequence they are in. It shares its structure
// with s and takes O(1) per term.
func Raw(s stringkernel.Scorer) stringkernel.Scorer {
	switch s := s.(type) {
	case *normalizedScorer:
		return s.inner
	case *strandScorer:
		return newStrandScorer(Raw(s.inner), s.alphabet)
	case *meanScorer:
		raw := &meanScorer{terms: make([]stringkernel.Scorer, len(s.terms))}
		for t, term := range s.terms {
			raw.terms[t] = Raw(term)
		}
		return raw
	}
	return s
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
	if s.own != nil {
		return s.own.SelfScoreTo(make([]float64, s.Outputs()), x)
	}
	return SelfEval(s.kernel, x)
}

// eachEntry replaces the entries of an n × n matrix.
func eachEntry(dst []float64, n int, value func(i, j int, inner float64) float64) {
	parallel.For(n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row := dst[i*n : (i+1)*n]
			for j, inner := range row {
				row[j] = value(i, j, inner)
			}
		}
	})
}

// shareInside indexes the corpus for what the members wrap.
func shareInside(
	ctx context.Context, c *stringkernel.Corpus, members []stringkernel.Kernel,
	inside func(stringkernel.Kernel) stringkernel.Kernel,
) (stringkernel.Shared, error) {
	inner := make([]stringkernel.Kernel, len(members))
	for i, m := range members {
		inner[i] = inside(m)
	}
	return stringkernel.Share(ctx, c, inner)
}
