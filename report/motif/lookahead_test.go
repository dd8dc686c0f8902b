package motif

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// randomRefiner has records with letters outside the alphabet and random contributions.
func randomRefiner(rng *rand.Rand, a stringkernel.Alphabet, both bool) *refiner {
	r := &refiner{finder: &finder{Options: Options{Alphabet: a, BothStrands: both}}}
	some := []byte(a.Letters() + a.Letters())
	for range 3 {
		x, c := make([]byte, rng.IntN(60)), []float64(nil)
		for i := range x {
			if x[i] = some[rng.IntN(len(some))]; rng.IntN(40) == 0 {
				x[i] = '-'
			}
			c = append(c, rng.NormFloat64())
		}
		r.records = append(r.records, Record{x, c})
	}
	for i, longest := range []int{longWord, shortWord} {
		r.words[i] = wordsOf(r.records, a, longest)
	}
	return r
}

// TestCandidates compares the windows found with those of the definition: every column of every window is summed on
// either strand, for random log-odds of all widths, before and after positions are taken.
func TestCandidates(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := range 3000 {
		both := n%3 > 0
		a := stringkernel.DNA
		if !both && n%2 == 0 {
			a = stringkernel.Protein
		}
		r, taken := randomRefiner(rng, a, both), [3][60]bool{}
		odds, reach := make([][]int, leastColumns+rng.IntN(20)), 0
		for j := range odds {
			scale := 1 + rng.IntN(300) // columns of little and of much information
			for range a.Size() {
				odds[j] = append(odds[j], rng.IntN(scale)-scale*2/3)
			}
			reach += scale / 6
		}
		least := rng.IntN(reach+2) - reach/2
		scan := r.scannerOf(odds, least)
		for range 3 {
			for i := range r.records {
				if got, want := scan.candidates(i), candidatesOf(r, i, odds, least, taken[i][:]); !reflect.DeepEqual(got, want) {
					t.Fatalf("%s, both strands %v, width %d, least %d: %v, want %v", a, both, len(odds), least, got, want)
				}
				if length := len(r.records[i].Letters); length > 0 {
					at := rng.IntN(length)
					taken[i][at] = true
					r.words[0].take(i, at)
					r.words[1].take(i, at)
				}
			}
		}
	}
}

// candidatesOf is the definition of candidates.
func candidatesOf(r *refiner, i int, odds [][]int, least int, taken []bool) (list []candidate) {
	x, table, width := r.records[i].Letters, r.Alphabet.Codes(), len(odds)
windows:
	for start := 0; start+width <= len(x); start++ {
		c, reverse := candidate{Site: Site{Record: i, Start: start}}, 0
		for j := range width {
			code := table[x[start+j]]
			if code == stringkernel.Outside || taken[start+j] {
				continue windows
			}
			c.sum += odds[j][code]
			if r.BothStrands {
				reverse += odds[width-1-j][3-code]
			}
			c.Contribution += r.records[i].Contributions[start+j]
		}
		if r.BothStrands && reverse > c.sum {
			c.sum, c.Reverse = reverse, true
		}
		if c.sum >= least && c.Contribution > 0 {
			list = append(list, c)
		}
	}
	return list
}
