package online

import (
	"context"

	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// weights are the vectors w_0, w_1, … of a learner, or their multiples. An error of add or mix leaves them unusable.
type weights interface {
	// scoreTo writes ⟨w_m, φ(x)⟩ of as many of the first vectors as dst has entries.
	scoreTo(dst []float64, x []byte)
	// add adds a[m]·φ(x) to each w_m. It keeps neither x nor a.
	add(ctx context.Context, x []byte, a []float64) error
	// mix replaces the vectors by Σ_m rows[i][m]·w_m, of which the first scored are scored from then on.
	mix(ctx context.Context, rows [][]float64, scored int) error
	// store puts the weights into a model. They must not be used afterwards.
	store(m *decide.Model) error
}

// newWeights returns vectors of zeros: a table if the kernel has one, else records. The first scored are scored.
func newWeights(k stringkernel.Kernel, outputs, scored int) (weights, error) {
	t, err := stringkernel.Fold(k, outputs)
	switch {
	case err != nil:
		return nil, err
	case t == nil:
		return &support{kernel: k, scored: scored}, nil
	}
	return &folded{table: t, scores: make([]float64, outputs)}, nil
}

// folded is weights in a table.
type folded struct {
	table  *stringkernel.Table
	scores []float64
}

func (f *folded) scoreTo(dst []float64, x []byte) {
	f.table.ScoreTo(f.scores, x)
	copy(dst, f.scores)
}

func (f *folded) add(_ context.Context, x []byte, a []float64) error {
	f.table.Add(x, a)
	return nil
}

func (f *folded) mix(_ context.Context, rows [][]float64, _ int) (err error) {
	f.table, err = f.table.Mix(rows)
	f.scores = make([]float64, len(rows))
	return err
}

func (f *folded) store(m *decide.Model) (err error) {
	m.Scorer, err = f.table.Freeze()
	return err
}
