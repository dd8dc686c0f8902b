package duplicates

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/internal/drawn"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
)

func randomDNA(rng *rand.Rand, n int) []byte {
	return drawn.Text(rng, "ACGT", n)
}

// TestFindLongRecords compares the similarities of long records and short ones with counts of the words by a map.
func TestFindLongRecords(t *testing.T) {
	for _, a := range []stringkernel.Alphabet{stringkernel.DNA, stringkernel.Bytes} {
		rng := rand.New(rand.NewPCG(9, 9))
		long := randomDNA(rng, 2*mostHashed)
		changed := slices.Clone(long)
		for range 500 {
			changed[rng.IntN(len(changed))] = "ACGTN"[rng.IntN(5)]
		}
		repeats := slices.Concat(long[:fewWords], long[100:fewWords], long[:fewWords])
		seqs := [][]byte{long[:300], long[200:mostHashed], repeats, changed[:len(long)-999], long, long[1000:2000],
			changed[5000:5040]}
		c := must.Get(stringkernel.NewCorpus(seqs, nil))(t)
		f := Finder{Alphabet: a, Similarity: 0.3}
		g := must.Get(f.Find(t.Context(), c))(t)
		coder := newCoder(a)
		words := make([]map[uint64]bool, len(seqs))
		for i, x := range seqs {
			words[i] = map[uint64]bool{}
			for _, code := range coder.append(nil, x) {
				words[i][code] = true
			}
		}
		for _, p := range g.Pairs {
			common := 0
			for code := range words[p.I] {
				if words[p.J][code] {
					common++
				}
			}
			if want := float64(common) / float64(min(len(words[p.I]), len(words[p.J]))); p.Similarity != want {
				t.Errorf("%s: records %d and %d have similarity %v, want %v", a, p.I, p.J, p.Similarity, want)
			}
		}
		if len(g.Pairs) != len(seqs)-1 {
			t.Errorf("%s: %d pairs of %d records of one", a, len(g.Pairs), len(seqs))
		}
	}
}

// TestSortedWordsAreBounded: lists are kept as long as there is room, and made again afterwards.
func TestSortedWordsAreBounded(t *testing.T) {
	var s sortedWords
	made := 0
	get := func(x int32, n int) {
		if words := s.of(x, func() []uint64 { made++; return make([]uint64, n) }); len(words) != n {
			t.Fatalf("%d words of %d, want %d", len(words), x, n)
		}
	}
	for range 3 {
		get(1, 10)
		get(2, 20)
	}
	if made != 2 || s.words != 30 {
		t.Errorf("%d lists made, %d words kept, want 2 and 30", made, s.words)
	}
	s.words = mostIndexed - 5
	get(3, 10)
	get(1, 10)
	if made != 4 || s.words != 20 || len(s.lists) != 2 {
		t.Errorf("%d lists made, %d words kept in %d, want 4, and 20 in 2", made, s.words, len(s.lists))
	}
}
