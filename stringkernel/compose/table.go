package compose

import (
	"gonum.org/v1/gonum/floats"

	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// fold makes the tables of the terms, if all have one.
func (k Linear) fold(outputs int) (*stringkernel.Table, error) {
	terms := make([]*stringkernel.Table, len(k.Terms))
	for t, term := range k.Terms {
		own, err := stringkernel.Fold(term, outputs)
		if own == nil || err != nil {
			return nil, err
		}
		terms[t] = own
	}
	return k.tableOf(terms)
}

// tableOf is the table of those of the terms, under the scorer that the kernel makes of them.
func (k Linear) tableOf(terms []*stringkernel.Table) (*stringkernel.Table, error) {
	s, err := k.newScorer(func(t int, _ stringkernel.Kernel) (stringkernel.Scorer, error) { return terms[t].Scorer, nil })
	var scaled []float64
	return &stringkernel.Table{
		Scorer: s,
		Add: func(x []byte, a []float64) {
			x = k.part(x)
			if k.Cosine {
				scaled = scratch.Resize(scaled, len(a))
				a = floats.ScaleTo(scaled, inverseRoot(k.square(x)), a)
			}
			for _, term := range terms {
				term.Add(x, a)
				if k.Strands != "" {
					term.Add(k.opposite(x), a)
				}
			}
		},
		Mix: func(rows [][]float64) (*stringkernel.Table, error) {
			mixed := make([]*stringkernel.Table, len(terms))
			for t, term := range terms {
				var err error
				if mixed[t], err = term.Mix(rows); err != nil {
					return nil, err
				}
			}
			return k.tableOf(mixed)
		},
		Freeze: func() (stringkernel.Scorer, error) {
			return k.newScorer(func(t int, _ stringkernel.Kernel) (stringkernel.Scorer, error) { return terms[t].Freeze() })
		},
	}, err
}
