package classify

import (
	"fmt"

	"github.com/seqsvm/seqsvm/classify/components"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// ComponentsScheme has a machine per principal component, whose decision value is the projection onto it: a model that
// learned from records without labels.
const ComponentsScheme = "components"

type projection struct{ single }

func (projection) labelling() Labelling { return NoLabels }

// plan trains nothing: see NewComponents.
func (projection) plan(Trainer, *plan, *Dataset, []int) {}

func (projection) predict(_ *Rule, decisions []float64, to *Prediction) { to.Scores = decisions }

// NewComponents makes a model of the components of a corpus, which the kernel is fitted to. Its classes are pc1, pc2, …
// The certificate of each says that an eigenvalue is between Dual, λ less the residual, and Primal, λ and the residual.
func NewComponents(k stringkernel.Kernel, corpus *stringkernel.Corpus, found *components.Components) *Model {
	m := &Model{Rule: Rule{Scheme: ComponentsScheme}, Kernel: k, Support: corpus,
		Coef: stringkernel.NewCoefficients(corpus.Len(), found.Coef())}
	for i := range corpus.Len() {
		m.Index = append(m.Index, i)
	}
	for j, value := range found.Values {
		m.Classes = append(m.Classes, fmt.Sprintf("pc%d", j+1))
		residual := found.Residuals[j]
		m.Machines = append(m.Machines, Binary{
			Positive: j, Negative: Rest, Rho: found.Rho[j], SupportVectors: corpus.Len(), Solver: "lanczos",
			Primal: value + residual, Dual: value - residual, Gap: 2 * residual / (value + residual),
			Iterations: found.Products,
		})
	}
	m.Problems = m.Machines
	return m
}
