package svmtest

import (
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Dense returns a matrix in memory.
func Dense(g stringkernel.Gram) *svm.Precomputed {
	p := &svm.Precomputed{N: g.Len(), K: make([]float64, g.Len()*g.Len())}
	for i := range p.N {
		g.Row(p.K[i*p.N:(i+1)*p.N], i)
	}
	return p
}

// RowsOnly hides that a matrix is in memory.
type RowsOnly struct{ *svm.Precomputed }

// Traits returns that rows are fast.
func (RowsOnly) Traits() stringkernel.Traits { return stringkernel.Traits{RowBased: true} }
