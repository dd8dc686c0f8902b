package table

import (
	"slices"
	"sync"

	"github.com/seqsvm/seqsvm/internal/rows"
	"github.com/seqsvm/seqsvm/internal/stored"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// listed is the kernel of explicit features, the columns, that linear is.
type listed struct{ rows.Kernel }

func (k Kernel) listed() listed {
	f := &features{kernel: k, names: k.Names()}
	f.idle.New = func() any { return f.reader() }
	return listed{rows.Kernel{
		Name: "table", Parameters: k,
		Empty:  func() rows.Features { return f },
		Stored: func(*stored.Arrays) (rows.Features, error) { return f, nil },
	}}
}

// weights are those of columns, without contributions of positions.
type weights struct{ *rows.Scorer }

// Explainer returns nil.
func (w weights) Explainer() stringkernel.Explainer { return nil }

// without leaves out contributions of positions.
func without(s stringkernel.Scorer, err error) (stringkernel.Scorer, error) {
	if err != nil {
		return nil, err
	}
	return weights{s.(*rows.Scorer)}, nil
}

// Arrays returns a scorer as flat arrays.
func (l listed) Arrays(s stringkernel.Scorer) []stringkernel.Array {
	return s.(weights).Scorer.Arrays()
}

// Restore rebuilds a scorer from its arrays.
func (l listed) Restore(arrays []stringkernel.Array) (stringkernel.Scorer, error) {
	return without(l.Kernel.Restore(arrays))
}

func (k Kernel) isLinear() bool { return k.form() == &forms[0] }

// Enumerator lists the columns of linear.
func (k Kernel) Enumerator() stringkernel.Enumerator {
	if !k.isLinear() {
		return nil
	}
	return k.listed()
}

// Restorer stores a weight for each column of linear.
func (k Kernel) Restorer() stringkernel.Restorer {
	if !k.isLinear() {
		return nil
	}
	return k.listed()
}

// features are the columns of a kernel: their numbers are known.
type features struct {
	kernel Kernel
	names  []string
	idle   sync.Pool // *reader
}

// Len returns the number of columns.
func (f *features) Len() int { return len(f.names) }

// Name returns a column.
func (f *features) Name(id int32, _ bool) string { return f.names[id] }

// Worth returns 1: the weight of a column is that of a number of 1.
func (f *features) Worth(int32) float64 { return 1 }

// Arrays returns nothing: the columns are parameters.
func (f *features) Arrays() []stringkernel.Array { return nil }

// Borrow returns an idle reader.
func (f *features) Borrow() rows.Reader { return f.idle.Get().(*reader) }

// Return takes a reader back.
func (f *features) Return(r rows.Reader) { f.idle.Put(r) }

// reader is the numbers of a record.
type reader struct {
	kernel Kernel
	found  rows.Found
}

func (f *features) reader() *reader {
	r := &reader{kernel: f.kernel}
	r.found.Counts, r.found.Values = slices.Repeat([]int32{1}, f.Len()), make([]float64, f.Len())
	for i := range f.names {
		r.found.IDs = append(r.found.IDs, int32(i))
	}
	return r
}

// Read takes the numbers of x.
func (r *reader) Read(x []byte) error {
	if !r.kernel.numbers(r.found.Values, x) {
		clear(r.found.Values)
	}
	return nil
}

// Self returns Σ x_i².
func (r *reader) Self() float64 { return rows.SumOfSquares(r.found.Values) }

// Found returns all columns.
func (r *reader) Found(bool) (rows.Found, error) { return r.found, nil }

// Spread does nothing: numbers have no positions.
func (r *reader) Spread([]float64, []float64) {}
