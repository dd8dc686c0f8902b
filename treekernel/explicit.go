package treekernel

import (
	"context"
	"fmt"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/rows"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// features is a kernel with a finite feature space: φ_f(x) = Σ √w over the occurrences of f in x, for the fragments f
// of its trees.
type features struct {
	name   string
	graphs bool // records are graphs, not trees
	sees   Labels
	// count counts the features of the record that was read, or sets p.excess if there are too many.
	count func(p *profile)
	// spread adds to nodes, one number per node, the contributions of the occurrences of fragments: shares[f]·√w for
	// each node of an occurrence of f.
	spread func(p *profile, shares, nodes []float64)
	// worth returns √w of an occurrence without gaps.
	worth func(s shape) float64
}

// profiler counts one record after another.
type profiler struct {
	*features
	*profile
	translation
}

func (f *features) profiler() *profiler {
	p := newProfile(f.sees)
	if f.graphs {
		p.graph = &graphs{table: &p.table}
	}
	return &profiler{features: f, profile: p}
}

// take counts the features of x. If x is not such a record, or has too many, it returns an error and counts none.
func (p *profiler) take(x []byte) error {
	p.clear()
	err := p.record().read(x)
	if err == nil {
		p.features.count(p.profile)
		err = p.excess
	}
	if err != nil {
		p.clear()
	}
	return err
}

// square returns k(x, x) of the record taken.
func (p *profiler) square() (sum float64) {
	for _, value := range p.values {
		sum += float64(value * value)
	}
	return sum
}

// selfEval returns k(x, x), 0 if x is not trees.
func (f *features) selfEval(x []byte) float64 {
	p := f.profiler()
	_ = p.take(x) // a record that is not trees has no features
	return p.square()
}

// eval returns k(x, y), 0 if x or y is not trees.
func (f *features) eval(x, y []byte) float64 {
	p, v := f.profiler(), new(vocabulary)
	_ = p.take(x) // a record that is not trees has no features
	if p.of(p.profile, v, true) != nil {
		panic("treekernel: Eval: too many fragments") // more bytes than a record may have
	}
	weights := make([]float64, len(v.pairs.Keys))
	for i, to := range p.to {
		weights[to] = p.values[i]
	}
	_ = p.take(y)
	_ = p.of(p.profile, v, false) // a closed vocabulary does not grow
	sum := 0.0
	for i, to := range p.to {
		if to >= 0 {
			sum += float64(p.values[i] * weights[to])
		}
	}
	return sum
}

// The memory of a fragment of a record, and of one of the vocabulary, at the peak of indexing, as measured. How many
// there are is known as they are listed.
const (
	entryBytes    = 27
	fragmentBytes = 40
)

// rows counts the features of a corpus: those of some records side by side, which are then numbered record by record.
// The error is a RecordError of the first record that is not trees, or an IndexError.
func (f *features) rows(ctx context.Context, c *stringkernel.Corpus) (*vocabulary, *rows.Rows, error) {
	v, r := new(vocabulary), rows.New(c.Len(), 0, 0)
	var numbers translation
	var space sync.Pool // of *profiler
	add := func(p *profiler) error {
		if err := numbers.of(p.profile, v, true); err != nil {
			return err
		}
		for j, to := range numbers.to {
			if p.values[j] > 0 {
				r.Add(to, p.values[j])
			}
		}
		r.End()
		return nil
	}
	err := parallel.Pipeline(ctx, (c.Len()+takenTogether-1)/takenTogether,
		func(i int) int { return i * takenTogether },
		func(first int) ([]*profiler, error) {
			var taken []*profiler
			for i := first; i < min(c.Len(), first+takenTogether); i++ {
				cancel.Check(ctx)
				p, _ := space.Get().(*profiler)
				if p == nil {
					p = f.profiler()
				}
				if err := p.take(c.Seq(i)); err != nil {
					return nil, recordError(c, i, err)
				}
				taken = append(taken, p)
			}
			return taken, nil
		},
		func(i int, taken []*profiler) error {
			for j, p := range taken {
				if err := add(p); err != nil {
					return recordError(c, i*takenTogether+j, err)
				}
				space.Put(p)
			}
			if done := (i + 1) * takenTogether; done == sampledRecords && c.Len() > done {
				r.Grow((c.Len() - done) * r.Entries() / done * 11 / 10)
			}
			fragments := float64(entryBytes*float64(r.Entries())) + float64(fragmentBytes*float64(len(v.pairs.Keys)))
			if err := memory.Check(fragments); err != nil {
				return &stringkernel.IndexError{Letters: c.Letters(), Err: err}
			}
			return nil
		})
	if err != nil {
		return nil, nil, err
	}
	r.SetWidth(len(v.pairs.Keys))
	return v, r, nil
}

const (
	takenTogether  = 8    // records that are one piece of work, so that passing it on takes little of its time
	sampledRecords = 1024 // after which there is room for as many fragments of each of the others, and a tenth more
)

// gram indexes a corpus.
func (f *features) gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	_, r, err := f.rows(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.name, err)
	}
	return rows.NewGram(ctx, r), nil
}

// comparison lists the fragments of a corpus by fragment.
func (f *features) comparison(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Comparison, error) {
	v, r, err := f.rows(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.name, err)
	}
	return (&fragmentComparison{newScorer(f, v, 0, nil), r.Columns()}).rowTo, nil
}

// fragmentComparison compares records with those that have a fragment in common.
type fragmentComparison struct {
	scorer  *scorer // for its vocabulary
	columns *rows.Columns
}

// rowTo adds up the products of each fragment of x, 0 if x is not trees.
func (c *fragmentComparison) rowTo(dst []float64, x []byte) {
	clear(dst)
	p := c.scorer.borrow(x)
	defer c.scorer.profilers.Put(p)
	for i, to := range p.to {
		if to >= 0 && p.values[i] != 0 {
			c.columns.AddTo(dst, uint32(to), p.values[i])
		}
	}
}

// merge folds support vectors into the weights of their fragments.
func (f *features) merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	if err := c.Check(sv); err != nil {
		return nil, fmt.Errorf("%s: %w", f.name, err)
	}
	v, r, err := f.rows(ctx, sv)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.name, err)
	}
	if err := rows.CheckTable(r.Width(), c.Outputs, c.Outputs); err != nil {
		return nil, fmt.Errorf("%s: %w", f.name, err)
	}
	weights := make([]float64, r.Width()*c.Outputs)
	rows.Merge(c, r.Row, func(id uint32) []float64 { return weights[int(id)*c.Outputs:][:c.Outputs] })
	return newScorer(f, v, c.Outputs, weights), nil
}

// scorer is the weights of the fragments of support vectors. The cost of a score depends on the record alone.
type scorer struct {
	features   *features
	vocabulary *vocabulary
	outputs    int
	weights    []float64 // one number per output for each fragment
	profilers  sync.Pool // of *profiler
	shapes     func() []shape
}

func newScorer(f *features, v *vocabulary, outputs int, weights []float64) *scorer {
	s := &scorer{features: f, vocabulary: v, outputs: outputs, weights: weights, shapes: sync.OnceValue(v.shapes)}
	s.profilers.New = func() any { return f.profiler() }
	return s
}

// Outputs returns the number of scores per record.
func (s *scorer) Outputs() int { return s.outputs }

// ScoreTo writes the scores of x with one look-up per distinct fragment of x. A record that is not trees scores 0.
func (s *scorer) ScoreTo(dst []float64, x []byte) { s.SelfScoreTo(dst, x) }

// SelfScoreTo is ScoreTo and also returns k(x, x).
func (s *scorer) SelfScoreTo(dst []float64, x []byte) (self float64) {
	dst = dst[:s.outputs]
	clear(dst)
	p := s.borrow(x)
	defer s.profilers.Put(p)
	for i, to := range p.to {
		value := p.values[i]
		self += float64(value * value)
		if to < 0 || value == 0 {
			continue
		}
		for m, w := range s.weights[int(to)*s.outputs:][:len(dst)] {
			dst[m] += float64(value * w)
		}
	}
	return self
}

// borrow returns a profiler with the fragments of x counted and translated.
func (s *scorer) borrow(x []byte) *profiler {
	p := s.profilers.Get().(*profiler)
	_ = p.take(x)                            // a record that is not trees has no features
	_ = p.of(p.profile, s.vocabulary, false) // a closed vocabulary does not grow
	return p
}

// ExplainTo spreads the contribution of each occurrence of a fragment to score m evenly over its nodes, and that of
// each node over the bytes of its label.
func (s *scorer) ExplainTo(dst []float64, m int, x []byte) {
	dst = dst[:len(x)]
	clear(dst)
	p := s.borrow(x)
	defer s.profilers.Put(p)
	p.shares = p.shares[:0]
	for i, to := range p.to {
		share := 0.0
		if to >= 0 {
			share = s.weights[int(to)*s.outputs+m] / float64(p.sizes[i])
		}
		p.shares = append(p.shares, share)
	}
	nodes := make([]float64, p.record().len())
	s.features.spread(p.profile, p.shares, nodes)
	p.record().spread(dst, nodes)
}
