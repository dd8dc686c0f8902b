// Package throughput measures kernels as a user meets them: index, product, training and scoring, on planted-motif sets
// of a given size. The command seqsvm about bench prints its rows.
//
// Times are wall-clock medians over repeats on whatever processors GOMAXPROCS allows. They depend on the machine and on
// what else it does: compare rows of one run.
package throughput

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/seqsvm/seqsvm/benchmarks/planted"
	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Options say what to measure on. The zero value is not useful.
type Options struct {
	Sequences int     // of the training set
	Length    int     // letters per sequence
	Repeats   int     // of which the median is taken, ≥ 1
	C         float64 // cost of a margin error
	Seed      uint64  // of the generator
}

// Row is what was measured of one kernel. Times are seconds.
type Row struct {
	Kernel     string  `json:"kernel"`
	Sequences  int     `json:"sequences"`
	Letters    int     `json:"letters"`
	Index      float64 `json:"index_s"`                  // Gram: the index and its diagonal
	Product    float64 `json:"product_s"`                // K·v
	Train      float64 `json:"train_s"`                  // index and solver, to a relative gap of 1e-3
	Iterations int     `json:"iterations"`               // of the solver
	Solver     string  `json:"solver"`                   // that training chose
	Raw        float64 `json:"raw_letters_per_s"`        // scoring without the query's norm
	Normalized float64 `json:"normalized_letters_per_s"` // scoring with it
}

// Measure runs one kernel, given as --kernel takes it, normalised, on a planted-motif set of DNA.
func Measure(ctx context.Context, kernel string, opt Options) (Row, error) {
	set, err := planted.Generate(planted.Options{N: opt.Sequences, Length: opt.Length, Mutations: 1, Seed: opt.Seed})
	if err != nil {
		return Row{}, err
	}
	corpus, err := stringkernel.NewCorpus(set.Seqs, set.Names)
	if err != nil {
		return Row{}, err
	}
	data, err := dataset.New(corpus, set.Labels, nil)
	if err != nil {
		return Row{}, err
	}
	spec, err := catalog.Parse(kernel)
	if err != nil {
		return Row{}, err
	}
	normalized, err := spec.Compile(stringkernel.DNA)
	if err != nil {
		return Row{}, err
	}
	spec.Normalize = false
	raw, err := spec.Compile(stringkernel.DNA)
	if err != nil {
		return Row{}, err
	}
	r := run{ctx: ctx, repeats: max(1, opt.Repeats), row: Row{Kernel: kernel, Sequences: corpus.Len(),
		Letters: corpus.Letters()}}
	if err := r.index(normalized, corpus); err != nil {
		return Row{}, err
	}
	trained, err := r.train(classify.Trainer{Kernel: normalized, C: opt.C}, data)
	if err != nil {
		return Row{}, err
	}
	if r.row.Raw, err = r.score(raw, trained, corpus); err != nil {
		return Row{}, err
	}
	r.row.Normalized, err = r.score(normalized, trained, corpus)
	return r.row, err
}

// run collects one row.
type run struct {
	ctx     context.Context
	repeats int
	row     Row
}

// median returns the median time of a task, stopping when the context is done.
func (r *run) median(task func() error) (float64, error) {
	times := make([]float64, r.repeats)
	for i := range times {
		if err := r.ctx.Err(); err != nil {
			return 0, err
		}
		start := time.Now()
		if err := task(); err != nil {
			return 0, err
		}
		times[i] = time.Since(start).Seconds()
	}
	slices.Sort(times)
	return times[len(times)/2], nil
}

func (r *run) index(k stringkernel.Kernel, c *stringkernel.Corpus) (err error) {
	if k, err = stringkernel.Fit(r.ctx, k, c); err != nil {
		return err
	}
	var g stringkernel.Gram
	r.row.Index, err = r.median(func() (err error) {
		g, err = k.Gram(r.ctx, c)
		return err
	})
	if err != nil {
		return err
	}
	v, dst := make([]float64, c.Len()), make([]float64, c.Len())
	for i := range v {
		v[i] = float64(i%7) - 3
	}
	g.MulVecTo(dst, v) // whatever is made at the first product
	r.row.Product, err = r.median(func() error {
		g.MulVecTo(dst, v)
		return nil
	})
	return err
}

func (r *run) train(t classify.Trainer, d *dataset.Dataset) (trained *decide.Model, err error) {
	r.row.Train, err = r.median(func() (err error) {
		trained, err = t.Train(r.ctx, d)
		return err
	})
	if err != nil {
		return nil, err
	}
	r.row.Iterations, r.row.Solver = trained.Machines[0].Iterations, trained.Machines[0].Solver
	return trained, nil
}

// score returns the letters per second of scoring the training set with its own support vectors.
func (r *run) score(k stringkernel.Kernel, m *decide.Model, c *stringkernel.Corpus) (float64, error) {
	k, err := stringkernel.Fit(r.ctx, k, c)
	if err != nil {
		return 0, err
	}
	scorer, err := k.Merge(r.ctx, m.Support, m.Coef)
	if err != nil {
		return 0, fmt.Errorf("merging: %w", err)
	}
	classifier, err := decide.NewClassifier(m.Rule, scorer)
	if err != nil {
		return 0, err
	}
	classifier.Decide(c.Seq(0)) // whatever is made at the first score
	seconds, err := r.median(func() error {
		_, err := classifier.Predict(r.ctx, c)
		return err
	})
	return float64(c.Letters()) / seconds, err
}
