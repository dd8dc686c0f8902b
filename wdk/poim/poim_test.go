package poim

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// score returns the sum of the weights of the words in a window of codes.
func score(x []byte, weights []Weight) float64 {
	sum := 0.0
	for _, w := range weights {
		if string(x[w.Position:w.Position+len(w.Word)]) == string(w.Word) {
			sum += w.Value
		}
	}
	return sum
}

// bruteForce returns the importance of every word of k letters at every position, by the scores of all windows of n
// bases. It is NaN for a word that has probability 0.
func bruteForce(n, k int, weights []Weight, frequency []float64) [][]float64 {
	words := 1 << (2 * k)
	mass, sums := make([][]float64, n-k+1), make([][]float64, n-k+1)
	for j := range mass {
		mass[j], sums[j] = make([]float64, words), make([]float64, words)
	}
	x, mean := make([]byte, n), 0.0
	for code := range 1 << (2 * n) {
		p := 1.0
		for i := range x {
			x[i] = byte(code >> (2 * i) & 3)
			p *= frequency[x[i]]
		}
		value := p * score(x, weights)
		mean += value
		for j := range mass {
			z := 0
			for _, c := range x[j : j+k] {
				z = 4*z + int(c)
			}
			mass[j][z] += p
			sums[j][z] += value
		}
	}
	for j := range sums {
		for z := range sums[j] {
			sums[j][z] = sums[j][z]/mass[j][z] - mean
		}
	}
	return sums
}

// checkBruteForce compares all matrices of up to k letters with brute force.
func checkBruteForce(t rapid.TB, n, k int, weights []Weight, background []float64) {
	t.Helper()
	m := must.Get(Compute(
		context.Background(),
		slices.Values(weights),
		Options{Alphabet: stringkernel.DNA, Window: n, Length: k, Background: background},
	))(t)
	frequency := must.Get(frequencies(background, 4))(t)
	scale := 1.0
	for _, w := range weights {
		scale += math.Abs(w.Value)
	}
	for length := 1; length <= k; length++ {
		for j, row := range bruteForce(n, length, weights, frequency) {
			for z, want := range row {
				if got := m.Row(length, j)[z]; !math.IsNaN(want) && !(math.Abs(got-want) <= 1e-12*scale) {
					t.Fatalf("Q(%s, %d) = %v, want %v", m.Word(length, z), j, got, want)
				}
			}
		}
	}
}

// drawWeights draws weights of words of up to longest letters within a window.
func drawWeights(t *rapid.T, window, longest int) []Weight {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Weight {
		k := rapid.IntRange(1, longest).Draw(t, "k")
		return Weight{
			Position: rapid.IntRange(0, window-k).Draw(t, "position"),
			Word:     rapid.SliceOfN(rapid.ByteRange(0, 3), k, k).Draw(t, "word"),
			Value:    rapid.Float64Range(-3, 3).Draw(t, "weight"),
		}
	}), 0, 12).Draw(t, "weights")
}

// Words of every length against words of every other, longer than the window is half of, with a background or without.
func TestBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "window")
		var background []float64
		if rapid.Bool().Draw(t, "with a background") {
			background = rapid.SliceOfN(rapid.SampledFrom([]float64{0, 0.1, 0.3, 1, 2}), 4, 4).Draw(t, "background")
			background[0] += 0.1
		}
		checkBruteForce(t, n, rapid.IntRange(1, min(n, 4)).Draw(t, "length"), drawWeights(t, n, n), background)
	})
}

// All words of up to five letters at all positions of a window of seven have a weight.
func TestBruteForceOfAllWords(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var weights []Weight
	for k := 1; k <= 3; k++ {
		for i := range 7 - k + 1 {
			for code := range 1 << (2 * k) {
				w := Weight{Position: i, Value: rng.NormFloat64()}
				for c := range k {
					w.Word = append(w.Word, byte(code>>(2*c)&3))
				}
				weights = append(weights, w)
			}
		}
	}
	for range 20 { // and some longer ones
		w := Weight{Position: rng.IntN(2), Word: make([]byte, 4+rng.IntN(3)), Value: rng.NormFloat64()}
		for c := range w.Word {
			w.Word[c] = byte(rng.IntN(4))
		}
		weights = append(weights, w)
	}
	checkBruteForce(t, 7, 5, weights, nil)
	checkBruteForce(t, 7, 2, weights, []float64{0.1, 0.4, 0.3, 0.2})
}

// The lists of a single weight, by hand.
func TestOneWeight(t *testing.T) {
	m := must.Get(Compute(context.Background(), slices.Values([]Weight{{Position: 1, Word: []byte{0, 1}, Value: 16}}),
		Options{Alphabet: stringkernel.DNA, Window: 4, Length: 3}))(t)
	number := func(word string) (n int) {
		for _, b := range []byte(word) {
			n = 4*n + strings.IndexByte("ACGT", b)
		}
		return n
	}
	if got := m.Strongest(2, 2); got[0] != (Importance{1, number("AC"), 15}) ||
		got[1] != (Importance{0, number("AA"), 3}) {
		t.Errorf("the strongest words are %v", got)
	}
	if got := m.Maxima(2); got[1] != (Importance{1, number("AC"), 15}) || len(got) != 3 {
		t.Errorf("maxima %v", got)
	}
	if got := m.Differential(2); !slices.Equal(got, []float64{0, 12, 0}) {
		t.Errorf("differences %v", got)
	}
	if got := m.Differential(1); !slices.Equal(got, []float64{0, 3, 3, 0}) {
		t.Errorf("differences of single letters %v", got)
	}
	if got := m.Differential(3); !slices.Equal(got, []float64{0, 0}) {
		t.Errorf("differences of three letters %v", got)
	}
	if m.Window() != 4 || m.Length() != 3 || string(m.Word(3, number("GAC"))) != "GAC" {
		t.Errorf("window %d, length %d, word %s", m.Window(), m.Length(), m.Word(3, number("GAC")))
	}
}

// Other alphabets: importances average to 0 over the background, and a constant score has none.
func TestProteinAverages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		background := rapid.SliceOfN(rapid.Float64Range(0.01, 1), 20, 20).Draw(t, "background")
		m := must.Get(Compute(context.Background(), slices.Values(drawWeights(t, 6, 4)),
			Options{Alphabet: stringkernel.Protein, Window: 6, Length: 2, Background: background}))(t)
		for j := range 5 {
			sum := 0.0
			for z, q := range m.Row(2, j) {
				sum += background[z/20] * background[z%20] * q
			}
			if !(math.Abs(sum) <= 1e-9) {
				t.Fatalf("importances at %d sum to %v, want 0", j, sum)
			}
		}
	})
}

func TestStrongestIsAPrefixOfAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := must.Get(Compute(
			context.Background(),
			slices.Values(drawWeights(t, 5, 4)),
			Options{Alphabet: stringkernel.DNA, Window: 5, Length: 2},
		))(t)
		all := m.Strongest(2, math.MaxInt)
		n := rapid.IntRange(1, 70).Draw(t, "n")
		if len(all) != 4*16 || !slices.Equal(m.Strongest(2, n), all[:min(n, len(all))]) {
			t.Fatalf("%v is not the beginning of %v", m.Strongest(2, n), all)
		}
	})
}

func TestRefused(t *testing.T) {
	good := Options{Alphabet: stringkernel.DNA, Window: 10, Length: 3}
	with := func(change func(o *Options)) Options {
		o := good
		change(&o)
		return o
	}
	fine := Weight{0, []byte{0}, 1}
	for _, c := range []struct {
		opt    Options
		weight Weight
		want   string
	}{
		{with(func(o *Options) { o.Length = 0 }), fine,
			"poim: k-mers of 0 letters, want 1…10, the length of the window"},
		{with(func(o *Options) { o.Length = 11 }), fine, "k-mers of 11 letters, want 1…10"},
		{with(func(o *Options) { o.Window, o.Length = 1000, 20 }), fine,
			"more than 134217728 importances; ask for shorter ones"},
		{with(func(o *Options) { o.Window, o.Length = 1<<40, 1<<39 }), fine, "ask for shorter ones"},
		{with(func(o *Options) { o.Alphabet = "greek" }), fine, `alphabet "greek" is unknown`},
		{with(func(o *Options) { o.Background = []float64{1, 2, 3} }), fine, "3 frequencies of letters, want 4"},
		{with(func(o *Options) { o.Background = []float64{0, 0, 0, 0} }), fine, "all frequencies are 0"},
		{with(func(o *Options) { o.Background = []float64{1, -1, 0, 0} }), fine,
			"frequency 2 is -1, want a finite number ≥ 0"},
		{with(func(o *Options) { o.Background = []float64{1, 0, math.NaN(), 0} }), fine, "frequency 3 is NaN"},
		{with(func(o *Options) { o.Background = []float64{1, 0, 0, math.Inf(1)} }), fine, "frequency 4 is +Inf"},
		{good, Weight{10, []byte{0}, 1},
			"a weight of a k-mer of 1 letters at position 10 is outside the window of 10"},
		{good, Weight{-1, []byte{0}, 1}, "at position -1"},
		{good, Weight{9, []byte{0, 0}, 1}, "a k-mer of 2 letters at position 9"},
		{good, Weight{0, nil, 1}, "a k-mer of 0 letters"},
		{good, Weight{0, []byte{4}, 1}, "a k-mer with letter 4, want 0…3"},
		{good, Weight{0, []byte{0}, math.NaN()}, "a weight of NaN, want a finite number"},
	} {
		_, err := Compute(context.Background(), slices.Values([]Weight{c.weight}), c.opt)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v, %+v: error %v, want %q", c.opt, c.weight, err, c.want)
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, n := range []int{1, 1 << 14} {
		endless := func(yield func(Weight) bool) {
			for range n {
				if !yield(Weight{0, []byte{0}, 1}) {
					return
				}
			}
		}
		if _, err := Compute(ctx, endless,
			Options{Alphabet: stringkernel.DNA, Window: 5, Length: 2}); err != context.Canceled {
			t.Errorf("after %d weights: error %v, want that of the context", n, err)
		}
	}
}
