package hadamard

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/internal/long"
	"github.com/seqsvm/seqsvm/internal/must"
)

// distance is the Hamming distance of two words by their codes.
func distance(sigma, length, u, v int) int {
	d := 0
	for range length {
		if u%sigma != v%sigma {
			d++
		}
		u, v = u/sigma, v/sigma
	}
	return d
}

// byDefinition is Σ_v h(d_H(u, v)) x_v for every u.
func byDefinition(x []float64, sigma, length int, h []float64) []float64 {
	y := make([]float64, len(x))
	for u := range y {
		for v := range x {
			y[u] += h[distance(sigma, length, u, v)] * x[v]
		}
	}
	return y
}

// byDistance returns the tables of Σ_v x_v over the words v at distance 0, 1, … length of each word, digit by digit; it
// only adds and subtracts, so that integers stay exact.
func byDistance(x []float64, sigma, length int) [][]float64 {
	tables := [][]float64{slices.Clone(x)}
	for stride := 1; stride < len(x); stride *= sigma {
		tables = append(tables, make([]float64, len(x)))
		for m := len(tables) - 1; m >= 0; m-- { // the same letter keeps the distance, another adds 1
			for u := range x {
				if u/stride%sigma != 0 {
					continue
				}
				same, other := 0.0, 0.0
				for at := u; at < u+sigma*stride; at += stride {
					if m > 0 {
						other += tables[m-1][at]
					}
				}
				for at := u; at < u+sigma*stride; at += stride {
					if same = tables[m][at]; m > 0 {
						same += other - tables[m-1][at]
					}
					tables[m][at] = same
				}
			}
		}
	}
	return tables
}

// byWalsh is the convolution for four letters by the textbook Walsh–Hadamard transform on 2·length bits.
func byWalsh(x []float64, length int, eigen []float64) []float64 {
	y := slices.Clone(x)
	walsh := func() {
		for s := 1; s < len(y); s *= 2 {
			for i := range y {
				if i&s == 0 {
					y[i], y[i+s] = y[i]+y[i+s], y[i]-y[i+s]
				}
			}
		}
	}
	walsh()
	for c := range y {
		nonzero := bits.OnesCount64((uint64(c) | uint64(c)>>1) & 0x5555555555555555)
		y[c] *= eigen[nonzero] / float64(len(y))
	}
	walsh()
	return y
}

// largest is the largest magnitude in x.
func largest(x []float64) float64 {
	m := 0.0
	for _, v := range x {
		m = max(m, math.Abs(v))
	}
	return m
}

// checkClose fails unless y and want agree to the given multiple of the largest value.
func checkClose(t rapid.TB, y, want []float64, tolerance float64) {
	t.Helper()
	limit := tolerance * largest(want)
	for i := range want {
		if !(math.Abs(y[i]-want[i]) <= limit) {
			t.Fatalf("entry %d of %d: %v, want %v ± %v", i, len(want), y[i], want[i], limit)
		}
	}
}

// checkSame fails unless y and want have the same bits, up to the sign of zero.
func checkSame(t rapid.TB, y, want []float64) {
	t.Helper()
	for i := range want {
		if y[i] != want[i] {
			t.Fatalf("entry %d of %d: %v, want %v", i, len(want), y[i], want[i])
		}
	}
}

func randomIntegers(r *rand.Rand, n, bound int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(r.IntN(2*bound+1) - bound)
	}
	return x
}

// smallSizes are tables small enough for the definition.
var smallSizes = []struct{ sigma, longest int }{
	{2, 10}, {3, 7}, {4, 5}, {5, 4}, {6, 4}, {7, 3}, {20, 2}, {33, 2}, {1000, 1},
}

func TestDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for _, s := range smallSizes {
		for length := 1; length <= s.longest; length++ {
			words := must.Get(Size(s.sigma, length))(t)
			x, h := randomTable(r, words), randomTable(r, length+1)
			want := byDefinition(x, s.sigma, length, h)
			eigen := Eigenvalues(s.sigma, length, h)
			y := slices.Clone(x)
			Convolve(context.Background(), y, s.sigma, length, eigen)
			checkClose(t, y, want, 1e-13)
			y = slices.Clone(x)
			convolveParts(context.Background(), y, newAxes(s.sigma, eigen))
			checkClose(t, y, want, 1e-13)
		}
	}
}

// TestDistances compares all entries of larger tables, whose values need all of a float64, with sums exact but for one
// rounding per distance. The tolerance is twice the errors the package comment reports.
func TestDistances(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 8))
	sizes := []struct{ sigma, length int }{{2, 12}, {3, 8}, {4, 6}, {4, 8}, {5, 6}, {20, 3}}
	if long.Tests {
		sizes = append(sizes, []struct{ sigma, length int }{{2, 16}, {3, 10}, {4, 9}, {5, 8}, {20, 4}}...)
	}
	for _, s := range sizes {
		words, _ := Size(s.sigma, s.length)
		for _, lowest := range []int{-1 << 20, 0} {
			x, h := make([]float64, words), randomTable(r, s.length+1)
			for i := range x {
				x[i] = float64(lowest + r.IntN(1<<20-lowest))
			}
			want := make([]float64, words)
			for m, table := range byDistance(x, s.sigma, s.length) {
				h[m] *= math.Pow(0.3, float64(m)) // similar words count more, as in a kernel
				for u := range want {
					want[u] += h[m] * table[u]
				}
			}
			eigen := Eigenvalues(s.sigma, s.length, h)
			y := slices.Clone(x)
			Convolve(context.Background(), y, s.sigma, s.length, eigen)
			worst := 0.0
			for u := range y {
				worst = max(worst, math.Abs(y[u]-want[u]))
			}
			t.Logf("sigma %d, length %d, x ≥ %d: error %.2g of the largest", s.sigma, s.length, lowest, worst/largest(want))
			checkClose(t, y, want, 4e-15)
		}
	}
}

// TestExact asks for the integers themselves within the bound the package comment states.
func TestExact(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	for length := 1; length <= 5; length++ {
		words, _ := Size(4, length)
		h := randomIntegers(r, length+1, 1000)
		scale := 0.0 // Σ_m |h(m)| C(length, m) 3^m · Σ |x| must stay below 2⁵³
		for v := range words {
			scale += math.Abs(h[distance(4, length, 0, v)])
		}
		x := randomIntegers(r, words, int(1<<53/max(scale, 1)/float64(words)))
		y := slices.Clone(x)
		Convolve(context.Background(), y, 4, length, Eigenvalues(4, length, h))
		checkSame(t, y, byDefinition(x, 4, length, h))
	}
	// integers too, by the textbook transform, whose values stay below 2⁵³ here
	for length := 6; length <= long.Or(11, 9); length++ {
		words, _ := Size(4, length)
		x, h := randomIntegers(r, words, 20), randomIntegers(r, length+1, 2)
		eigen := Eigenvalues(4, length, h)
		y := slices.Clone(x)
		Convolve(context.Background(), y, 4, length, eigen)
		checkSame(t, y, byWalsh(x, length, eigen))
	}
}

// TestProcessors compares the bits for several numbers of processors.
func TestProcessors(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 7))
	sizes := []struct{ sigma, length int }{{4, 5}, {4, 8}, {4, 9}, {2, 18}, {3, 11}}
	if long.Tests {
		sizes = append(sizes, []struct{ sigma, length int }{{4, 10}, {4, 11}, {5, 9}, {20, 5}}...)
	}
	for _, s := range sizes {
		words, _ := Size(s.sigma, s.length)
		x := randomTable(r, words)
		eigen := Eigenvalues(s.sigma, s.length, randomTable(r, s.length+1))
		var first []float64
		for _, procs := range []int{1, 2, 5} {
			y := slices.Clone(x)
			func() {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
				Convolve(context.Background(), y, s.sigma, s.length, eigen)
			}()
			if first == nil {
				first = y
			}
			for i := range y {
				if math.Float64bits(y[i]) != math.Float64bits(first[i]) {
					t.Fatalf("sigma %d, length %d, %d processors: entry %d is %v, with one %v",
						s.sigma, s.length, procs, i, y[i], first[i])
				}
			}
		}
	}
}

func TestSizesThatDisagree(t *testing.T) {
	for name, call := range map[string]func(){
		"table":       func() { Convolve(context.Background(), make([]float64, 15), 4, 2, make([]float64, 3)) },
		"eigenvalues": func() { Convolve(context.Background(), make([]float64, 16), 4, 2, make([]float64, 2)) },
		"size":        func() { Convolve(context.Background(), nil, 4, 14, make([]float64, 15)) },
		"h":           func() { Eigenvalues(4, 2, make([]float64, 2)) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			call()
		})
	}
}

func TestSize(t *testing.T) {
	for _, s := range []struct{ sigma, length, words int }{
		{2, 1, 2}, {4, 11, 4194304}, {4, 13, 67108864}, {20, 6, 64000000}, {2, 26, 67108864}, {10, 8, MaxWords},
		{MaxWords, 1, MaxWords},
	} {
		if words, err := Size(s.sigma, s.length); err != nil || words != s.words {
			t.Errorf("Size(%d, %d) = %d, %v, want %d", s.sigma, s.length, words, err, s.words)
		}
	}
	for _, s := range [][2]int{{1, 5}, {0, 5}, {-4, 5}, {4, 0}, {4, -1}, {4, 14}, {20, 7}, {2, 27}, {MaxWords + 1, 1},
		{10, 9}, {3, math.MaxInt}, {math.MaxInt, 3}} {
		if words, err := Size(s[0], s[1]); err == nil || words != 0 {
			t.Errorf("Size(%d, %d) = %d and no error", s[0], s[1], words)
		} else {
			t.Log(err)
		}
	}
}
