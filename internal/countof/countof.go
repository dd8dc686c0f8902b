// Package countof tabulates functions of counts.
package countof

import (
	"sync"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// Values are what a separable function g makes of counts.
type Values struct {
	f     stringkernel.Count
	small *table // of most counts there are
}

// table is by count.
type table struct {
	values, surplus, squares [1 << 8]float64
}

var known sync.Map // of the tables, by function

// New returns the values of a function.
func New(f stringkernel.Count) Values {
	if small, there := known.Load(f); there {
		return Values{f, small.(*table)}
	}
	small := new(table)
	for n := range small.values {
		small.values[n], small.surplus[n], small.squares[n] = f.Of(n), surplus(f, n), square(f, n)
	}
	known.Store(f, small)
	return Values{f, small}
}

// At returns that of a count.
func (v *Values) At(n uint32) float64 {
	if n < uint32(len(v.small.values)) {
		return v.small.values[n]
	}
	return v.f.Of(int(n))
}

// Surplus returns g(n)/g(1) − n: what a count is beyond that many counts of 1, in units of those.
func (v *Values) Surplus(n uint32) float64 {
	if n < uint32(len(v.small.surplus)) {
		return v.small.surplus[n]
	}
	return surplus(v.f, int(n))
}

func surplus(f stringkernel.Count, n int) float64 { return f.Of(n)/f.Of(1) - float64(n) }

// Square returns what a count adds to k(x, x).
func (v *Values) Square(n uint32) float64 {
	if n < uint32(len(v.small.squares)) {
		return v.small.squares[n]
	}
	return square(v.f, int(n))
}

func square(f stringkernel.Count, n int) float64 { return float64(f.Of(n) * f.Of(n)) }
