package stored

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/stringkernel"
)

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
