package suffix

import (
	"context"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/internal/cancel"
)

// Longest common prefixes by the permuted array:
//
//	J. Kärkkäinen, G. Manzini & S. J. Puglisi, "Permuted longest-common-prefix
//	array", CPM 2009, doi:10.1007/978-3-642-02441-2_17.
//
// In text order the values fall by at most one from a position to the next, so
// one scan over the text computes them with at most 2n comparisons. Cutting
// them at breaks and at maxDepth keeps that property.

// depthLimit turns a maxDepth argument into a bound on depths.
func depthLimit(maxDepth int) (int32, error) {
	if maxDepth < 0 {
		return 0, fmt.Errorf("suffix: maxDepth = %d, want ≥ 0", maxDepth)
	}
	if maxDepth == 0 || maxDepth > math.MaxInt32 {
		return math.MaxInt32, nil
	}
	return int32(maxDepth), nil
}

// lcpRanks stores in lcp[r] the length of the longest common prefix of the suffixes sa[r-1] and sa[r], at most limit. A
// 0 matches nothing, not even another 0, so a common prefix ends before it. O(n). sa lists, in order, at least all
// positions of text whose symbol is not 0. plcp is scratch of the text's length.
func lcpRanks[S Symbol](ctx context.Context, text []S, sa []int32, limit int32, plcp, lcp []int32) {
	previous := int32(-1)
	for _, p := range cancel.All(ctx, sa) {
		plcp[p] = previous
		previous = p
	}
	permutedLCP(ctx, text, limit, plcp)
	for r, p := range cancel.All(ctx, sa) {
		lcp[r] = plcp[p]
	}
}

// permutedLCP replaces phi[i], the predecessor in the suffix array of the suffix
// at i or -1, by the length of their common prefix.
func permutedLCP[S Symbol](ctx context.Context, text []S, limit int32, phi []int32) {
	n, length := int32(len(text)), int32(0)
	for i, c := range cancel.All(ctx, text) {
		j := phi[i]
		if c == 0 || j < 0 {
			phi[i], length = 0, 0
			continue
		}
		most := min(limit, n-max(int32(i), j))
		a, b := text[i:], text[j:]
		for length < most {
			if x := a[length]; x != b[length] || x == 0 {
				break
			}
			length++
		}
		phi[i] = length
		length = max(length-1, 0)
	}
}
