package substring_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
)

// TestStrandsScoreAlike demands the same bits for a sequence and its reverse complement.
func TestStrandsScoreAlike(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	sv := records("ACGTACGTACGTN", 3, 80)
	kernel := compose.Normalized(compose.BothStrands(
		substring.Kernel{Weight: substring.Decay, Lambda: 0.7,
			Alphabet: stringkernel.DNA}, stringkernel.DNA))
	scorer := must.Get(stringkernel.Merge(t.Context(), kernel, sv, []float64{0.3, -1.7, 0.11, 1}))(t)
	forward, reverse := make([]float64, 1), make([]float64, 1)
	for range 50 {
		x := random(rng, "ACGTACGTACGTN", 80)
		scorer.ScoreTo(forward, x)
		scorer.ScoreTo(reverse, stringkernel.DNA.ReverseComplementTo(nil, x))
		if forward[0] != reverse[0] {
			t.Fatalf("score %v, of the reverse complement %v", forward[0], reverse[0])
		}
	}
}

func TestSubstringCheck(t *testing.T) {
	for want, kernel := range map[string]substring.Kernel{
		`weight = ""`:        {},
		`weight = "longest"`: {Weight: "longest"},
		"k is missing or 0, want ≥ 1 with weight=fixed": {Weight: substring.Fixed},
		"k = -3": {Weight: substring.Constant, K: -3},
		"lambda is missing or 0, want > 0 with weight=decay": {Weight: substring.Decay},
		"lambda = -1":                              {Weight: substring.Decay, Lambda: -1},
		"want < 1 unless k":                        {Weight: substring.Decay, Lambda: 1.5},
		"overflows":                                {Weight: substring.Decay, Lambda: 10, K: 400},
		"lambda = NaN":                             {Weight: substring.Decay, Lambda: math.NaN()},
		"use weight=constant":                      {Weight: substring.Decay, Lambda: 1 - 1e-9},
		"want ≥ 1e-100":                            {Weight: substring.Decay, Lambda: 1e-320},
		"sum to more than":                         {Weight: substring.Decay, Lambda: 2, K: 1000},
		"lambda is not used":                       {Weight: substring.Bounded, K: 2, Lambda: 0.5},
		"0 weights":                                {Weight: substring.Length},
		"weight -1 of length 2":                    {Weight: substring.Length, Weights: []float64{1, -1}},
		"weights sum to 0":                         {Weight: substring.Length, Weights: []float64{0, 0}},
		"weights sum to 1e+308":                    {Weight: substring.Length, Weights: []float64{1e308}},
		"weights sum to 1e-300":                    {Weight: substring.Length, Weights: []float64{1e-300}},
		"weights are not used":                     {Weight: substring.Constant, Weights: []float64{1}},
		"k is not used":                            {Weight: substring.Length, Weights: []float64{1}, K: 2},
		`alphabet "klingon"`:                       {Weight: substring.Constant, Alphabet: "klingon"},
		`unit = "word", want byte or rune`:         {Weight: substring.Constant, Unit: "word"},
		"alphabet = dna with unit=rune, want none": {Weight: substring.Constant, Unit: "rune", Alphabet: "dna"},
		"cannot be used with weight=tfidf":         {Weight: substring.TFIDF, Count: stringkernel.CountSqrt},
		`count = "max", want one of: raw, presence, sqrt, `: {Weight: substring.Constant, Count: "max"},
	} {
		if err := kernel.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error %v, want one with %q", kernel, err, want)
		}
	}
	ends := substring.Kernel{Weight: substring.Constant, Count: stringkernel.CountSqrt, Ends: true, Alphabet: stringkernel.DNA}
	if err := compose.OnBothStrands(ends, stringkernel.DNA).Check(); err == nil {
		t.Error("no error for marks of both strands")
	}
}

func TestMinLengthOfUnits(t *testing.T) {
	for _, c := range []struct {
		kernel substring.Kernel
		want   int
	}{
		{substring.Kernel{Weight: substring.Fixed, K: 5, Ends: true}, 3},
		{substring.Kernel{Weight: substring.Fixed, K: 2, Ends: true}, 1},
		{substring.Kernel{Weight: substring.Fixed, K: 5, Unit: substring.RuneUnit}, 1},
	} {
		if got := stringkernel.TraitsOf(c.kernel).MinLength; got != c.want {
			t.Errorf("%+v: %d, want %d", c.kernel, got, c.want)
		}
	}
}
