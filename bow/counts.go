package bow

import (
	"fmt"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// Counts returns the kernel of plain counts on the same words: without weights of any kind but Binary. It is not fitted.
func (k Kernel) Counts() Kernel {
	k.Sublinear, k.TFIDF, k.LogEntropy, k.Laplace, k.L1, k.fitted = false, false, false, false, false, nil
	return k
}

// CountRows returns the rows of a corpus in the features of a fitted kernel, those of a single document included, which the Gram matrix leaves out; and how many
// features there are, which is less than the width of the rows if some words only lead to n-grams. O(N) for N bytes.
func (k Kernel) CountRows(c *stringkernel.Corpus) (rows stringkernel.FeatureRows, features int, err error) {
	if k.fitted == nil {
		return nil, 0, fmt.Errorf("words: rows of a kernel that is not fitted")
	}
	return k.fitted.vocabulary.rowsOf(c, k.fitted), k.fitted.vocabulary.size, nil
}
