package lsgkm_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/model/lsgkm"
)

// Folds are those that LS-GKM 0.1.2 wrote on Linux, from 1, for positives and negatives, and for numbers.
func TestFolds(t *testing.T) {
	for _, c := range []struct {
		k                    int
		seed                 uint32
		positives, negatives int
		want                 string
	}{
		{3, 1, 7, 6, "3 1 3 3 2 1 2 1 2 3 2 3 1"},
		{3, 7, 7, 6, "3 3 2 3 1 1 2 1 1 3 2 3 2"},
		{2, 0, 7, 6, "2 1 2 2 1 1 2 1 2 2 1 2 1"},
		{5, 12345, 7, 6, "3 1 5 5 4 3 2 2 5 3 5 1 4"},
		{13, 1, 7, 6, "1 13 4 11 7 9 12 8 3 5 10 2 6"}, // each record alone
		{100, 9, 7, 6, "13 3 6 2 8 9 5 11 1 10 4 7 12"},
		{3, 2, 7, 0, "3 3 1 3 1 2 2"},
	} {
		got := fmt.Sprint(lsgkm.Folds(c.k, c.seed, c.positives, c.negatives))
		want := strings.Fields(c.want)
		for i := range want {
			var fold int
			fmt.Sscan(want[i], &fold)
			want[i] = fmt.Sprint(fold - 1)
		}
		if got != fmt.Sprint(want) {
			t.Errorf("%d folds, seed %d: %s, want %s", c.k, c.seed, got, want)
		}
	}
}
