package wdk_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/heaptest"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/wdk"
)

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		k    wdk.Kernel
		want string
	}{
		{wdk.Kernel{}, "d = 0, want 1…10000"},
		{wdk.Kernel{D: 10_001}, "d = 10001"},
		{wdk.Kernel{D: 2, Alphabet: "klingon"}, `alphabet "klingon"`},
		{wdk.Kernel{D: 2, Shift: -1}, "shift = -1, want 0…10000"},
		{wdk.Kernel{D: 2, Shift: 10_001}, "shift = 10001"},
		{wdk.Kernel{D: 2, Shift: 1, Ramp: -1}, "ramp = -1"},
		{wdk.Kernel{D: 2, Shift: 1, Ramp: math.Inf(1)}, "ramp = +Inf"},
		{wdk.Kernel{D: 2, Shift: 1, Ramp: math.NaN()}, "ramp = NaN"},
		{wdk.Kernel{D: 2, Shift: 1, Ramp: 1, Anchor: -1}, "anchor = -1"},
		{wdk.Kernel{D: 2, Ramp: 1}, "ramp needs shift"},
		{wdk.Kernel{D: 2, Anchor: 1}, "anchor needs ramp"},
		{wdk.Kernel{D: 2, Shogun: true}, "shogun needs shift"},
		{wdk.Kernel{D: 2, Weights: []float64{}}, "all weights of positions are 0"},
		{wdk.Kernel{D: 2, Weights: []float64{0, 0}}, "all weights of positions are 0"},
		{wdk.Kernel{D: 2, Weights: []float64{1, -1}}, "weight -1 of position 1"},
		{wdk.Kernel{D: 2, Weights: []float64{1e-200}}, "weight 1e-200 of position 0"},
		{wdk.Kernel{D: 2, Weights: []float64{math.NaN()}}, "weight NaN"},
		{wdk.Kernel{D: 2, Weights: []float64{math.Inf(1)}}, "weight +Inf"},
	} {
		if err := c.k.Check(); err == nil || !strings.HasPrefix(err.Error(), "wd: ") ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want one with %q", c.k, err, c.want)
		}
	}
}

func TestWindowsOfUnequalLength(t *testing.T) {
	c := must.Get(stringkernel.NewCorpus([][]byte{[]byte("ACGT"), []byte("ACG")}, []string{"a", "b"}))(t)
	k := wdk.Kernel{D: 2, Alphabet: stringkernel.DNA}
	const want = `wd: record "b" (number 2): 3 letters, but the first record has 4`
	if _, err := k.Gram(t.Context(), c); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("Gram: %v, want %s", err, want)
	}
	if _, err := stringkernel.Merge(t.Context(), k, c, []float64{1, 1}); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("Merge: %v, want %s", err, want)
	}
	k.Weights = []float64{1, 2, 3}
	if _, err := k.Gram(t.Context(), c.Subset([]int{0})); err == nil ||
		!strings.Contains(err.Error(), "3 weights of positions for windows of 4 letters") {
		t.Errorf("Gram with too few weights: %v", err)
	}
	if _, err := stringkernel.Merge(t.Context(), wdk.Kernel{D: 2}, c.Subset([]int{0})); err == nil {
		t.Error("Merge without coefficients: no error")
	}
}

// An index that would take too much memory is refused before it is built.
func TestIndexIsCounted(t *testing.T) {
	var b stringkernel.CorpusBuilder
	for range 10 {
		b.Add("", []byte("ACGTTGCAACGTTGCAACGT"))
	}
	c := b.Corpus()
	k := wdk.Kernel{D: 5, Shift: 1, Alphabet: stringkernel.DNA}
	heaptest.Limit(t, int64(30*c.Letters()))
	var index *stringkernel.IndexError
	if _, err := k.Gram(t.Context(), c); !errors.As(err, &index) || index.Letters != c.Letters() {
		t.Errorf("%v, want an IndexError", err)
	}
	heaptest.Limit(t, int64(32*c.Letters()))
	if _, err := k.Gram(t.Context(), c); err != nil {
		t.Error(err)
	}
}

func TestAlikeErrors(t *testing.T) {
	for want, k := range map[string]wdk.Kernel{
		"beta needs subst": {D: 3, Beta: 1, Alphabet: stringkernel.Protein},
		"amino acids":      {D: 3, Subst: []string{"grantham"}, Alphabet: stringkernel.RNA},
	} {
		if err := k.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error %v, want one with %q", k, err, want)
		}
	}
}
