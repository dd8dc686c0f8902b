package hadamard

import (
	"context"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/seqsvm/seqsvm/internal/long"
	"github.com/seqsvm/seqsvm/internal/must"
)

// reverseComplement is that of a word by its code, letter by letter.
func reverseComplement(word uint64, length int) (opposite uint64) {
	for range length {
		opposite = opposite<<2 | 3 - word&3
		word >>= 2
	}
	return opposite
}

// TestStrands compares with the convolution of the table of all words of both strands.
func TestStrands(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 1))
	longest := long.Or(11, 9)
	for length := LeastStrands; length <= longest; length++ {
		words, _ := Size(4, length)
		s := NewStrands(length)
		both, one, got := make([]float64, words), make([]float64, s.Size()), make([]float64, words)
		for range words / 2 {
			word := uint64(r.IntN(words))
			opposite, v := reverseComplement(word, length), r.NormFloat64()
			one[s.Place(word, opposite)] += v
			both[word] += v
			both[opposite] += v
		}
		eigen := Eigenvalues(4, length, randomTable(r, length+1))
		must.Succeed(t, s.Convolve(context.Background(), one, eigen))
		Convolve(context.Background(), both, 4, length, eigen)
		used := make([]bool, s.Size())
		for u := range got {
			place := s.Place(uint64(u), reverseComplement(uint64(u), length))
			got[u] = one[place]
			used[place] = true
		}
		checkClose(t, got, both, 1e-14)
		count := 0
		for _, u := range used {
			if u {
				count++
			}
		}
		if want := words >> (length % 2); count != want {
			t.Errorf("length %d: %d places, want %d", length, count, want)
		}
	}
}

// TestStrandsThreads compares the bits on one and several processors.
func TestStrandsThreads(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 2))
	s := NewStrands(9)
	x, eigen := randomTable(r, s.Size()), randomTable(r, 10)
	var results [2][]float64
	for i, procs := range []int{1, 3} {
		results[i] = append(results[i], x...)
		before := runtime.GOMAXPROCS(procs)
		err := s.Convolve(context.Background(), results[i], eigen)
		runtime.GOMAXPROCS(before)
		if err != nil {
			t.Fatal(err)
		}
	}
	checkSame(t, results[1], results[0])
}

func TestShortStrands(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("length 5: no panic")
		}
	}()
	NewStrands(5)
}
