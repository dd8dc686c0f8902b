package stringkernel_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/internal/oracle"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
)

// weightings pairs every weighting with its definition, w_s for a substring of length l (its φ part for tfidf).
var weightings = []struct {
	kernel stringkernel.Substring
	weight func(l int) float64
}{
	{stringkernel.Substring{Weight: stringkernel.Fixed, K: 1}, func(l int) float64 { return indicator(l == 1) }},
	{stringkernel.Substring{Weight: stringkernel.Fixed, K: 3}, func(l int) float64 { return indicator(l == 3) }},
	{stringkernel.Substring{Weight: stringkernel.Fixed, K: 50}, func(l int) float64 { return indicator(l == 50) }},
	{stringkernel.Substring{Weight: stringkernel.Bounded, K: 1}, func(l int) float64 { return indicator(l <= 1) }},
	{stringkernel.Substring{Weight: stringkernel.Bounded, K: 4}, func(l int) float64 { return indicator(l <= 4) }},
	{stringkernel.Substring{Weight: stringkernel.Constant}, func(int) float64 { return 1 }},
	{stringkernel.Substring{Weight: stringkernel.Constant, K: 5}, func(l int) float64 { return indicator(l <= 5) }},
	{stringkernel.Substring{Weight: stringkernel.Decay, Lambda: 0.5}, func(l int) float64 { return math.Pow(0.5, float64(l)) }},
	{stringkernel.Substring{Weight: stringkernel.Decay, Lambda: 0.99}, func(l int) float64 { return math.Pow(0.99, float64(l)) }},
	{stringkernel.Substring{Weight: stringkernel.Decay, Lambda: 1.5, K: 6}, func(l int) float64 { return math.Pow(1.5, float64(l)) * indicator(l <= 6) }},
	{stringkernel.Substring{Weight: stringkernel.Length, Weights: []float64{0.25, 0, 3, 1}}, func(l int) float64 {
		return append([]float64{0, 0.25, 0, 3, 1}, make([]float64, 1000)...)[l]
	}},
	{stringkernel.Substring{Weight: stringkernel.TFIDF}, func(int) float64 { return 1 }},
	{stringkernel.Substring{Weight: stringkernel.TFIDF, K: 4}, func(l int) float64 { return indicator(l <= 4) }},
	{stringkernel.Substring{Weight: stringkernel.TFIDF, Lambda: 0.7}, func(l int) float64 { return math.Pow(0.7, float64(l)) }},
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

// TestSubstringByDefinition compares Eval with the sum over all substrings, on random sequences with letters outside the alphabet.
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

func checkByDefinition(t *rapid.T, kernel stringkernel.Substring, letters string, length func(int) float64, draw *rapid.Generator[[]byte]) {
	corpus := rapid.SliceOfN(draw, 0, 4).Draw(t, "corpus")
	x, y := draw.Draw(t, "x"), draw.Draw(t, "y")
	c, err := stringkernel.NewCorpus(corpus, nil)
	if err != nil {
		t.Fatal(err)
	}
	fitted, err := stringkernel.Fit(kernel, c)
	if err != nil {
		t.Fatal(err)
	}
	weight := func(s string) float64 { return length(len(s)) }
	if kernel.Weight == stringkernel.TFIDF {
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
	if got := fitted.(stringkernel.SelfEvaluator).SelfEval(x); !near(got, want) {
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
	kerneltest.Run(t, stringkernel.Substring{Weight: stringkernel.Bounded, K: 3}, kerneltest.Options{Letters: string(all), MaxLength: 600})
	x := append(all, all[10:200]...)
	kernel := stringkernel.Substring{Weight: stringkernel.Constant}
	if got, want := kernel.Eval(x, x), oracle.Substring(x, x, "", 0, func(string) float64 { return 1 }); got != want {
		t.Errorf("k(x, x) = %v, by definition %v", got, want)
	}
}

func TestWrappersConform(t *testing.T) {
	plain := stringkernel.Substring{Weight: stringkernel.Decay, Lambda: 0.5, Alphabet: stringkernel.DNA}
	fixed := stringkernel.Substring{Weight: stringkernel.Fixed, K: 2, Alphabet: stringkernel.DNA}
	tfidf := stringkernel.Substring{Weight: stringkernel.TFIDF, K: 4, Alphabet: stringkernel.DNA}
	both := stringkernel.BothStrands{Kernel: plain, Alphabet: stringkernel.DNA}
	for name, kernel := range map[string]stringkernel.Kernel{
		"normalised":             stringkernel.Normalized{Kernel: plain},
		"both strands":           both,
		"normalised strands":     stringkernel.Normalized{Kernel: both},
		"sum":                    stringkernel.Sum{Terms: []stringkernel.Kernel{plain, fixed}},
		"sum of normalised":      stringkernel.Sum{Terms: []stringkernel.Kernel{stringkernel.Normalized{Kernel: both}, stringkernel.Normalized{Kernel: fixed}}},
		"tfidf, both strands":    stringkernel.Normalized{Kernel: stringkernel.BothStrands{Kernel: tfidf, Alphabet: stringkernel.DNA}},
		"sum with a fitted term": stringkernel.Sum{Terms: []stringkernel.Kernel{tfidf, fixed}},
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
	kernel := stringkernel.Normalized{Kernel: stringkernel.BothStrands{
		Kernel: stringkernel.Substring{Weight: stringkernel.Decay, Lambda: 0.7, Alphabet: stringkernel.DNA}, Alphabet: stringkernel.DNA}}
	scorer, err := kernel.Merge(sv, []float64{0.3, -1.7, 0.11})
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

// TestHandChecked pins a value small enough to count by hand: CAT and CATCAT share C, A, T, CA, AT, CAT, each twice in the second.
func TestHandChecked(t *testing.T) {
	kernel := stringkernel.Substring{Weight: stringkernel.Constant, Alphabet: stringkernel.DNA}
	if got := kernel.Eval([]byte("CAT"), []byte("CATCAT")); got != 12 {
		t.Errorf("k(CAT, CATCAT) = %v, want 12", got)
	}
}

func TestSubstringCheck(t *testing.T) {
	for want, kernel := range map[string]stringkernel.Substring{
		`weight = ""`:           {},
		`weight = "longest"`:    {Weight: "longest"},
		"k = 0, want ≥ 1":       {Weight: stringkernel.Fixed},
		"k = -3":                {Weight: stringkernel.Constant, K: -3},
		"lambda = 0, want > 0":  {Weight: stringkernel.Decay},
		"lambda = -1":           {Weight: stringkernel.Decay, Lambda: -1},
		"want < 1 unless k":     {Weight: stringkernel.Decay, Lambda: 1.5},
		"overflows":             {Weight: stringkernel.Decay, Lambda: 10, K: 400},
		"lambda = NaN":          {Weight: stringkernel.Decay, Lambda: math.NaN()},
		"use weight=constant":   {Weight: stringkernel.Decay, Lambda: 1 - 1e-9},
		"want ≥ 1e-100":         {Weight: stringkernel.Decay, Lambda: 1e-320},
		"sum to more than":      {Weight: stringkernel.Decay, Lambda: 2, K: 1000},
		"lambda is not used":    {Weight: stringkernel.Bounded, K: 2, Lambda: 0.5},
		"0 weights":             {Weight: stringkernel.Length},
		"weight -1 of length 2": {Weight: stringkernel.Length, Weights: []float64{1, -1}},
		"weights sum to 0":      {Weight: stringkernel.Length, Weights: []float64{0, 0}},
		"weights sum to 1e+308": {Weight: stringkernel.Length, Weights: []float64{1e308}},
		"weights sum to 1e-300": {Weight: stringkernel.Length, Weights: []float64{1e-300}},
		"weights are not used":  {Weight: stringkernel.Constant, Weights: []float64{1}},
		"k is not used":         {Weight: stringkernel.Length, Weights: []float64{1}, K: 2},
		`alphabet "klingon"`:    {Weight: stringkernel.Constant, Alphabet: "klingon"},
	} {
		if err := kernel.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error %v, want one with %q", kernel, err, want)
		}
	}
}
