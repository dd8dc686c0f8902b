package motif

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/internal/elementary"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Kmer is a k-mer with what one occurrence adds to the score.
type Kmer struct {
	Letters string
	Weight  float64
}

// Record is a sequence and what each of its positions adds to the score.
type Record struct {
	Letters       []byte
	Contributions []float64 // as many as letters
}

// Options say how to find motifs. The zero values of the fields below Alphabet are useful.
type Options struct {
	Alphabet    stringkernel.Alphabet // DNA, RNA or Protein
	BothStrands bool                  // a k-mer counts as its reverse complement as well
	Most        int                   // number of motifs; 0 means 10
	MinLength   int                   // of k-mers; shorter ones are ignored
}

// Motif is a position weight matrix with what it stands for.
type Motif struct {
	Matrix [][]float64 // probabilities: a row per position, in it one per letter by code, which sum to 1
	Kmers  int         // that were joined
	Sites  []Site      // in the records, by record and start; nil without records
	Share  float64     // of the decision that it explains, 0…1: see the package comment
}

// Site is an occurrence of a motif.
type Site struct {
	Record       int     // 0-based
	Start        int     // of the first letter, 0-based; the site is as long as the motif
	Reverse      bool    // the reverse complement is the motif
	Contribution float64 // of its positions, > 0
}

// Set is the motifs of a model, the strongest first.
type Set struct {
	Alphabet    stringkernel.Alphabet
	BothStrands bool
	Background  []float64 // by code
	Motifs      []Motif
}

// defaultMotifs is the number of motifs that are looked for without Options.Most.
const defaultMotifs = 10

// Find joins k-mers of positive weight into motifs and, if there are records, refines these by their sites there.
// Motifs without a site are left out. K-mers with a letter outside the alphabet are ignored.
func Find(ctx context.Context, kmers []Kmer, records []Record, opt Options) (*Set, error) {
	if err := opt.check(records); err != nil {
		return nil, err
	}
	opt.Most = cmp.Or(opt.Most, defaultMotifs)
	f := finder{Options: opt, background: opt.background(records)}
	joined, err := f.join(ctx, f.coded(kmers))
	if err != nil {
		return nil, err
	}
	motifs, err := f.motifs(ctx, joined, records)
	if opt.BothStrands {
		for i := range motifs {
			motifs[i].orient()
		}
	}
	return &Set{opt.Alphabet, opt.BothStrands, f.background, motifs}, err
}

// orient chooses the strand on which A and C have more of the columns than G and T; of as much, the one whose most
// probable letters come first. A sum over all columns hardly depends on where a motif begins and ends, so that models
// with the same motif show the same strand.
func (m *Motif) orient() {
	const rounding = 1e-9 // of a sum that is 0
	other := flipped(m.Matrix)
	excess := 0.0
	for _, row := range m.Matrix {
		excess += row[0] + row[1] - row[2] - row[3]
	}
	if excess > rounding || excess >= -rounding && slices.Compare(modes(m.Matrix), modes(other)) <= 0 {
		return
	}
	m.Matrix = other
	for i := range m.Sites {
		m.Sites[i].Reverse = !m.Sites[i].Reverse
	}
}

// modes returns the codes of the most probable letters.
func modes(matrix [][]float64) []int {
	list := make([]int, len(matrix))
	for j, row := range matrix {
		list[j] = slices.Index(row, slices.Max(row))
	}
	return list
}

func (o Options) check(records []Record) error {
	sigma := o.Alphabet.Size()
	switch {
	case sigma == 0 || sigma == stringkernel.Bytes.Size():
		return fmt.Errorf("motif: alphabet %s, want dna, rna or protein", o.Alphabet)
	case o.BothStrands && !o.Alphabet.Complementary():
		return fmt.Errorf("motif: both strands of %s", o.Alphabet)
	}
	for i, r := range records {
		if len(r.Letters) != len(r.Contributions) {
			return fmt.Errorf("motif: record %d has %d letters and %d contributions", i+1, len(r.Letters),
				len(r.Contributions))
		}
	}
	return nil
}

// background returns the frequencies of the letters: one is added to each count, so that none is 0.
func (o Options) background(records []Record) []float64 {
	counts := slices.Repeat([]float64{1}, o.Alphabet.Size())
	codes := o.Alphabet.Codes()
	for _, r := range records {
		for _, b := range r.Letters {
			if c := codes[b]; c != stringkernel.Outside {
				counts[c]++
			}
		}
	}
	if o.BothStrands {
		for c := range len(counts) / 2 {
			both := (counts[c] + counts[3-c]) / 2
			counts[c], counts[3-c] = both, both
		}
	}
	return scaled(counts)
}

// scaled divides numbers by their sum.
func scaled(v []float64) []float64 {
	sum := vectors.Sum(v)
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = x / sum
	}
	return out
}

// Information returns the information of each position in bits.
func (m *Motif) Information() []float64 {
	bits := make([]float64, len(m.Matrix))
	for j, row := range m.Matrix {
		bits[j] = information(row)
	}
	return bits
}

// Bits returns the information of all positions.
func (m *Motif) Bits() float64 { return vectors.Sum(m.Information()) }

// information returns log₂ σ + Σ p log₂ p.
func information(p []float64) float64 {
	bits := log2(float64(len(p)))
	for _, x := range p {
		if x > 0 {
			bits += float64(x * log2(x))
		}
	}
	return max(0, bits)
}

func log2(x float64) float64 { return elementary.Log(x) / math.Ln2 }
