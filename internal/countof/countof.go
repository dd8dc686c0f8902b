// Package countof tabulates functions of counts.
package countof

import (
	"sync"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// Values are what a separable function makes of counts.
type Values struct {
	f     stringkernel.Count
	small *[1 << 8]float64 // of most counts there are
}

var known sync.Map // of the arrays, by function

// New returns the values of a function.
func New(f stringkernel.Count) Values {
	if small, there := known.Load(f); there {
		return Values{f, small.(*[1 << 8]float64)}
	}
	small := new([1 << 8]float64)
	for n := range small {
		small[n] = f.Of(n)
	}
	known.Store(f, small)
	return Values{f, small}
}

// At returns that of a count.
func (v *Values) At(n uint32) float64 {
	if n < uint32(len(v.small)) {
		return v.small[n]
	}
	return v.f.Of(int(n))
}

// Square returns what a count adds to k(x, x).
func (v *Values) Square(n uint32) float64 {
	value := v.At(n)
	return float64(value * value)
}
