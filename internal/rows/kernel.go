package rows

import (
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/stored"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Kernel is the inner product of features that are numbered as they are met. Time and memory of all but Eval are
// linear in the features of the records, each counted once.
type Kernel struct {
	Name       string                                   // for errors
	Parameters interface{ Check() error }               // that make up the features
	Empty      func() Features                          // returns features of which none has a number
	Stored     func(a *stored.Arrays) (Features, error) // reads the arrays of features
	// Sort, if not nil, numbers the features of support vectors in another order, and returns the new numbers: that in
	// which they are met would reveal support vectors.
	Sort func(f Features) (numbers []int32)
}

// Check returns the error of the parameters.
func (k Kernel) Check() error { return k.Parameters.Check() }

// Eval returns k(x, y). What is no record has no features.
func (k Kernel) Eval(x, y []byte) (sum float64) {
	f := k.Empty()
	r := f.Borrow()
	defer f.Return(r)
	found := find(r, x, true)
	values := make([]float64, f.Len())
	found.each(func(_ int, id int32, value float64) { values[id] = value })
	find(r, y, false).each(func(_ int, id int32, value float64) { sum += float64(value * values[id]) })
	return sum
}

// SelfEval returns k(x, x).
func (k Kernel) SelfEval(x []byte) float64 {
	f := k.Empty()
	r := f.Borrow()
	defer f.Return(r)
	_ = r.Read(x) // what is no record has no features
	return r.Self()
}

// EachFeature visits the features of x: see [stringkernel.Enumerator].
func (k Kernel) EachFeature(x []byte, visit func(name string, value float64)) {
	f := k.Empty()
	r := f.Borrow()
	defer f.Return(r)
	find(r, x, true).each(func(_ int, id int32, value float64) { visit(f.Name(id, true), value) })
}

// Gram lists the features of a corpus. The error is a [stringkernel.RecordError] of the first record that is not one
// of the kernel, or a [stringkernel.IndexError].
func (k Kernel) Gram(ctx context.Context, c *stringkernel.Corpus) (g stringkernel.Gram, err error) {
	defer cancel.Catch(&err)
	_, all, err := k.list(ctx, c)
	if err != nil {
		return nil, err
	}
	return NewGram(ctx, all), nil
}

// Traits says that records are compared by lists of features.
func (k Kernel) Traits() stringkernel.Traits { return stringkernel.Traits{Compare: k.Compare} }

// Compare lists the records of a corpus by feature.
func (k Kernel) Compare(ctx context.Context, c *stringkernel.Corpus) (values stringkernel.Comparison, err error) {
	defer cancel.Catch(&err)
	f, all, err := k.list(ctx, c)
	if err != nil {
		return nil, err
	}
	return Compare(f, all), nil
}

// Compare compares records with those whose features are listed.
func Compare(f Features, all *Rows) stringkernel.Comparison {
	columns := all.Columns()
	return func(dst []float64, x []byte) {
		clear(dst)
		r := f.Borrow()
		defer f.Return(r)
		find(r, x, false).each(func(_ int, id int32, value float64) { columns.AddTo(dst, uint32(id), value) })
	}
}

// Merge folds support vectors into a weight per feature and output.
func (k Kernel) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (merged stringkernel.Scorer, err error) {
	defer cancel.Catch(&err)
	f, all, err := k.list(ctx, sv)
	if err != nil {
		return nil, err
	}
	if k.Sort != nil {
		all.renumber(k.Sort(f))
	}
	if err = c.Check(sv); err == nil {
		merged, err = Merge(f, all.Row, c, true)
	}
	return merged, k.named(err)
}

// Arrays returns a scorer as flat arrays: "outputs" ([]int32, their number), those of the features and "weights"
// ([]float64, one number per output for each feature), or, in place of weights, those of lists: see
// docs/model-format.md.
func (k Kernel) Arrays(s stringkernel.Scorer) []stringkernel.Array { return s.(*Scorer).Arrays() }

// Restore rebuilds a scorer from its arrays, to the same bits of every score. It is an error if an array is missing,
// unknown or there twice, if its type or length does not fit the others, if a feature is not the kernel's or there
// twice, or if a weight is not finite.
func (k Kernel) Restore(arrays []stringkernel.Array) (stringkernel.Scorer, error) {
	return stored.Restore(k, k.Name, arrays, func(a *stored.Arrays) (*Scorer, error) {
		f, err := k.Stored(a)
		if err != nil {
			return nil, err
		}
		return Restore(a, f, true)
	})
}

// named returns err, unless it is nil, with the name of the kernel.
func (k Kernel) named(err error) error {
	if err != nil {
		err = fmt.Errorf("%s: %w", k.Name, err)
	}
	return err
}

// The memory of a feature of a record, and of a feature with a number, at the peak of indexing, as measured. How many
// there are is known as they are listed.
const (
	entryBytes   = 27
	featureBytes = 40
)

const (
	readTogether   = 8    // records that are one piece of work, so that passing it on takes little of its time
	sampledRecords = 1024 // after which there is room for as many features of each of the others, and a tenth more
)

// list numbers the features of a corpus: records are read side by side, and their features numbered record by record.
func (k Kernel) list(ctx context.Context, c *stringkernel.Corpus) (Features, *Rows, error) {
	if err := k.Check(); err != nil {
		return nil, nil, err
	}
	l := lister{features: k.Empty(), corpus: c, rows: New(c.Len(), 0, 0)}
	err := parallel.Pipeline(ctx, (c.Len()+readTogether-1)/readTogether,
		func(i int) int { return i * readTogether },
		func(first int) ([]Reader, error) { return l.read(ctx, first, min(c.Len(), first+readTogether)) },
		func(i int, read []Reader) error { return l.add(i*readTogether, read) })
	if err != nil {
		return nil, nil, k.named(err)
	}
	l.rows.SetWidth(l.features.Len())
	return l.features, l.rows, nil
}

// lister makes the rows of a corpus.
type lister struct {
	features Features
	corpus   *stringkernel.Corpus
	rows     *Rows
}

// read reads records lo … hi−1, each by a reader of its own.
func (l *lister) read(ctx context.Context, lo, hi int) (read []Reader, err error) {
	for i := lo; i < hi; i++ {
		cancel.Check(ctx)
		r := l.features.Borrow()
		if err := r.Read(l.corpus.Seq(i)); err != nil {
			return nil, l.recordError(i, err)
		}
		read = append(read, r)
	}
	return read, nil
}

// add numbers the features of records from first on.
func (l *lister) add(first int, read []Reader) error {
	for j, r := range read {
		found, err := r.Found(true)
		if err != nil {
			return l.recordError(first+j, err)
		}
		found.each(func(_ int, id int32, value float64) { l.rows.Add(id, value) })
		l.rows.End()
		l.features.Return(r)
	}
	if done := l.rows.Len(); done == sampledRecords && l.corpus.Len() > done {
		l.rows.Grow((l.corpus.Len() - done) * l.rows.Entries() / done * 11 / 10)
	}
	bytes := float64(entryBytes*float64(l.rows.Entries())) + float64(featureBytes*float64(l.features.Len()))
	if err := memory.Check(bytes); err != nil {
		return &stringkernel.IndexError{Letters: l.corpus.Letters(), Err: err}
	}
	return nil
}

// recordError names a record.
func (l *lister) recordError(i int, err error) error {
	return &stringkernel.RecordError{Record: i, Name: l.corpus.Name(i), Err: err}
}
