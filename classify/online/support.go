package online

import (
	"context"
	"slices"

	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// runLength is the number of records that are compared one by one before they are merged.
const runLength = 32

// support is weights as the records they are a sum of: recent ones, and runs of older ones whose lengths fall, each
// merged into a scorer.
type support struct {
	kernel stringkernel.Kernel
	scored int
	runs   []*run // the oldest first
	recent run
}

// run is consecutive records with their coefficients, one list per output.
type run struct {
	records [][]byte
	coef    [][]float64
	scorer  stringkernel.Scorer
}

func (s *support) scoreTo(dst []float64, x []byte) {
	clear(dst)
	part := make([]float64, s.scored)
	for _, r := range s.runs {
		r.scorer.ScoreTo(part, x)
		for m := range dst {
			dst[m] += part[m]
		}
	}
	for i, z := range s.recent.records {
		k := s.kernel.Eval(z, x)
		for m := range dst {
			dst[m] += float64(s.recent.coef[m][i] * k)
		}
	}
}

func (s *support) add(ctx context.Context, x []byte, a []float64) error {
	s.recent.append(slices.Clone(x), a)
	if len(s.recent.records) < runLength {
		return nil
	}
	merged := s.recent
	s.recent = run{}
	for n := len(s.runs); n > 0 && len(s.runs[n-1].records) <= len(merged.records); n-- {
		merged = s.runs[n-1].joined(merged)
		s.runs = s.runs[:n-1]
	}
	s.runs = append(s.runs, &merged)
	return s.merge(ctx, &merged)
}

// append appends a record with its coefficients.
func (r *run) append(x []byte, a []float64) {
	if r.coef == nil {
		r.coef = make([][]float64, len(a))
	}
	r.records = append(r.records, x)
	for m, value := range a {
		r.coef[m] = append(r.coef[m], value)
	}
}

// joined returns the records of r and then those of a later run.
func (r *run) joined(later run) run {
	all := run{records: append(r.records, later.records...), coef: r.coef}
	for m := range all.coef {
		all.coef[m] = append(all.coef[m], later.coef[m]...)
	}
	return all
}

// merge makes the scorer of a run.
func (s *support) merge(ctx context.Context, r *run) error {
	corpus, err := stringkernel.NewCorpus(r.records, nil)
	if err != nil {
		return err
	}
	r.scorer, err = stringkernel.Merge(ctx, s.kernel, corpus, r.coef[:s.scored]...)
	return err
}

func (s *support) mix(ctx context.Context, rows [][]float64, scored int) error {
	s.scored = scored
	for _, r := range append(slices.Clip(s.runs), &s.recent) {
		r.mix(rows)
	}
	for _, r := range s.runs {
		if err := s.merge(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

// mix mixes the coefficients of each record.
func (r *run) mix(rows [][]float64) {
	if r.coef == nil {
		return
	}
	mixed := scratch.Vectors(len(rows), len(r.records))
	for i, row := range rows {
		for m, a := range row {
			vectors.AddScaled(mixed[i], a, r.coef[m])
		}
	}
	r.coef = mixed
}

func (s *support) store(m *decide.Model) (err error) {
	all := run{coef: make([][]float64, s.scored)}
	for _, r := range append(s.runs, &s.recent) {
		if len(r.records) > 0 {
			all = all.joined(*r)
		}
	}
	m.Coef = stringkernel.NewCoefficients(len(all.records), all.coef)
	m.Support, err = stringkernel.NewCorpus(all.records, nil)
	return err
}

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
