package spectrum_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/internal/hash"
	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
)

func TestCheck(t *testing.T) {
	const dna, protein = stringkernel.DNA, stringkernel.Protein
	kerneltest.Parameters(t, []kerneltest.ParameterCase{
		{Kernel: spectrum.Kernel{K: 32, Alphabet: stringkernel.RNA}},
		{Kernel: spectrum.Kernel{K: 12, Alphabet: protein, Bounded: true}},
		{Kernel: spectrum.Kernel{K: 8}},
		{Kernel: spectrum.Kernel{}, Want: "k = 0, want 1…8 for alphabet bytes"},
		{Kernel: spectrum.Kernel{K: -3, Alphabet: dna}, Want: "k = -3, want 1…32"},
		{Kernel: spectrum.Kernel{K: 33, Alphabet: dna}, Want: "substring:weight=fixed"},
		{Kernel: spectrum.Kernel{K: 13, Alphabet: protein, Bounded: true}, Want: "substring:weight=bounded"},
		{Kernel: spectrum.Kernel{K: 3, Alphabet: "greek"}, Want: `alphabet "greek" is unknown`},
		{Kernel: spectrum.Kernel{K: 13, Bounded: true, TFIDF: true, Alphabet: dna}, Want: "k = 13 with bounded and tfidf"},
		{Kernel: spectrum.Kernel{K: 3, Count: "cube", Alphabet: dna}, Want: `count = "cube"`},
	})
}

func inner(a, b map[string]float64) (sum float64) {
	for s, n := range a {
		sum += n * b[s]
	}
	return sum
}

// Every length of every alphabet, of one strand of random records.
func TestEvalIsTheDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for a, of := range letters {
		for length := 1; length <= kmer.MaxK(a); length++ {
			for _, bounded := range []bool{false, true} {
				k := spectrum.Kernel{K: length, Bounded: bounded, Alphabet: a}
				x := bytes.Repeat(random(r, of[0][:2]+of[0]+of[1], 17), 5)
				y := append(random(r, of[0][:2]+of[0], 20), x[r.IntN(40):]...)
				if got, want := k.Eval(x, y), inner(counts(k, x), counts(k, y)); got != want {
					t.Fatalf("%+v: Eval(%q, %q) = %v, want %v", k, x, y, got, want)
				}
				if got, want := k.SelfEval(x), inner(counts(k, x), counts(k, x)); got != want {
					t.Fatalf("%+v: SelfEval(%q) = %v, want %v", k, x, got, want)
				}
			}
		}
	}
}

// Long records are indexed and counted in pieces: a record whose k-mers recur every 11 letters has n/11 of each.
func TestLongRecords(t *testing.T) {
	for _, n := range []int{1<<16 - 1, 1 << 16, 1<<16 + 4, 1<<16 + 5, 1<<17 + 3, 1<<19 + 20} {
		x := bytes.Repeat([]byte("ACGTTGCAACG"), n/11+1)[:n]
		for _, length := range []int{5, 16} {
			k, want := spectrum.Kernel{K: length, Alphabet: stringkernel.DNA}, 0.0
			for i := range 11 {
				count := float64((n - length + 11 - i) / 11)
				want += count * count
			}
			if length == 5 { // ACGTT, CGTTG … CGACG are 11
				g := must.Get(k.Gram(t.Context(), stringkernel.View(x)))(t)
				diag := make([]float64, 1)
				if g.Diag(diag); diag[0] != want {
					t.Errorf("k = %d, %d letters: the diagonal is %v, want %v", length, n, diag[0], want)
				}
			}
			if got := k.SelfEval(x); got != want {
				t.Errorf("k = %d, %d letters: k(x, x) = %v, want %v", length, n, got, want)
			}
		}
	}
}

// k-mers coded by multiples of the inverse of the hash function's factor: without a seed they all belong to a few
// slots, and counting them would take minutes.
func TestWordsOfOneSlot(t *testing.T) {
	const n = 100_000
	inverse := uint64(1)
	for range 6 { // Newton's iteration doubles the bits that are right
		inverse *= 2 - inverse*hash.Golden
	}
	k := spectrum.Kernel{K: 32, Alphabet: stringkernel.DNA}
	coder := kmer.New(k.Alphabet, k.K)
	var x []byte
	for i := range uint64(n) {
		x = append(append(x, coder.String(i*inverse)...), 'N')
	}
	if got := k.Eval(x, x); got != n || k.SelfEval(x) != n {
		t.Errorf("Eval = %v, SelfEval = %v of %d different k-mers", got, k.SelfEval(x), n)
	}
}
