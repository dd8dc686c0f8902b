package suffix_test

import (
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/internal/long"
	"github.com/seqsvm/seqsvm/suffix"
)

// dnaText draws n symbols 1 … 4 from a Markov chain of order 3, a third of it
// being copies of earlier pieces with 5 % of the letters changed. No breaks.
func dnaText(n int) []byte {
	rng := rand.New(rand.NewPCG(19, 20))
	var chain [64][4]float64
	for i := range chain {
		sum := 0.0
		for j := range chain[i] {
			sum += 0.3 + rng.Float64()
			chain[i][j] = sum
		}
	}
	s := make([]byte, 0, n)
	context := 0
	for len(s) < n {
		if len(s) > 1000 && rng.IntN(600) == 0 {
			from := rng.IntN(len(s) - 400)
			for _, c := range s[from : from+300] {
				if rng.IntN(20) == 0 {
					c = byte(1 + rng.IntN(4))
				}
				s = append(s, c)
			}
			continue
		}
		x, c := rng.Float64()*chain[context][3], 0
		for x > chain[context][c] {
			c++
		}
		context = (context*4 + c) % 64
		s = append(s, byte(1+c))
	}
	return s[:n]
}

// benchText cuts symbols into documents of 500.
func benchText(symbols []byte, sigma int) *suffix.Text[byte] {
	b := suffix.NewBuilder[byte](sigma)
	b.Grow(len(symbols)/500+1, len(symbols))
	for i := 0; i < len(symbols); i += 500 {
		if err := b.Append(symbols[i:min(i+500, len(symbols))]); err != nil {
			panic(err)
		}
	}
	text, err := b.Text()
	if err != nil {
		panic(err)
	}
	return text
}

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// BenchmarkSorted is what trees are built from, suffixes and the common prefixes of neighbours, of 10⁷ letters of DNA,
// 10⁶ without the build tag long.
func BenchmarkSorted(b *testing.B) {
	n := 10_000_000
	if !long.Tests {
		n /= 10
	}
	text := benchText(dnaText(n), 5)
	b.SetBytes(int64(n))
	for b.Loop() {
		if err := suffix.Sorted(text); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/letter")
}
