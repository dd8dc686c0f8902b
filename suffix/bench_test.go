package suffix_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

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

// proseText draws words of a made-up language by Zipf's law, some in set phrases, in bytes
// as in English text.
func proseText(n int) []byte {
	rng := rand.New(rand.NewPCG(21, 22))
	const vowels, consonants = "eaoiu", "tnshrdlcmfpgwybvk"
	words := make([]string, 20000)
	for i := range words {
		for range 1 + rng.IntN(2) + rng.IntN(3)*(i/(i+200)) + rng.IntN(2) {
			words[i] += consonants[rng.IntN(rng.IntN(len(consonants))+1):][:1] + vowels[rng.IntN(rng.IntN(5)+1):][:1]
			if rng.IntN(3) == 0 {
				words[i] += consonants[rng.IntN(len(consonants)):][:1]
			}
		}
	}
	zipf := rand.NewZipf(rng, 1.1, 3, uint64(len(words)-1))
	phrase := make([]int, 3000)
	for i := range phrase {
		phrase[i] = int(zipf.Uint64())
	}
	s := make([]byte, 0, n+100)
	for len(s) < n {
		if rng.IntN(4) == 0 {
			from := rng.IntN(len(phrase) - 5)
			for _, w := range phrase[from : from+2+rng.IntN(4)] {
				s = append(append(s, words[w]...), ' ')
			}
			continue
		}
		s = append(s, words[zipf.Uint64()]...)
		if rng.IntN(9) == 0 {
			s = append(s, ",.;"[rng.IntN(3)])
		}
		s = append(s, ' ')
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

var benchTexts = map[string]*suffix.Text[byte]{}

// eachText runs a benchmark on DNA and prose of 10⁶ and, unless -short, 10⁷ letters and reports ns per letter.
func eachText(b *testing.B, f func(b *testing.B, text *suffix.Text[byte])) {
	sizes := []int{1e6, 1e7}
	if testing.Short() {
		sizes = sizes[:1]
	}
	for _, n := range sizes {
		for _, kind := range []string{"dna", "prose"} {
			name := fmt.Sprintf("%s/%.0e", kind, float64(n))
			b.Run(name, func(b *testing.B) {
				text := benchTexts[name]
				if text == nil {
					if kind == "dna" {
						text = benchText(dnaText(n), 5)
					} else {
						text = benchText(proseText(n), 256)
					}
					benchTexts[name] = text
				}
				b.SetBytes(int64(n))
				b.ReportAllocs()
				b.ResetTimer()
				f(b, text)
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/letter")
			})
		}
	}
}

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// BenchmarkSorted is what trees are built from: suffixes and the common prefixes of neighbours.
func BenchmarkSorted(b *testing.B) {
	eachText(b, func(b *testing.B, text *suffix.Text[byte]) {
		for b.Loop() {
			if err := suffix.Sorted(text); err != nil {
				b.Fatal(err)
			}
		}
	})
}
