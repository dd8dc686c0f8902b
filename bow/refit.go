package bow

import (
	"context"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/sparse"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// refits reports whether the weights of features depend on numbers of documents alone, so that no feature without a
// weight gets one where documents are left out: rows of all documents are then those of some but for the weights.
func (k Kernel) refits() bool {
	others := k.Open || k.LogEntropy || k.Laplace || k.L1 || !k.Count.Separable()
	return !others && k.MaxDF == 0 && (k.MinDF == 0 || k.MinDF >= 1)
}

// refitting is a [stringkernel.Shared] of one kernel, which refits: its rows are made once, and weighed anew for the
// documents that it is fitted to, in O(entries).
func (s *shared) refitting(k Kernel) stringkernel.Shared {
	type fit struct {
		gram *sparse.Gram
		err  error
	}
	all := &cancel.Once[fit]{Make: func(ctx context.Context) fit {
		g, err := s.fittedTo(ctx, k, nil)
		cancel.Check(ctx)
		return fit{g, err}
	}}
	return func(ctx context.Context, _ stringkernel.Kernel, train []int) (matrix stringkernel.Gram, err error) {
		defer cancel.Catch(&err)
		whole := all.Get(ctx)
		if whole.err != nil || train == nil {
			return whole.gram, whole.err
		}
		return whole.gram.Refit(ctx, train, k.weight), nil
	}
}
