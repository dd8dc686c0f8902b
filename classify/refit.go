package classify

import (
	"context"
	"slices"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/internal/solve"
	"github.com/seqsvm/seqsvm/internal/subset"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// GramFunc gives the Gram matrix over all records of a data set of a kernel fitted to the records train of it, 0-based
// and ascending; nil is all of them. It may be called from several goroutines at once.
type GramFunc func(ctx context.Context, train []int) (stringkernel.Gram, error)

// refits has a kernel that depends on the corpus fitted anew for each fold of a calibration, to the records of training
// less those left out: it knows no more of these than of new records. Thresholds of labels, of which there may be
// hundreds with five folds each, are found on the matrix of all records.
type refits struct {
	rows       []int // records of training, nil: all
	matrix     GramFunc
	fold       []int // by record: the fold that all machines have it in, but for classes of few records
	references []*solve.Reference
}

// newRefits divides the records rows (nil: all) into folds, stratified by class.
func (t Trainer) newRefits(d *dataset.Dataset, rows []int, matrix GramFunc) *refits {
	y, counts := d.ClassesOf(rows)
	dealt := dataset.Stratify(y, len(counts), calibrationFolds, t.Seed)
	r := &refits{rows: rows, matrix: matrix, fold: make([]int, d.Len())}
	subset.Each(d.Len(), rows, func(record int) {
		r.fold[record], dealt = dealt[0], dealt[1:]
	})
	for f := range calibrationFolds {
		r.references = append(r.references, t.without(r, func(record int) bool { return r.fold[record] == f }))
	}
	return r
}

// without returns the reference of all records of training for which out reports false.
func (t Trainer) without(r *refits, out func(record int) bool) *solve.Reference {
	return &solve.Reference{Make: func(ctx context.Context) (m solve.FittedMatrix) {
		var left []int
		subset.Each(len(r.fold), r.rows, func(record int) {
			if !out(record) {
				left = append(left, record)
			}
		})
		if m.Gram, m.Err = r.matrix(ctx, left); m.Err == nil {
			m.Gram, m.Err = t.runner().Prepare(ctx, m.Gram, nil)
		}
		return m
	}}
}

// referencesOf returns the reference of each fold of machine m, nil where the kernel depends on no corpus: those that
// all machines have in common, unless its folds are its own.
func (t Trainer) referencesOf(p *plan, d *dataset.Dataset, m int, fold []int, k int) (references []*solve.Reference) {
	switch {
	case p.refits == nil:
		return nil
	case k == calibrationFolds && d.Groups == nil:
		return p.refits.references
	}
	for f := range k {
		var test []int
		for i := range fold {
			if fold[i] == f {
				test = append(test, p.jobs[m].Record(i))
			}
		}
		references = append(references, t.without(p.refits, func(record int) bool {
			_, out := slices.BinarySearch(test, record)
			return out
		}))
	}
	return references
}
