package background_test

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/internal/drawn"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio/background"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// countKmers counts the k-mers of an alphabet, by definition.
func countKmers(x []byte, k int, a stringkernel.Alphabet) map[string]int {
	counts := map[string]int{}
	for i := 0; i+k <= len(x); i++ {
		word := x[i : i+k]
		if !slices.ContainsFunc(word, func(b byte) bool { return a.Codes()[b] == stringkernel.Outside }) {
			counts[string(word)]++
		}
	}
	return counts
}

// sameKmers reports whether two sequences have the same counts of all k-mers of 1 to k letters.
func sameKmers(x, y []byte, k int, a stringkernel.Alphabet) bool {
	for j := 1; j <= k; j++ {
		if !maps.Equal(countKmers(x, j, a), countKmers(y, j, a)) {
			return false
		}
	}
	return true
}

// Counts of k-mers are kept exactly, letters outside the alphabet keep their places, and a generator of the same
// numbers gives the same letters.
func TestShuffleKeepsCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.SampledFrom([]stringkernel.Alphabet{stringkernel.DNA, stringkernel.RNA, stringkernel.Protein,
			stringkernel.Bytes, ""}).Draw(t, "alphabet")
		letters := []byte(rapid.SampledFrom([]string{"ACGT", "AC", "ACGTN", "ACGUacgtN", "AKLXW*"}).Draw(t, "letters"))
		x := rapid.SliceOfN(rapid.SampledFrom(letters), 0, 300).Draw(t, "x")
		s := background.Shuffler{K: rapid.IntRange(1, 8).Draw(t, "k"), Alphabet: a}
		must.Succeed(t, s.Check())
		before := bytes.Clone(x)
		y := s.ShuffleTo(nil, x, background.NewRand(7, 1, 2))
		if !bytes.Equal(x, before) {
			t.Fatal("the input has changed")
		}
		if !sameKmers(x, y, s.K, a) {
			t.Fatalf("%q and its shuffle %q have different k-mers of up to %d letters", x, y, s.K)
		}
		for i, b := range x {
			if outside := a.Codes()[b] == stringkernel.Outside; outside && y[i] != b {
				t.Fatalf("letter %d of %q, outside the alphabet, has moved: %q", i+1, x, y)
			}
		}
		if again := s.ShuffleTo(y[:0:0], x, background.NewRand(7, 1, 2)); !bytes.Equal(again, y) {
			t.Fatalf("%q, and then %q", y, again)
		}
	})
}

// arrangements lists all distinct orders of the letters of x with the same counts of all k-mers of up to k letters as
// x: the definition.
func arrangements(x string, k int) []string {
	var found []string
	letters := []byte(x)
	slices.Sort(letters)
	var extend func(prefix, rest []byte)
	extend = func(prefix, rest []byte) {
		if len(rest) == 0 {
			if sameKmers([]byte(x), prefix, k, stringkernel.Bytes) {
				found = append(found, string(prefix))
			}
			return
		}
		for i, b := range rest {
			if i > 0 && rest[i-1] == b {
				continue
			}
			extend(append(slices.Clone(prefix), b), slices.Concat(rest[:i], rest[i+1:]))
		}
	}
	extend(nil, letters)
	return found
}

// checkUniform wants cells to come up equally often, and nothing else, by a χ² test at level 0.001. The seed is fixed.
func checkUniform(t *testing.T, count map[string]int, cells []string) {
	t.Helper()
	draws, chi2 := 0, 0.0
	for _, n := range count {
		draws += n
	}
	expected := float64(draws) / float64(len(cells))
	for _, cell := range cells {
		difference := float64(count[cell]) - expected
		chi2 += difference * difference / expected
		delete(count, cell)
	}
	if len(count) > 0 {
		t.Fatalf("%v came up besides", count)
	}
	if len(cells) == 1 {
		return
	}
	if p := (distuv.ChiSquared{K: float64(len(cells) - 1)}).Survival(chi2); p < 1e-3 || p > 1-1e-6 {
		t.Errorf("χ² = %.1f of %d cells in %d draws, p = %.2g", chi2, len(cells), draws, p)
	}
}

// All arrangements come up equally often.
func TestShuffleIsUniform(t *testing.T) {
	for _, c := range []struct {
		x string
		k int
	}{
		{"AACGT", 1}, {"AABBC", 1}, {"ACACGTA", 2}, {"AABBABA", 2}, {"ABRACADABRA", 2}, {"AACCAGAACA", 2},
		{"GATTACATT", 2}, {"ACGACGTACG", 2},
		{"AAAABAAB", 2}, {"ABABACABAB", 3}, {"AABAABBAAB", 3}, {"AAAAABAAAA", 3}, {"ABAABAABAB", 4}, {"AAAAAAAA", 2},
		{"ABCDEFGH", 2},
	} {
		t.Run(fmt.Sprintf("%s/%d", c.x, c.k), func(t *testing.T) {
			all := arrangements(c.x, c.k)
			count := map[string]int{}
			s := background.Shuffler{K: c.k}
			rng := background.NewRand(1, 0, 0)
			var y []byte
			for range max(2000, 200*len(all)) {
				y = s.ShuffleTo(y, []byte(c.x), rng)
				count[string(y)]++
			}
			checkUniform(t, count, all)
		})
	}
}

// The streams of neighbouring records and copies give uniform shuffles together, too: with one draw from each.
func TestNewRandStreams(t *testing.T) {
	s := background.Shuffler{K: 2}
	all := arrangements("ACACGTA", 2)
	count := map[string]int{}
	const n = 6000
	for i := range n {
		count[string(s.ShuffleTo(nil, []byte("ACACGTA"), background.NewRand(uint64(i%3), i/60, i/3%20)))]++
	}
	checkUniform(t, count, all)
}

// A long random sequence keeps no more letters in place than chance has it.
func TestShuffleShuffles(t *testing.T) {
	rng := background.NewRand(3, 0, 0)
	x := drawn.Text(rng, "ACGT", 1<<16)
	for k := 1; k <= 5; k++ {
		same := 0
		for i, b := range (background.Shuffler{K: k, Alphabet: stringkernel.DNA}).ShuffleTo(nil, x, rng) {
			if b == x[i] {
				same++
			}
		}
		if share := float64(same) / float64(len(x)); share > 0.26 {
			t.Errorf("k = %d: %.3f of the letters in place, want about 0.25", k, share)
		}
	}
}

func TestShufflerCheck(t *testing.T) {
	for _, c := range []struct {
		s    background.Shuffler
		want string
	}{
		{background.Shuffler{}, "k = 0, want 1…8"},
		{background.Shuffler{K: -1, Alphabet: stringkernel.DNA}, "k = -1, want 1…32 for alphabet dna"},
		{background.Shuffler{K: 33, Alphabet: stringkernel.RNA}, "k = 33, want 1…32"},
		{background.Shuffler{K: 13, Alphabet: stringkernel.Protein}, "k = 13, want 1…12"},
		{background.Shuffler{K: 2, Alphabet: "xna"}, `"xna" is unknown`},
	} {
		if err := c.s.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.s, err, c.want)
		}
	}
	for a, k := range map[stringkernel.Alphabet]int{stringkernel.DNA: 32, stringkernel.Protein: 12,
		stringkernel.Bytes: 8} {
		s := background.Shuffler{K: k, Alphabet: a}
		if err := s.Check(); err != nil {
			t.Error(err)
		}
		x := []byte(strings.Repeat("ACDA", 50))
		if y := s.ShuffleTo(nil, x, background.NewRand(1, 0, 0)); !sameKmers(x, y, k, a) {
			t.Errorf("%s, k = %d: different k-mers", a, k)
		}
	}
}
