package classify

import (
	"cmp"
	"context"

	"github.com/seqsvm/seqsvm/classify/internal/solve"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/svm/auto"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// The penalties of weights: values of [Trainer].Penalty.
const (
	// PenaltySquares is ½‖w‖².
	PenaltySquares = "l2"
	// PenaltySum is Σ_j |w_j| over the features j, with which most weights are 0: see [lasso.Problem]. The losses are
	// svm.SquaredHinge and LossLogistic, the kernel a [stringkernel.Enumerator] whose features are records of their
	// own: k-mers, words and phrases. The model's support vectors are then the features with a weight, each as a
	// record, and what the shorter features in them need to have theirs.
	PenaltySum = "l1"
)

// fewFeatures reports whether weights have the penalty of a sum.
func (t Trainer) fewFeatures() bool { return t.Penalty == PenaltySum }

// checkPenalty returns an [svm.OptionError] if the penalty does not go with other options.
func (t Trainer) checkPenalty() error {
	penalties := []string{PenaltySquares, PenaltySum}
	if !t.fewFeatures() {
		return svm.CheckOption(t.Penalty == "" || t.Penalty == PenaltySquares, "Penalty", t.Penalty, "one of %q", penalties)
	}
	_, auto := t.Solver.(auto.Solver)
	return cmp.Or(
		svm.CheckOption(t.Loss == svm.SquaredHinge || t.Loss == LossLogistic, "Loss", cmp.Or(t.Loss, svm.Hinge),
			"%s with the penalty %s, or the task logistic", svm.SquaredHinge, PenaltySum),
		svm.CheckOption(t.Solver == nil || auto, "Solver", t.Solver, "auto with the penalty %s", PenaltySum),
		svm.CheckOption(t.Nu == 0, "Nu", t.Nu, "none with the penalty %s", PenaltySum),
		svm.CheckOption(t.Prior == 0, "Prior", t.Prior, "none with the penalty %s", PenaltySum),
		svm.CheckOption(t.Landmarks == 0, "Landmarks", t.Landmarks, "none with the penalty %s", PenaltySum),
		svm.CheckOption(t.Relevance == 0, "Relevance", t.Relevance, "none with the penalty %s", PenaltySum))
}

// checkSquares returns an [svm.OptionError] unless the penalty is the one of a kernel; what needs that is a text.
func (t Trainer) checkSquares(what string) error {
	return svm.CheckOption(!t.fewFeatures(), "Penalty", t.Penalty, "%s %s", PenaltySquares, what)
}

// listings is matrices for the penalty of a sum.
func (t Trainer) listings(corpus *stringkernel.Corpus) GramFunc {
	return func(ctx context.Context, train []int) (stringkernel.Gram, error) {
		known := corpus
		if train != nil {
			known = corpus.Subset(train)
		}
		kernel, err := t.fitted(ctx, known)
		if err != nil {
			return nil, err
		}
		return solve.Listing(ctx, kernel, corpus)
	}
}
