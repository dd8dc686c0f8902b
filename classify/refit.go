package classify

import (
	"context"
	"slices"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/subset"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// refits has a kernel that depends on the corpus fitted anew for each fold of a calibration, to the records of training
// less those left out: it knows no more of these than of new records. Thresholds of labels, of which there may be
// hundreds with five folds each, are found on the matrix of all records.
type refits struct {
	rows       []int // records of training, nil: all
	matrix     GramFunc
	fold       []int // by record: the fold that all machines have it in, but for classes of few records
	references []*reference
}

// reference is records that the kernel is fitted to for some jobs, and the matrix of all records that it has then.
type reference = cancel.Once[fittedMatrix]

type fittedMatrix struct {
	gram stringkernel.Gram
	err  error
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
func (t Trainer) without(r *refits, out func(record int) bool) *reference {
	return &reference{Make: func(ctx context.Context) (m fittedMatrix) {
		var left []int
		subset.Each(len(r.fold), r.rows, func(record int) {
			if !out(record) {
				left = append(left, record)
			}
		})
		if m.gram, m.err = r.matrix(ctx, left); m.err == nil {
			m.gram, m.err = t.prepare(ctx, m.gram, nil)
		}
		return m
	}}
}

// referencesOf returns the reference of each fold of machine m, nil where the kernel depends on no corpus: those that
// all machines have in common, unless its folds are its own.
func (t Trainer) referencesOf(p *plan, d *dataset.Dataset, m int, fold []int, k int) (references []*reference) {
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
				test = append(test, p.jobs[m].record(i))
			}
		}
		references = append(references, t.without(p.refits, func(record int) bool {
			_, out := slices.BinarySearch(test, record)
			return out
		}))
	}
	return references
}
