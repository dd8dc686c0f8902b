package substring_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/internal/oracle"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
)

// weightings pairs every weighting with its definition, w_s for a substring of length l (its φ part for tfidf).
var weightings = []struct {
	kernel substring.Kernel
	weight func(l int) float64
}{
	{substring.Kernel{Weight: substring.Fixed, K: 1}, func(l int) float64 { return indicator(l == 1) }},
	{substring.Kernel{Weight: substring.Fixed, K: 3}, func(l int) float64 { return indicator(l == 3) }},
	{substring.Kernel{Weight: substring.Fixed, K: 50}, func(l int) float64 { return indicator(l == 50) }},
	{substring.Kernel{Weight: substring.Bounded, K: 1}, func(l int) float64 { return indicator(l <= 1) }},
	{substring.Kernel{Weight: substring.Bounded, K: 4}, func(l int) float64 { return indicator(l <= 4) }},
	{substring.Kernel{Weight: substring.Constant}, func(int) float64 { return 1 }},
	{substring.Kernel{Weight: substring.Constant, K: 5}, func(l int) float64 { return indicator(l <= 5) }},
	{substring.Kernel{Weight: substring.Decay, Lambda: 0.5}, func(l int) float64 { return math.Pow(0.5, float64(l)) }},
	{substring.Kernel{Weight: substring.Decay, Lambda: 0.99}, func(l int) float64 {
		return math.Pow(0.99, float64(l))
	}},
	{substring.Kernel{Weight: substring.Decay, Lambda: 1.5, K: 6}, func(l int) float64 {
		return math.Pow(1.5, float64(l)) * indicator(l <= 6)
	}},
	{substring.Kernel{Weight: substring.Length, Weights: []float64{0.25, 0, 3, 1}}, func(l int) float64 {
		return append([]float64{0, 0.25, 0, 3, 1}, make([]float64, 1000)...)[l]
	}},
	{substring.Kernel{Weight: substring.TFIDF}, func(int) float64 { return 1 }},
	{substring.Kernel{Weight: substring.TFIDF, K: 4}, func(l int) float64 { return indicator(l <= 4) }},
	{substring.Kernel{Weight: substring.TFIDF, Lambda: 0.7}, func(l int) float64 { return math.Pow(0.7, float64(l)) }},
}

func indicator(true bool) float64 {
	if true {
		return 1
	}
	return 0
}

var alphabets = []struct {
	name    stringkernel.Alphabet
	letters string // empty: every byte
	draw    string // four letters, then others
}{
	{stringkernel.DNA, "ACGT", "ACGTNn"},
	{stringkernel.RNA, "ACGU", "ACGUT"},
	{stringkernel.Protein, "ACDEFGHIKLMNPQRSTVWY", "ACDYX*"},
	{stringkernel.Bytes, "", "ab\x00\xff "},
}

// TestSubstringByDefinition compares Eval with the sum over all substrings, on random sequences with letters outside
// the alphabet.
func TestSubstringByDefinition(t *testing.T) {
	for _, w := range weightings {
		for _, a := range alphabets {
			kernel := w.kernel
			kernel.Alphabet = a.name
			t.Run(fmt.Sprintf("%+v", kernel), func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) {
					draw := rapid.SliceOfN(rapid.SampledFrom([]byte(a.draw)), 0, 30)
					checkByDefinition(t, kernel, a.letters, w.weight, draw)
				})
			})
		}
	}
}

func checkByDefinition(t *rapid.T, kernel substring.Kernel, letters string, length func(int) float64,
	draw *rapid.Generator[[]byte]) {
	corpus := rapid.SliceOfN(draw, 0, 4).Draw(t, "corpus")
	x, y := draw.Draw(t, "x"), draw.Draw(t, "y")
	c, err := stringkernel.NewCorpus(corpus, nil)
	if err != nil {
		t.Fatal(err)
	}
	fitted, err := stringkernel.Fit(context.Background(), kernel, c)
	if err != nil {
		t.Fatal(err)
	}
	weight := func(s string) float64 { return length(len(s)) }
	if kernel.Weight == substring.TFIDF {
		idf := oracle.SquaredIDF(corpus, letters)
		weight = func(s string) float64 { return length(len(s)) * idf(s) }
	}
	for _, pair := range [][2][]byte{{x, y}, {y, x}, {x, x}} {
		want := oracle.Substring(pair[0], pair[1], letters, 0, weight)
		if got := fitted.Eval(pair[0], pair[1]); !near(got, want) {
			t.Fatalf("k(%q, %q) = %v, by definition %v", pair[0], pair[1], got, want)
		}
	}
	want := oracle.Substring(x, x, letters, 0, weight)
	if got := compose.NormsOf(fitted).SelfEval(x); !near(got, want) {
		t.Fatalf("SelfEval(%q) = %v, by definition %v", x, got, want)
	}
}

func near(got, want float64) bool { return math.Abs(got-want) <= 1e-11*(1+math.Abs(want)) }

func TestSubstringConforms(t *testing.T) {
	for _, w := range weightings {
		for _, a := range alphabets {
			if testing.Short() && a.name != stringkernel.DNA && a.name != stringkernel.Bytes {
				continue
			}
			kernel := w.kernel
			kernel.Alphabet = a.name
			opt := kerneltest.Options{Letters: a.draw[:4], Breaks: a.draw[4:]}
			if a.name == stringkernel.Bytes {
				opt.Breaks = "" // every byte is a letter
			}
			t.Run(fmt.Sprintf("%+v", kernel), func(t *testing.T) { kerneltest.Run(t, kernel, opt) })
		}
	}
}

// TestAllBytes uses all 256 byte values, which need symbols wider than a byte.
func TestAllBytes(t *testing.T) {
	all := make([]byte, 256)
	for b := range all {
		all[b] = byte(b)
	}
	kerneltest.Run(t, substring.Kernel{Weight: substring.Bounded, K: 3},
		kerneltest.Options{Letters: string(all), MaxLength: 600})
	x := append(all, all[10:200]...)
	kernel := substring.Kernel{Weight: substring.Constant}
	if got, want := kernel.Eval(x, x), oracle.Substring(x, x, "", 0, func(string) float64 { return 1 }); got != want {
		t.Errorf("k(x, x) = %v, by definition %v", got, want)
	}
}

func TestWrappersConform(t *testing.T) {
	plain := substring.Kernel{Weight: substring.Decay, Lambda: 0.5, Alphabet: stringkernel.DNA}
	fixed := substring.Kernel{Weight: substring.Fixed, K: 2, Alphabet: stringkernel.DNA}
	tfidf := substring.Kernel{Weight: substring.TFIDF, K: 4, Alphabet: stringkernel.DNA}
	both := compose.BothStrands{Kernel: plain, Alphabet: stringkernel.DNA}
	for name, kernel := range map[string]stringkernel.Kernel{
		"normalised":         compose.Normalized{Kernel: plain},
		"both strands":       both,
		"normalised strands": compose.Normalized{Kernel: both},
		"sum":                compose.Mean{Terms: []stringkernel.Kernel{plain, fixed}},
		"sum of normalised": compose.Mean{Terms: []stringkernel.Kernel{compose.Normalized{Kernel: both},
			compose.Normalized{Kernel: fixed}}},
		"tfidf, both strands": compose.Normalized{Kernel: compose.BothStrands{Kernel: tfidf,
			Alphabet: stringkernel.DNA}},
		"sum with a fitted term": compose.Mean{Terms: []stringkernel.Kernel{tfidf, fixed}},
	} {
		t.Run(name, func(t *testing.T) { kerneltest.Run(t, kernel, kerneltest.Options{Letters: "ACGT", Breaks: "N"}) })
	}
}

// TestStrandsScoreAlike demands the same bits for a sequence and its reverse complement.
func TestStrandsScoreAlike(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	random := func() []byte {
		x := make([]byte, 80)
		for i := range x {
			x[i] = "ACGTN"[min(rng.IntN(40), 4)%5]
			if rng.IntN(10) > 0 {
				x[i] = "ACGT"[rng.IntN(4)]
			}
		}
		return x
	}
	sv, err := stringkernel.NewCorpus([][]byte{random(), random(), random()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	kernel := compose.Normalized{Kernel: compose.BothStrands{
		Kernel: substring.Kernel{Weight: substring.Decay, Lambda: 0.7,
			Alphabet: stringkernel.DNA}, Alphabet: stringkernel.DNA}}
	scorer, err := stringkernel.Merge(t.Context(), kernel, sv, []float64{0.3, -1.7, 0.11})
	if err != nil {
		t.Fatal(err)
	}
	forward, reverse := make([]float64, 1), make([]float64, 1)
	for range 50 {
		x := random()
		scorer.ScoreTo(forward, x)
		scorer.ScoreTo(reverse, stringkernel.DNA.ReverseComplementTo(nil, x))
		if forward[0] != reverse[0] {
			t.Fatalf("score %v, of the reverse complement %v", forward[0], reverse[0])
		}
	}
}

// TestHandChecked pins a value small enough to count by hand: CAT and CATCAT share C, A, T, CA, AT, CAT, each twice in
// the second.
func TestHandChecked(t *testing.T) {
	kernel := substring.Kernel{Weight: substring.Constant, Alphabet: stringkernel.DNA}
	if got := kernel.Eval([]byte("CAT"), []byte("CATCAT")); got != 12 {
		t.Errorf("k(CAT, CATCAT) = %v, want 12", got)
	}
}

func TestSubstringCheck(t *testing.T) {
	for want, kernel := range map[string]substring.Kernel{
		`weight = ""`:        {},
		`weight = "longest"`: {Weight: "longest"},
		"k is missing or 0, want ≥ 1 with weight=fixed": {Weight: substring.Fixed},
		"k = -3": {Weight: substring.Constant, K: -3},
		"lambda is missing or 0, want > 0 with weight=decay": {Weight: substring.Decay},
		"lambda = -1":           {Weight: substring.Decay, Lambda: -1},
		"want < 1 unless k":     {Weight: substring.Decay, Lambda: 1.5},
		"overflows":             {Weight: substring.Decay, Lambda: 10, K: 400},
		"lambda = NaN":          {Weight: substring.Decay, Lambda: math.NaN()},
		"use weight=constant":   {Weight: substring.Decay, Lambda: 1 - 1e-9},
		"want ≥ 1e-100":         {Weight: substring.Decay, Lambda: 1e-320},
		"sum to more than":      {Weight: substring.Decay, Lambda: 2, K: 1000},
		"lambda is not used":    {Weight: substring.Bounded, K: 2, Lambda: 0.5},
		"0 weights":             {Weight: substring.Length},
		"weight -1 of length 2": {Weight: substring.Length, Weights: []float64{1, -1}},
		"weights sum to 0":      {Weight: substring.Length, Weights: []float64{0, 0}},
		"weights sum to 1e+308": {Weight: substring.Length, Weights: []float64{1e308}},
		"weights sum to 1e-300": {Weight: substring.Length, Weights: []float64{1e-300}},
		"weights are not used":  {Weight: substring.Constant, Weights: []float64{1}},
		"k is not used":         {Weight: substring.Length, Weights: []float64{1}, K: 2},
		`alphabet "klingon"`:    {Weight: substring.Constant, Alphabet: "klingon"},
	} {
		if err := kernel.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error %v, want one with %q", kernel, err, want)
		}
	}
}
