package motif

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// finder is the work on one set of motifs.
type finder struct {
	Options
	background []float64
	total      float64 // weight of all k-mers
}

// kmer is a Kmer in codes.
type kmer struct {
	codes  []byte
	weight float64
}

// coded returns the k-mers of positive weight, the strongest first.
func (f *finder) coded(kmers []Kmer) []kmer {
	table := f.Alphabet.Codes()
	var list []kmer
	for _, w := range kmers {
		codes := make([]byte, len(w.Letters))
		known := len(codes) >= max(1, f.MinLength) && w.Weight > 0
		for i := range codes {
			code := table[w.Letters[i]]
			known = known && code != stringkernel.Outside
			codes[i] = byte(code)
		}
		if known {
			list = append(list, kmer{codes, w.Weight})
			f.total += w.Weight
		}
	}
	slices.SortStableFunc(list, func(a, b kmer) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), slices.Compare(a.codes, b.codes))
	})
	return list
}

const (
	mostColumns  = 30   // of a motif
	spread       = 0.1  // of a motif's weight, over all letters of a column
	needed       = 0.5  // of the log-odds of a k-mer that equals columns of a single letter
	leastBits    = 0.25 // of a column at the end of a motif
	leastColumns = 4    // of a motif
)

// counts is a motif that grows.
type counts struct {
	columns [][]float64
	kmers   int
	weight  float64
	odds    [][]float64 // log-odds of the columns as they are; nil: not known
}

// join clusters k-mers, the strongest of which come first. It returns up to twice as many as are wanted, since not all
// need have sites.
func (f *finder) join(ctx context.Context, kmers []kmer) (all []*counts, err error) {
	for len(kmers) > 0 && len(all) < 2*f.Most {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		grown := &counts{}
		f.add(grown, kmers[0].codes, 0, kmers[0].weight)
		kmers = kmers[1:]
		for before := -1; before != grown.kmers && ctx.Err() == nil; {
			before = grown.kmers
			kmers = slices.DeleteFunc(slices.Clone(kmers), func(w kmer) bool { return f.tryJoin(grown, w) })
		}
		all = append(all, grown)
	}
	slices.SortStableFunc(all, func(a, b *counts) int { return cmp.Compare(b.weight, a.weight) })
	return all, nil
}

// tryJoin adds a k-mer where it fits best, if it fits well enough.
func (f *finder) tryJoin(m *counts, w kmer) bool {
	if m.odds == nil {
		m.odds = f.logOdds(m.probabilities(f.background, float64(spread*m.weight)))
	}
	odds := m.odds
	codes, offset, best := w.codes, 0, math.Inf(-1)
	try := func(x []byte) {
		overlap := max((len(x)+1)/2, min(leastColumns, len(x)-1))
		for o := overlap - len(x); o <= len(odds)-overlap; o++ {
			if max(len(odds), o+len(x))-min(0, o) > mostColumns {
				continue
			}
			sum := 0.0
			for j := max(0, -o); j < len(x) && o+j < len(odds); j++ {
				sum += odds[o+j][x[j]]
			}
			if sum > best {
				codes, offset, best = x, o, sum
			}
		}
	}
	try(w.codes)
	if f.BothStrands {
		try(reversed(w.codes))
	}
	if best < needed*float64(len(w.codes))*log2(float64(f.Alphabet.Size())) {
		return false
	}
	f.add(m, codes, offset, w.weight)
	return true
}

// reversed returns the reverse complement.
func reversed(codes []byte) []byte {
	out := make([]byte, len(codes))
	for i, c := range codes {
		out[len(codes)-1-i] = 3 - c
	}
	return out
}

// add counts a k-mer at an offset, and widens the motif for it.
func (f *finder) add(m *counts, codes []byte, offset int, weight float64) {
	for ; offset < 0; offset++ {
		m.columns = slices.Insert(m.columns, 0, make([]float64, f.Alphabet.Size()))
	}
	for j, c := range codes {
		if offset+j == len(m.columns) {
			m.columns = append(m.columns, make([]float64, f.Alphabet.Size()))
		}
		m.columns[offset+j][c] += weight
	}
	m.kmers++
	m.weight += weight
	m.odds = nil
}

// probabilities returns the matrix with a weight spread over the letters of every column.
func (m *counts) probabilities(background []float64, weight float64) [][]float64 {
	matrix := make([][]float64, len(m.columns))
	for j, column := range m.columns {
		row := make([]float64, len(column))
		for c, count := range column {
			row[c] = count + float64(weight*background[c])
		}
		matrix[j] = scaled(row)
	}
	return matrix
}

// logOdds returns log₂(p/q).
func (f *finder) logOdds(matrix [][]float64) [][]float64 {
	odds := make([][]float64, len(matrix))
	for j, row := range matrix {
		odds[j] = make([]float64, len(row))
		for c, p := range row {
			odds[j][c] = log2(p / f.background[c])
		}
	}
	return odds
}

// trim cuts off columns at both ends that differ from the background by fewer bits, Σ p log₂(p/q); nil if fewer than
// leastColumns are left.
func (f *finder) trim(matrix [][]float64, bits float64) [][]float64 {
	for len(matrix) > 0 && f.divergence(matrix[0]) < bits {
		matrix = matrix[1:]
	}
	for len(matrix) > 0 && f.divergence(matrix[len(matrix)-1]) < bits {
		matrix = matrix[:len(matrix)-1]
	}
	if len(matrix) < leastColumns {
		return nil
	}
	return matrix
}

func (f *finder) divergence(p []float64) (bits float64) {
	for c, x := range p {
		if x > 0 {
			bits += float64(x * log2(x/f.background[c]))
		}
	}
	return bits
}
