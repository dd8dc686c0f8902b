package compose

import (
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Space is an option of a kernel whose features are few enough for a table of numbers: a vector of its feature space is
// a []float64, which can be added to, sent and stored. Correct without it; with it, records need not be in memory, nor
// in one place, for a machine to be trained on them: package shard. Ask [SpaceOf].
//
// With Φ the features that Scatter counts, a row per record, S the diagonal of Scale and A, symmetric, what Filter
// does, the matrix of the kernel is K = S·Φ·A·Φᵀ·S. So K·v is
//
//	t = Φᵀ·S·v    Scatter of each record, times v_i·Scale(x_i)
//	w = A·t       Filter, once
//	f = S·Φ·w     Gather of each record, times Scale(x_i)
//
// and u and v have the inner product uᵀKv = ⟨t_u, A·t_v⟩. All methods may be called from several goroutines, each with
// a table of its own; many may gather from one table.
type Space interface {
	// Size returns the number of entries of a table.
	Size() int
	// Scale returns the factor of all features of x: 1, or k(x, x)^−½ where they are normalised, 0 without features. It
	// may take longer than Scatter, and is worth keeping.
	Scale(x []byte) float64
	// Scatter adds a times the features of x to a table, in time linear in x.
	Scatter(table []float64, x []byte, a float64)
	// Filter replaces a table of scattered features by the one that scores are gathered from. The error is that of ctx.
	Filter(ctx context.Context, table []float64) error
	// Gather returns the sum of the entries of the features of x, in the time of Scatter.
	Gather(table []float64, x []byte) float64
	// KmerLength returns k if a table has an entry for each k-mer of 4 letters, 2 bits each, in alphabetical order, and
	// Scatter and Gather add a to, and add up, those of each k-mer of x, and the surplus of Repeats; else 0. Packed
	// letters can then be walked without Scatter and Gather.
	KmerLength() int
	// Repeats appends the k-mers of x that occur more than once, each once, and returns how many k-mers there are in
	// all, where counts are seen through a function and Strands is not 0: on all strands. Of raw counts there are none
	// ([RawCounts]).
	Repeats(dst []Repeat, x []byte) (repeats []Repeat, occurrences int)
	// Surplus returns what is added to the entry of a k-mer that occurs n ≥ 2 times, besides the occurrences, in units
	// of one: what the function makes of n beyond n, by the number of strands.
	Surplus(n uint32) float64
	// Strands says what the filtered table of one feature is, so that records can be added to filtered tables one by
	// one: 1 if Filter leaves tables as they are; 2 if that of a k-mer is 2 for it and 2 for its reverse complement, 4
	// if these are the same; else 0.
	Strands() int
	// Scorer returns the scorer of tables, one per output, of scattered features, before Filter: that of a merged
	// model, which the kernel's [stringkernel.Restorer] can store. The tables are of no use afterwards. The error is
	// that of ctx, or says that there is no room.
	Scorer(ctx context.Context, tables [][]float64) (stringkernel.Scorer, error)
}

// Repeat is a k-mer that occurs more than once: its entry in a table, and how often.
type Repeat struct{ Entry, Count uint32 }

// RawCounts is embedded in a [Space] whose features are counts as they are.
type RawCounts struct{}

// Repeats returns dst and 0.
func (RawCounts) Repeats(dst []Repeat, _ []byte) (repeats []Repeat, occurrences int) { return dst, 0 }

// Surplus returns 0.
func (RawCounts) Surplus(uint32) float64 { return 0 }

// SpaceOf returns the [Space] of k, nil if it has none.
func SpaceOf(k stringkernel.Kernel) Space {
	return stringkernel.Lookup(k, func(w interface{ Space() Space }) Space { return w.Space() })
}

// SelfScaled is SelfEval(x) of a kernel with a space, given that its Scale of x is known: features that are
// normalised need not be walked again.
func SelfScaled(k stringkernel.Kernel, s Space, scale float64, x func() []byte) float64 {
	if divided(s) {
		return unit(scale)
	}
	return k.SelfEval(x())
}

// ScaleOf is s.Scale(x), given the Repeats of x: where there are some, normalised features need not be counted again.
func ScaleOf(s Space, x []byte, repeats []Repeat, occurrences int) float64 {
	if !divided(s) || occurrences == 0 {
		return s.Scale(x)
	}
	square := 0.0
	for _, r := range repeats {
		occurrences -= int(r.Count)
		value := float64(r.Count) + float64(float64(s.Strands())*s.Surplus(r.Count))
		square += float64(value * value)
	}
	return inverseRoot(float64(occurrences) + square)
}

// Space scales the features of a single term. On both strands it is that of k-mers that are not scaled.
func (k Linear) Space() Space {
	if len(k.Terms) > 1 || k.cuts() {
		return nil
	}
	inner := SpaceOf(k.Terms[0])
	if inner == nil || k.Strands != "" && (inner.KmerLength() == 0 || divided(inner)) {
		return nil
	}
	return linearSpace{inner, k}
}

// divided reports whether features of a space are divided by their norm.
func divided(s Space) bool {
	l, is := s.(linearSpace)
	return is && l.kernel.Cosine
}

// linearSpace is the space of a kernel of a single term. On both strands, records are scattered and gathered on one.
// With P, which exchanges each k-mer and its reverse complement and commutes with the filter A of the term, features
// are (I + P)·Φᵀ, and the filter is (I + P)·A·(I + P) = 2·(I + P)·A.
type linearSpace struct {
	Space
	kernel Linear
}

func (s linearSpace) Scale(x []byte) float64 {
	scale := s.Space.Scale(x)
	if s.kernel.Cosine {
		scale *= inverseRoot(s.kernel.square(x))
	}
	return scale
}

func (s linearSpace) Filter(ctx context.Context, table []float64) error {
	if err := s.Space.Filter(ctx, table); err != nil || s.kernel.Strands == "" {
		return err
	}
	FilterStrands(table, s.KmerLength())
	return nil
}

// Strands returns 2 on both strands if the term has no filter.
func (s linearSpace) Strands() int {
	switch strands := s.Space.Strands(); {
	case s.kernel.Strands == "":
		return strands
	case strands == 1:
		return 2
	}
	return 0
}

func (s linearSpace) Scorer(ctx context.Context, tables [][]float64) (stringkernel.Scorer, error) {
	for _, table := range tables {
		if len(table) != s.Size() {
			return nil, fmt.Errorf("%s: a table of %d entries, want %d", s.kernel.name(), len(table), s.Size())
		}
		if s.kernel.Strands != "" {
			AddOpposites(table, s.KmerLength())
		}
	}
	return s.kernel.newScorer(func(int, stringkernel.Kernel) (stringkernel.Scorer, error) {
		return s.Space.Scorer(ctx, tables)
	})
}

// FilterStrands is the filter of a [Space] of two strands, 2·(I + P), of a table of all k-mers of a length.
func FilterStrands(table []float64, length int) {
	AddOpposites(table, length)
	parallel.For(len(table), func(lo, hi int) {
		for i := range table[lo:hi] {
			table[lo+i] *= 2
		}
	})
}

// AddOpposites adds the values of a k-mer and its reverse complement in a table of all k-mers of a length: I + P. It
// takes the k-mers by their middle letters: those that agree there are a tile, whose rows have the same first letters,
// and their reverse complements are another, which is copied while it is at work: its rows are a power of two apart,
// and a cache would have room for a few of them.
func AddOpposites(table []float64, length int) {
	ends := min(3, length/2) // first and last letters
	middle := length - 2*ends
	opposite := make([]int, 1<<(2*ends))
	for p := range opposite {
		opposite[p] = int(kmer.ReverseComplement(uint64(p), ends))
	}
	side := len(opposite)
	row := func(m, first int) []float64 { return table[(first<<(2*middle)|m)<<(2*ends):][:side] }
	parallel.For(1<<(2*middle), func(lo, hi int) {
		other := make([]float64, side*side)
		for m := lo; m < hi; m++ {
			n := int(kmer.ReverseComplement(uint64(m), middle))
			if n < m {
				continue
			}
			for first := range side {
				copy(other[first*side:], row(n, first))
			}
			for first, otherLast := range opposite {
				values := row(m, first)
				for last, otherFirst := range opposite {
					value := &other[otherFirst*side+otherLast]
					*value += values[last]
					values[last] = *value
				}
			}
			for first := 0; m < n && first < side; first++ {
				copy(row(n, first), other[first*side:])
			}
		}
	})
}
