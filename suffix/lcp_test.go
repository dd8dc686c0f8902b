package suffix

import (
	"slices"
	"testing"
)

// wantLCP compares the longest common prefixes of neighbours in a suffix array with the definition.
func wantLCP(t *testing.T, s []byte, sa []int32, maxDepth int) {
	t.Helper()
	limit, err := depthLimit(maxDepth)
	if err != nil {
		t.Fatal(err)
	}
	got := make([]int32, len(s))
	lcpRanks(ctx, s, sa, limit, make([]int32, len(s)), got)
	if want := naiveLCP(s, sa, maxDepth); !slices.Equal(got, want) {
		t.Fatalf("text %v maxDepth %d: %v, want %v", s, maxDepth, got, want)
	}
}

func TestLCPExhaustive(t *testing.T) {
	for n := 0; n <= 9; n++ {
		eachString(n, 0, 2, func(s []byte) {
			sa := naiveArray(s)
			for _, maxDepth := range []int{0, 1, 3} {
				wantLCP(t, s, sa, maxDepth)
			}
		})
	}
}

func TestLCPPathological(t *testing.T) {
	for _, s := range pathological(1500) {
		sa := naiveArray(s)
		for _, maxDepth := range []int{0, 7} {
			wantLCP(t, s, sa, maxDepth)
		}
	}
}
