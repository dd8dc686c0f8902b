package background

import (
	"fmt"
	"math/rand/v2"

	"github.com/seqsvm/seqsvm/internal/hash"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Shuffler draws random rearrangements of a sequence that keep the counts of all k-mers of K letters and of all shorter
// ones. It is safe for concurrent use.
type Shuffler struct {
	// 1 permutes letters, 2 keeps dinucleotides, …; 1 to 32 for dna and rna, 12 for protein, 8 for bytes
	K        int
	Alphabet stringkernel.Alphabet // a letter outside it stays where it is
}

// Check returns an error if the alphabet is unknown or K is out of range.
func (s Shuffler) Check() error {
	if err := s.Alphabet.Check(); err != nil {
		return fmt.Errorf("background: %w", err)
	}
	if most := 64 / s.Alphabet.Bits(); s.K < 1 || s.K > most {
		return fmt.Errorf("background: k = %d, want 1…%d for alphabet %s", s.K, most, s.Alphabet)
	}
	return nil
}

// ShuffleTo writes a rearrangement of x over dst[:0], growing it if needed, and returns it. dst must not overlap x, and
// the shuffler must pass Check.
//
// A run of letters of the alphabet, as long as possible, is rearranged separately: drawn uniformly from all sequences
// that have the same counts of k-mers of K and of K−1 letters. These begin and end with the same K−1 letters. A run of
// at most K+1 letters has no other. Letters outside the alphabet stay where they are, so no k-mer that is counted
// reaches across one.
//
// O(len(x)) time and 8 bytes per letter for K = 2; beyond, the same but for the random walks (see the package comment)
// and a map of the distinct k-mers of K−1 letters.
func (s Shuffler) ShuffleTo(dst, x []byte, rng *rand.Rand) []byte {
	dst = append(dst[:0], x...)
	codes := s.Alphabet.Codes()
	for i := 0; i < len(dst); i++ {
		start := i
		for i < len(dst) && codes[dst[i]] != stringkernel.Outside {
			i++
		}
		s.shuffleRun(dst[start:i], rng)
	}
	return dst
}

// shuffleRun rearranges letters of the alphabet in place.
func (s Shuffler) shuffleRun(run []byte, rng *rand.Rand) {
	if s.K == 1 {
		rng.Shuffle(len(run), func(i, j int) { run[i], run[j] = run[j], run[i] })
		return
	}
	if len(run) <= s.K+1 {
		return
	}
	g := newKmerGraph(run, s.K-1, s.Alphabet)
	g.shuffle(rng)
	g.walk(run[s.K-1:])
}

// NewRand returns the generator of one shuffle or one search: that of a seed, of the number of a record and of the
// number of its copy. Different numbers have streams that are independent for all practical purposes, so the order in
// which records are worked on, and by how many processors, does not matter.
func NewRand(seed uint64, record, copy int) *rand.Rand {
	return rand.New(newSource(seed, record, copy))
}

func newSource(seed uint64, record, copy int) *rand.PCG {
	return rand.NewPCG(seed, hash.SplitMix(hash.SplitMix(uint64(record)+hash.Golden)+uint64(copy)+hash.Golden))
}
