package rows

import (
	"github.com/seqsvm/seqsvm/internal/intern"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Features numbers the features of a kernel 0, 1, …. Any number of readers may look features up as long as none adds.
type Features interface {
	// Len returns how many features have a number.
	Len() int
	// Name returns a feature in words, cut where it is too long to be read unless it is to be whole.
	Name(id int32, whole bool) string
	// Worth returns what one occurrence of a feature adds to its value, the most if that differs.
	Worth(id int32) float64
	// Borrow returns a reader, which Return takes back.
	Borrow() Reader
	Return(r Reader)
	// Arrays returns the stored form of the features: see [Kernel.Stored].
	Arrays() []stringkernel.Array
}

// Reader lists the features of one record after another. It is for one goroutine.
type Reader interface {
	// Read counts the features of x. What is no record of the kernel has none, and is an error.
	Read(x []byte) error
	// Self returns k(x, x).
	Self() float64
	// Found returns the features of x, until the next Read. New ones get a number if open; it is an error if there are
	// too many.
	Found(open bool) (Found, error)
	// Spread adds to dst, which has an entry per byte of x, the contributions of the features of x with the weights of
	// all entries of Found, which it may overwrite: that of an occurrence evenly over its bytes.
	Spread(dst, weights []float64)
}

// Found is the features of a record by entry, each feature once. Entries with the value 0 are of no account.
type Found struct {
	IDs    []int32   // intern.None for features without a number
	Values []float64 // φ
	Counts []int32   // occurrences
}

// find returns the features of x, none if it is no record of the kernel.
func find(r Reader, x []byte, open bool) Found {
	_ = r.Read(x) // has no features then
	found, err := r.Found(open)
	if err != nil {
		panic("rows: " + err.Error()) // of one record: more bytes than it may have
	}
	return found
}

// each calls visit with the entries of features that have a number.
func (f Found) each(visit func(entry int, id int32, value float64)) {
	for i, id := range f.IDs {
		if value := f.Values[i]; id != intern.None && value != 0 {
			visit(i, id, value)
		}
	}
}

// SumOfSquares returns Σ values².
func SumOfSquares(values []float64) (sum float64) {
	for _, value := range values {
		sum += float64(value * value)
	}
	return sum
}
