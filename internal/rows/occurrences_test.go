package rows

import (
	"math"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
)

func TestOccurrencesAreBounded(t *testing.T) {
	for want, counts := range map[string][]int32{
		"-1 occurrences of feature 1":       {0, -1},
		"more than 2147483646 occurrences ": {math.MaxInt32, math.MaxInt32},
	} {
		if _, err := RestoreOccurrences(stringkernel.CountMin, counts); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", counts, err, want)
		}
	}
}
