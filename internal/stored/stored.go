// Package stored reads the arrays that scorers are stored as, and trusts nothing: see [stringkernel.Restorer].
package stored

import (
	"encoding/binary"
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

// SparseRows names the array of the places of [Sparse].
const SparseRows = "sparse.rows"

const sparseValues = "sparse.values"

// Sparse is the stored form of rows of numbers without zeros, one column per output. Of each row the first array has
// the number of entries, then the output of each less that of the one before, the first less 0, all as unsigned
// varints; the second has the numbers of all rows.
func Sparse(c *stringkernel.Coefficients) []stringkernel.Array {
	rows := make([]uint8, 0, c.Len()+len(c.Values))
	for i := range c.Len() {
		outputs, _ := c.Row(i)
		rows = binary.AppendUvarint(rows, uint64(len(outputs)))
		before := int32(0)
		for _, m := range outputs {
			rows = binary.AppendUvarint(rows, uint64(m-before))
			before = m
		}
	}
	return []stringkernel.Array{
		Outputs(c.Outputs), {Name: SparseRows, Data: rows}, {Name: sparseValues, Data: c.Values},
	}
}

// IsSparse reports whether there are rows without zeros.
func (a *Arrays) IsSparse() bool { return a.named[SparseRows] != nil }

// Sparse returns the rows of [Sparse], none if there is an error.
func (a *Arrays) Sparse() *stringkernel.Coefficients {
	c := &stringkernel.Coefficients{Outputs: a.Outputs()}
	places := Varints(Get[uint8](a, SparseRows, math.MaxInt))
	values := Get[float64](a, sparseValues, math.MaxInt)
	c.Output = make([]int32, 0, len(values))
	for len(places) > 0 && a.err == nil {
		last := int64(-1)
		for size := places.Next(); size > 0; size-- {
			gap, ok := places.Next(), len(c.Output) < len(values)
			output := max(0, last) + int64(min(gap, 1<<32))
			if !ok || output <= last || output >= int64(c.Outputs) {
				a.fail(fmt.Errorf("array %q: row %d is of output %d, want %d to %d, and %d in all", SparseRows, c.Len(),
					output, last+1, c.Outputs-1, len(values)))
				break
			}
			c.Output = append(c.Output, int32(output))
			last = output
		}
		c.Ends = append(c.Ends, len(c.Output))
	}
	c.Values = a.Table(sparseValues, len(c.Output), 1)
	if a.err != nil {
		return &stringkernel.Coefficients{Outputs: 1}
	}
	return c
}

// Varints are unsigned varints end to end.
type Varints []uint8

// Next removes and returns the next number. At the end of the list, and where the bytes are no number, it returns
// math.MaxUint64 and empties the list.
func (v *Varints) Next() uint64 {
	value, size := binary.Uvarint(*v)
	if size <= 0 {
		*v = nil
		return math.MaxUint64
	}
	*v = (*v)[size:]
	return value
}
