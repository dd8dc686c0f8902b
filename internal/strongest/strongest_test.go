package strongest_test

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/internal/strongest"
)

// sorted is the definition: all values in order, cut.
func sorted(values []float64, n int) (all []strongest.Item) {
	for i, v := range values {
		all = append(all, strongest.Item{i, v})
	}
	slices.SortFunc(all, func(a, b strongest.Item) int {
		return cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(a.Number, b.Number))
	})
	return all[:min(n, len(all))]
}

func TestListIsTheHeadOfTheSortedValues(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		small := rapid.Float64Range(-3, 3)
		values := rapid.SliceOfN(rapid.OneOf(small, rapid.Map(rapid.IntRange(-3, 3),
			func(i int) float64 { return float64(i) })), 0, 300).Draw(rt, "values")
		n := rapid.IntRange(0, 20).Draw(rt, "n")
		list, both := strongest.NewList(n), strongest.NewBoth(n)
		order := rapid.Permutation(sorted(values, len(values))).Draw(rt, "order")
		for _, item := range order {
			list.Offer(item.Number, item.Value)
			both.Offer(item.Number, item.Value)
		}
		if got := list.Items(); !slices.Equal(got, sorted(values, n)) {
			rt.Fatalf("%v, want %v", got, sorted(values, n))
		}
		signed := func(sign float64) []float64 {
			list := slices.Clone(values)
			for i, v := range list {
				list[i] = max(0, sign*v)
			}
			return list
		}
		var want []strongest.Item
		for _, sign := range []float64{1, -1} {
			for _, item := range sorted(signed(sign), n) {
				if item.Value > 0 {
					want = append(want, strongest.Item{item.Number, sign * item.Value})
				}
			}
		}
		if got := both.Items(); !slices.Equal(got, want) {
			rt.Fatalf("both: %v, want %v", got, want)
		}
	})
}
