package wdk

import (
	"fmt"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// Merge folds.
func (k Kernel) Merge(sv *stringkernel.Corpus, coef ...[]float64) (stringkernel.Scorer, error) {
	if err := stringkernel.CheckCoef(sv, coef); err != nil {
		return nil, fmt.Errorf("wd: %w", err)
	}
	return stringkernel.DirectScorer{Kernel: k, SV: sv, Coef: coef}, nil
}
