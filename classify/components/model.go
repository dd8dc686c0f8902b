package components

import (
	"fmt"

	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/internal/subset"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// NewModel makes a model of the components of a corpus, which the kernel is fitted to. Its classes are pc1, pc2, …
// The certificate of each says that an eigenvalue is between Dual, λ less the residual, and Primal, λ and the residual.
func NewModel(k stringkernel.Kernel, corpus *stringkernel.Corpus, found *Components) *decide.Model {
	m := &decide.Model{Rule: decide.Rule{Scheme: decide.ComponentsScheme}, Kernel: k, Support: corpus,
		Index: subset.Whole(corpus.Len()), Coef: stringkernel.NewCoefficients(corpus.Len(), found.Coef())}
	for j, value := range found.Values {
		m.Classes = append(m.Classes, fmt.Sprintf("pc%d", j+1))
		residual := found.Residuals[j]
		m.Machines = append(m.Machines, decide.Binary{
			Positive: j, Negative: decide.Rest, Rho: found.Rho[j], SupportVectors: corpus.Len(), Solver: "lanczos",
			Primal: value + residual, Dual: value - residual, Gap: 2 * residual / (value + residual),
			Iterations: found.Products,
		})
	}
	m.Problems = m.Machines
	return m
}
