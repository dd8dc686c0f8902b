// Package stored reads the arrays that scorers are stored as, and trusts nothing: see [stringkernel.Restorer].
package stored

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"

	"github.com/seqsvm/seqsvm/internal/intern"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// outputsName is the array with the number of outputs.
const outputsName = "outputs"

// SortedBlocks names the array of what is known of the suffixes of a text in their order, the letters before them
// among it, from which the text can be put together again.
const SortedBlocks = "blocks"

// Outputs is the stored form of the number of outputs.
func Outputs(n int) stringkernel.Array {
	return stringkernel.Array{Name: outputsName, Data: []int32{int32(n)}}
}

// Terms is the stored form of a table of terms: those end to end, and the end offset of each.
func Terms(t *intern.Terms, textName, endsName string) []stringkernel.Array {
	ends := make([]uint64, t.Len())
	for id, end := range t.Ends {
		ends[id] = uint64(end)
	}
	return []stringkernel.Array{
		{Name: textName, Data: append([]uint8{}, t.Text...)},
		{Name: endsName, Data: ends},
	}
}

// Arrays reads stored arrays by name. After the first error it returns nothing but empty arrays.
type Arrays struct {
	named map[string]any
	read  map[string]bool
	err   error
}

// Read begins to read arrays.
func Read(arrays []stringkernel.Array) *Arrays {
	a := &Arrays{named: make(map[string]any, len(arrays)), read: map[string]bool{}}
	for _, array := range arrays {
		if _, duplicate := a.named[array.Name]; duplicate {
			a.fail(fmt.Errorf("duplicate array %q", array.Name))
		}
		a.named[array.Name] = array.Data
	}
	return a
}

// Restore returns the scorer that read makes of the arrays of a kernel, or an error with the name of the kernel.
func Restore[S stringkernel.Scorer](
	k stringkernel.Kernel, name string, arrays []stringkernel.Array, read func(a *Arrays) (S, error),
) (stringkernel.Scorer, error) {
	if err := k.Check(); err != nil {
		return nil, err
	}
	s, err := read(Read(arrays))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

// Has reports whether there is an array of a name.
func (a *Arrays) Has(name string) bool { return a.named[name] != nil }

// Err returns the first error so far.
func (a *Arrays) Err() error { return a.err }

// Close returns the first error, or one that names an array that was not read.
func (a *Arrays) Close() error {
	for _, name := range slices.Sorted(maps.Keys(a.named)) {
		if !a.read[name] {
			a.fail(fmt.Errorf("unexpected array %.80q", name))
		}
	}
	return a.err
}

func (a *Arrays) fail(err error) {
	if a.err == nil {
		a.err = err
	}
}

// Get returns an array, which is an error if it is missing, of another type or longer than most.
func Get[T uint8 | int32 | uint64 | float64](a *Arrays, name string, most int) []T {
	a.read[name] = true
	data, ok := a.named[name].([]T)
	switch {
	case !a.Has(name):
		a.fail(fmt.Errorf("array %.80q is missing", name))
	case !ok:
		a.fail(fmt.Errorf("array %.80q is of %s, want %T", name, reflect.TypeOf(a.named[name]).Elem(), *new(T)))
	case len(data) > most:
		a.fail(fmt.Errorf("array %.80q has %d entries, want at most %d", name, len(data), most))
	}
	if a.err != nil {
		return nil
	}
	return data
}

// Outputs returns the number of outputs, 1 if there is an error.
func (a *Arrays) Outputs() int {
	a.read[outputsName] = true
	data, _ := a.named[outputsName].([]int32)
	if len(data) != 1 || data[0] < 1 || data[0] > stringkernel.MaxOutputs {
		a.fail(fmt.Errorf("array %q: want one int32 from 1 to %d", outputsName, stringkernel.MaxOutputs))
	}
	if a.err != nil {
		return 1
	}
	return int(data[0])
}

// Table returns a table of finite numbers, row by row. Its number of rows must be rows, unless that is negative.
func (a *Arrays) Table(name string, rows, columns int) []float64 {
	values := Get[float64](a, name, math.MaxInt)
	if a.err == nil && (len(values)%columns != 0 || rows >= 0 && len(values)/columns != rows) {
		a.fail(fmt.Errorf("array %q has %d numbers, want %d rows of %d", name, len(values), rows, columns))
	}
	for i, value := range values {
		if math.IsNaN(value) || math.IsInf(value, 0) {
			a.fail(fmt.Errorf("array %q: number %d is %v, want a finite one", name, i, value))
		}
	}
	return values
}

// Terms fills an empty table with the terms of [Terms], of least bytes each and most in number.
func (a *Arrays) Terms(t *intern.Terms, textName, endsName string, least, most int) {
	text, ends := Get[uint8](a, textName, math.MaxInt), Get[uint64](a, endsName, most)
	if a.err != nil {
		return
	}
	if err := t.Restore(text, ends, least); err != nil {
		a.fail(fmt.Errorf("array %q: %w", textName, err))
	}
}
