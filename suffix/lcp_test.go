package suffix

import (
	"slices"
	"testing"
)

func TestLCPExhaustive(t *testing.T) {
	for n := 0; n <= 9; n++ {
		eachString(n, 0, 2, func(s []byte) {
			sa := naiveArray(s)
			for _, maxDepth := range []int{0, 1, 3} {
				got, err := LCP(s, sa, maxDepth)
				if want := naiveLCP(s, sa, maxDepth); err != nil || !slices.Equal(got, want) {
					t.Fatalf("text %v maxDepth %d: %v, %v, want %v", s, maxDepth, got, err, want)
				}
			}
		})
	}
}

func TestLCPPathological(t *testing.T) {
	for name, s := range pathological(1500) {
		sa := naiveArray(s)
		for _, maxDepth := range []int{0, 7} {
			got, err := LCP(s, sa, maxDepth)
			if want := naiveLCP(s, sa, maxDepth); err != nil || !slices.Equal(got, want) {
				t.Errorf("%s, maxDepth %d: differs from the definition (%v)", name, maxDepth, err)
			}
		}
	}
}
