package table

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// Rows in parts are the rows one by one, whatever is in their cells, and again in a second call.
func TestRowsInParts(t *testing.T) {
	const n = 3*partRows*partsTogether/2 + 7
	text := func(i int) string { return strings.Repeat("a\tb\r\nc ü", i%3) }
	numbers := func(i int) []float64 { return []float64{math.Sqrt(float64(i)), math.NaN(), -1e300}[:i%4*3/4] }
	var want, got strings.Builder
	one := New(&want, false, 0)
	one.Header("text", "number")
	for i := range 2 * n {
		one.Row(text(i), i, numbers(i), "yes")
	}
	all := New(&got, false, 0)
	all.Header("text", "number")
	for first := 0; first < 2*n; first += n {
		all.Rows(n, func(part *Table, lo, hi int) {
			for i := first + lo; i < first+hi; i++ {
				part.Text(text(i))
				part.Integer(i)
				part.Number(numbers(i)...)
				part.Text("yes")
				part.End()
			}
		})
	}
	if want.String() != got.String() || one.Err != nil || all.Err != nil {
		t.Errorf("rows differ: %d and %d bytes, %v, %v", want.Len(), got.Len(), one.Err, all.Err)
	}
}

// Objects before one that cannot be written are written, and nothing after it.
func TestRowsWithAnError(t *testing.T) {
	const n, bad = 5 * partRows, 3*partRows + 9
	var want, got strings.Builder
	for i := range bad {
		fmt.Fprintf(&want, "%d\n", i)
	}
	tab := New(&got, true, 0)
	tab.Rows(n, func(part *Table, lo, hi int) {
		for i := lo; i < hi; i++ {
			if i == bad {
				part.Object(math.NaN())
			} else {
				part.Object(i)
			}
		}
	})
	if got.String() != want.String() || tab.Err == nil {
		t.Errorf("%d bytes, want %d; error %v", got.Len(), want.Len(), tab.Err)
	}
}
