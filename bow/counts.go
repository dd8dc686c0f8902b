package bow

import "github.com/seqsvm/seqsvm/stringkernel"

// Counts returns the kernel of plain counts of the same words, without any weighting but presence. It is not fitted.
func (k Kernel) Counts() Kernel {
	k.Sublinear, k.TFIDF, k.LogEntropy, k.Laplace, k.L1, k.Open = false, false, false, false, false, false
	if k.Count != stringkernel.CountPresence {
		k.Count = ""
	}
	k.fitted = nil
	return k
}
