package bow

import (
	"context"
	"reflect"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/rows"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// refits reports whether the weights of features depend on numbers of documents alone, so that no feature without a
// weight gets one where documents are left out: rows of all documents are then those of some but for the weights.
func (k Kernel) refits() bool {
	others := k.Open || k.LogEntropy || k.Laplace || k.L1 || !k.Count.Separable()
	return !others && k.MaxDF == 0 && (k.MinDF == 0 || k.MinDF >= 1)
}

// refitting is a [stringkernel.Shared] of k alone, which refits: the rows of a corpus are made once, unless by is k
// fitted to it, and weighed anew for the documents that the kernel is fitted to, in O(entries).
func (k Kernel) refitting(corpus *stringkernel.Corpus, by Kernel) stringkernel.Shared {
	type fit struct {
		gram *rows.Gram
		err  error
	}
	all := &cancel.Once[fit]{Make: func(ctx context.Context) fit {
		whole := by
		if by.Reference() != corpus || !reflect.DeepEqual(by.asGiven(), k.asGiven()) {
			fitted, err := k.Fit(ctx, corpus)
			cancel.Check(ctx)
			if err != nil {
				return fit{err: err}
			}
			whole = fitted.(Kernel)
		}
		g, err := whole.gramOfReference(ctx)
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

// asGiven returns the kernel with its parameters alone.
func (k Kernel) asGiven() Kernel {
	k.fitted, k.compiled = nil, nil
	return k
}
