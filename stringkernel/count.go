package stringkernel

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/internal/elementary"
)

// Count says what kernels that count features make of the counts a and b of a feature in two records: the kernel is the
// sum of [Count.Pair] over the features. The empty value is CountRaw.
//
// Presence, the square root and the logarithms transform the count of each record ([Count.Of]), and so a feature that
// two records have keeps one weight. The minimum, by which histograms are intersected (Barla, Odone & Verri 2003), is
// the number of t with a ≥ t and b ≥ t: the t-th occurrence of a feature is one of its own. The additive χ² kernel
// (Vedaldi & Zisserman 2012) has a term for each pair of distinct counts of a feature.
type Count string

// The functions of counts a, b ≥ 1; all are 0 where a or b is.
const (
	CountRaw       Count = "raw"       // a·b
	CountPresence  Count = "presence"  // 1
	CountSqrt      Count = "sqrt"      // √a·√b: the Bhattacharyya kernel (Jebara, Kondor & Howard 2004)
	CountLog       Count = "log"       // ln(1 + a)·ln(1 + b)
	CountSublinear Count = "sublinear" // (1 + ln a)·(1 + ln b)
	CountMin       Count = "min"       // min(a, b)
	CountChi2      Count = "chi2"      // 2ab/(a + b)
)

// functions are the names, separable functions first.
var functions = []string{string(CountRaw), string(CountPresence), string(CountSqrt), string(CountLog),
	string(CountSublinear), string(CountMin), string(CountChi2)}

// separable is how many functions are so.
const separable = 5

// Check returns an error for a name that is not that of a function.
func (c Count) Check() error { return c.checkAmong(functions) }

// CheckSeparable returns an error for a name that is not that of a separable function.
func (c Count) CheckSeparable() error {
	if !c.Separable() {
		return fmt.Errorf("count = %q, which only words has, want one of: %s", string(c),
			strings.Join(functions[:separable], ", "))
	}
	return c.checkAmong(functions[:separable])
}

func (c Count) checkAmong(names []string) error {
	if c != "" && !slices.Contains(names, string(c)) {
		return fmt.Errorf("count = %.40q, want one of: %s", string(c), strings.Join(names, ", "))
	}
	return nil
}

// Linear reports whether counts are taken as they are.
func (c Count) Linear() bool { return c == "" || c == CountRaw }

// Separable reports whether Pair(a, b) is Of(a)·Of(b).
func (c Count) Separable() bool { return c != CountMin && c != CountChi2 }

// Of returns what a separable function makes of a count n ≥ 0.
func (c Count) Of(n int) float64 {
	switch {
	case n == 0:
		return 0
	case c == CountPresence:
		return 1
	case c == CountSqrt:
		return math.Sqrt(float64(n))
	case c == CountLog:
		return elementary.Log1p(float64(n))
	case c == CountSublinear:
		return 1 + elementary.Log(float64(n))
	}
	return float64(n)
}

// Pair returns what the counts a and b ≥ 0 of a feature in two records add to the kernel.
func (c Count) Pair(a, b int) float64 {
	switch {
	case a == 0 || b == 0:
		return 0
	case c == CountMin:
		return float64(min(a, b))
	case c == CountChi2:
		x, y := float64(a), float64(b)
		return float64(2*x*y) / (x + y)
	}
	return float64(c.Of(a) * c.Of(b))
}
