// Package countof tabulates functions of counts.
package countof

import (
	"math"
	"slices"
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

// Occurrences turn a function of counts that is not separable into an inner product. A feature that occurs n times
// becomes n features, one for each occurrence t, with the values τ_t(n). Those of two counts have the inner product
// that the function gives the pair:
//
//	min   τ_t(n) = 1
//	chi2  τ_t(n) = 2n√t/(n + t) · Π_{s<t} (n − s)/(n + s)
//
// The second is the triangular factor of the matrix 2ab/(a + b), which is that of Cauchy, 1/(a + b), in other units:
// its elements are such products, without differences that cancel.
type Occurrences struct {
	f     stringkernel.Count
	small [][]float64 // by count
}

// Counts below have their values in a table.
const tabled = 1 << 8

var (
	ones  = sync.OnceValue(func() [][]float64 { return tableOf(stringkernel.CountMin) })
	chi2s = sync.OnceValue(func() [][]float64 { return tableOf(stringkernel.CountChi2) })
)

// OccurrencesOf returns those by a function that is not separable.
func OccurrencesOf(f stringkernel.Count) Occurrences {
	if f == stringkernel.CountMin {
		return Occurrences{f, ones()}
	}
	return Occurrences{f, chi2s()}
}

// Number returns how many occurrences of a feature that occurs n times have a value. Those of χ² end where what follows
// is below the rounding of the others, after about 6√n.
func (o *Occurrences) Number(n int) int {
	if o.f == stringkernel.CountMin {
		return n
	}
	return len(o.Values(n, n))
}

// Values returns the values τ_1(n), τ_2(n), … of a feature that occurs n times, at most as many as most. The caller
// must not change them.
func (o *Occurrences) Values(n, most int) []float64 {
	if n < len(o.small) {
		return o.small[n][:min(most, len(o.small[n]))]
	}
	return valuesOf(o.f, n, most)
}

func tableOf(f stringkernel.Count) [][]float64 {
	table := make([][]float64, tabled)
	for n := range table {
		table[n] = valuesOf(f, n, n)
	}
	return table
}

func valuesOf(f stringkernel.Count, n, most int) (values []float64) {
	if f == stringkernel.CountMin {
		return slices.Repeat([]float64{1}, min(n, most))
	}
	const negligible = 1.0 / (1 << 56)
	x, rest := float64(n), 1.0
	for t := 1.0; t <= x && rest > negligible && len(values) < most; t++ {
		values = append(values, 2*x*math.Sqrt(t)/(x+t)*rest)
		rest *= (x - t) / (x + t)
	}
	return values
}
