package rfe

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/rows"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Elimination is recursive feature elimination (Guyon, Weston, Barnhill & Vapnik 2002, Machine Learning 46,
// doi:10.1023/A:1012487302797): train, leave out the features of the least Σ_m w_m² over the machines m, train again on
// the others, and so on. The kernel must be a stringkernel.Enumerator: words, or spectrum kernels. Values of features
// stay those with all features present, normalisation included.
//
// By ranks features by another criterion: those looked at alone are ranked once, and the machines are only trained on
// what is left.
//
// Of equal features the first in the training records is kept. The solvers, costs and schemes are the
// Trainer's; it calibrates no probabilities. A round costs a training and a pass over the rows. Memory: the names of
// the features, and 12 bytes for each record that has one.
type Elimination struct {
	Trainer classify.Trainer
	// features left out in a round: below 1 the share of those left, at least one feature; from 1 on their number;
	// zero: a half
	Step  float64
	Least int       // features to stop at; zero: 1
	By    Criterion // what features are ranked by; empty: ByWeights
	// called by CrossValidate with how many of all rounds of all folds are done, by several goroutines at once; may be
	// nil
	Progress func(done, of int)
}

// ErrNoFeatures is wrapped by the error for a kernel whose features cannot be listed.
var ErrNoFeatures = errors.New("classify: the kernel has no list of features")

// Sizes returns how many of a number of features each round has, the first one all.
func (e Elimination) Sizes(features int) []int {
	step, sizes := cmp.Or(e.Step, 0.5), []int{features}
	for left := features; left > max(1, e.Least); {
		drop := step
		if step < 1 {
			drop *= float64(left)
		}
		left = max(left-max(1, int(min(drop, float64(left)))), max(1, e.Least))
		sizes = append(sizes, left)
	}
	return sizes
}

// check names what is wrong with the parameters.
func (e Elimination) check(d *dataset.Dataset) error {
	switch {
	case !(e.Step >= 0) || e.Step > 1<<31:
		return fmt.Errorf("classify: Step = %v, want a share below 1 or a number of features", e.Step)
	case e.Step > 1 && e.Step != float64(int(e.Step)):
		return fmt.Errorf("classify: Step = %v, want a whole number of features, or a share below 1", e.Step)
	case e.Least < 0:
		return fmt.Errorf("classify: Least = %d, want 0 or more", e.Least)
	}
	squares := svm.CheckOption(e.Trainer.Penalty != classify.PenaltySum, "Penalty", e.Trainer.Penalty,
		"%s for elimination: %s chooses features itself", classify.PenaltySquares, classify.PenaltySum)
	if err := cmp.Or(squares, e.By.check(d), e.Trainer.Check(d)); err != nil {
		return err
	}
	if stringkernel.EnumeratorOf(e.Trainer.Kernel) == nil {
		return ErrNoFeatures
	}
	return nil
}

// Count returns the number of features that the records of a data set have.
func (e Elimination) Count(ctx context.Context, d *dataset.Dataset) (int, error) {
	if err := e.check(d); err != nil {
		return 0, err
	}
	r, err := e.newRun(ctx, d)
	if err != nil {
		return 0, err
	}
	return len(r.vocabulary.Names), nil
}

// Select returns the names of the keep features that elimination on the whole data set leaves, by falling Σ_m w_m², or
// what else By is.
func (e Elimination) Select(ctx context.Context, d *dataset.Dataset, keep int) ([]string, error) {
	if keep < 1 {
		return nil, fmt.Errorf("classify: %d features to keep, want at least 1", keep)
	}
	if err := e.check(d); err != nil {
		return nil, err
	}
	r, err := e.newRun(ctx, d)
	if err != nil {
		return nil, err
	}
	e.Least = keep
	for _, size := range e.Sizes(len(r.vocabulary.Names)) {
		if err := r.drop(ctx, size); err != nil {
			return nil, err
		}
	}
	ranking, err := r.ranking(ctx)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, id := range ranking {
		names = append(names, r.vocabulary.Names[id])
	}
	return names, nil
}

// CrossValidate eliminates features within each training part (of the features its records have), for every fold, and
// predicts the records left out with each number of features: an outcome per size. Records that are tested have no
// influence on what is left out; choosing features on all records first would make any data look separable (Ambroise &
// McLachlan 2002, PNAS 99, doi:10.1073/pnas.102102699). Sizes fall; a fold with fewer features than a size has all of
// its own. Folds run in parallel; the outcome is the same to the bit whatever the number of processors.
func (e Elimination) CrossValidate(ctx context.Context, d *dataset.Dataset, fold,
	sizes []int) ([]*classify.CVResult, error) {
	if err := e.check(d); err != nil {
		return nil, err
	}
	for s, size := range sizes {
		if size < 1 {
			return nil, fmt.Errorf("classify: %d features, want at least 1", size)
		}
		if s > 0 && size > sizes[s-1] {
			return nil, fmt.Errorf("classify: %d features after %d, want decreasing numbers", size, sizes[s-1])
		}
	}
	outcomes := make([]*classify.CVResult, len(sizes))
	for s := range outcomes {
		var err error
		if outcomes[s], err = classify.NewCVResult(d, fold); err != nil {
			return nil, err
		}
	}
	var done atomic.Int64
	return outcomes, parallel.Do(ctx, outcomes[0].Folds, func(f int) error {
		train, test := outcomes[0].Split(f)
		r, err := e.newRun(ctx, d.Subset(train))
		if err != nil {
			return fmt.Errorf("fold %d: %w", f+1, err)
		}
		rows := r.vocabulary.RowsOf(ctx, r.kernel, d.Corpus.Subset(test), false)
		for s, size := range sizes {
			err := r.drop(ctx, size)
			if err == nil {
				err = r.train(ctx)
			}
			if err != nil {
				return fmt.Errorf("fold %d: %w", f+1, err)
			}
			outcomes[s].Rules[f] = r.decision
			for j, i := range test {
				outcomes[s].Predictions[i] = r.predict(rows, j)
			}
			if e.Progress != nil {
				e.Progress(int(done.Add(1)), len(sizes)*outcomes[0].Folds)
			}
		}
		return nil
	})
}

// eliminationRun is the state of an elimination on some records.
type eliminationRun struct {
	trainer    classify.Trainer
	kernel     stringkernel.Enumerator
	data       *dataset.Dataset
	vocabulary *rows.Vocabulary
	rows       *rows.Rows // of the features kept
	kept       []bool
	left       int
	trained    bool // on the features kept
	decision   decide.Rule
	weights    [][]float64 // per machine and feature
	scores     []float64   // per feature, of a criterion that looks at each alone; else nil
}

func (e Elimination) newRun(ctx context.Context, d *dataset.Dataset) (run *eliminationRun, err error) {
	defer cancel.Catch(&err)
	fitted, err := stringkernel.Fit(ctx, e.Trainer.Kernel, d.Corpus)
	if err != nil {
		return nil, fmt.Errorf("classify: fitting the kernel: %w", err)
	}
	r := &eliminationRun{trainer: e.Trainer, kernel: stringkernel.EnumeratorOf(fitted), data: d,
		vocabulary: new(rows.Vocabulary)}
	r.trainer.Probability, r.trainer.Progress = false, nil
	r.rows = r.vocabulary.RowsOf(ctx, r.kernel, d.Corpus, true)
	r.left = r.rows.Width()
	if r.left == 0 {
		return nil, fmt.Errorf("classify: %w", stringkernel.ErrNoFeatures)
	}
	if err := memory.Check(8 * float64(r.left) * float64(len(d.Classes))); err != nil {
		return nil, fmt.Errorf("classify: weights of %d features for %d classes need %w", r.left, len(d.Classes), err)
	}
	r.kept = slices.Repeat([]bool{true}, r.left)
	if e.By != "" && e.By != ByWeights {
		r.scores, err = filter(ctx, e.By, r.rows, d)
	}
	return r, err
}

// train solves the machines on the features kept, if that has not been done.
func (r *eliminationRun) train(ctx context.Context) (err error) {
	defer cancel.Catch(&err)
	if r.trained {
		return nil
	}
	decision, coef, err := r.trainer.TrainOn(ctx, rows.NewGram(ctx, r.rows), r.data)
	if err != nil {
		return err
	}
	r.decision, r.weights = decision, scratch.Vectors(len(coef), r.rows.Width())
	for m := range r.weights {
		for i, a := range coef[m] {
			if a != 0 {
				r.rows.Scatter(r.weights[m], i, a)
			}
		}
	}
	r.trained = true
	return nil
}

// drop drops the last features of the ranking until size are left.
func (r *eliminationRun) drop(ctx context.Context, size int) error {
	if size >= r.left {
		return nil
	}
	ranking, err := r.ranking(ctx)
	if err != nil {
		return err
	}
	for _, id := range ranking[size:] {
		r.kept[id] = false
	}
	r.left, r.rows, r.trained = size, without(r.rows, r.kept), false
	return nil
}

// ranking returns the features kept by falling criterion: Σ_m w_m² of the machines trained on them, or their scores.
func (r *eliminationRun) ranking(ctx context.Context) ([]uint32, error) {
	scores := r.scores
	if scores == nil {
		if err := r.train(ctx); err != nil {
			return nil, err
		}
		scores = make([]float64, r.rows.Width())
		for _, w := range r.weights {
			for id, value := range w {
				scores[id] += float64(value * value)
			}
		}
	}
	ids := make([]uint32, 0, r.left)
	for id, kept := range r.kept {
		if kept {
			ids = append(ids, uint32(id))
		}
	}
	slices.SortStableFunc(ids, func(a, b uint32) int { return cmp.Compare(scores[b], scores[a]) })
	return ids, nil
}

// predict decides on a row of a record that was not trained on.
func (r *eliminationRun) predict(rows *rows.Rows, i int) decide.Prediction {
	scores := make([]float64, len(r.weights))
	for m, w := range r.weights {
		scores[m] = rows.Gather(w, i) // features left out have weight 0
	}
	return r.decision.Combine(scores)
}

// without returns the rows of the features that are kept, under the same numbers.
func without(all *rows.Rows, kept []bool) *rows.Rows {
	some := rows.New(all.Len(), 0, all.Width())
	for i := range all.Len() {
		ids, values := all.Row(i)
		for e, id := range ids {
			if kept[id] {
				some.Add(int32(id), values[e])
			}
		}
		some.End()
	}
	return some
}
