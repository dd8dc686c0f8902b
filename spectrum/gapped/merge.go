package gapped

import (
	"context"
	"slices"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/hash"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// mergedLetters bounds the letters of support vectors that are listed at a time.
const mergedLetters = 1 << 22

// mergeTables scatters the support vectors, some at a time, and convolves.
func (e *engine) mergeTables(ctx context.Context, sv *stringkernel.Corpus, coef [][]float64) *scorer {
	tables := make([][]float64, len(coef))
	for m := range tables {
		tables[m] = make([]float64, e.coder.size, room(e.coder.size))
	}
	for lo, hi := 0, 0; lo < sv.Len(); lo = hi {
		for letters := 0; hi < sv.Len() && letters < mergedLetters; hi++ {
			letters += len(sv.Seq(hi))
		}
		index := newRegions(ctx, e, sv.Slice(lo, hi), e.coder.size, e.listUnfolded)
		parallel.EachContext(ctx, len(index.lists), func(r int) {
			for m, table := range tables {
				index.scatter(table, coef[m][lo:hi], r)
			}
		})
	}
	return e.scorerOf(ctx, tables)
}

// scorerOf returns the scorer of tables of coefficients, one per output, which it overwrites.
func (e *engine) scorerOf(ctx context.Context, tables [][]float64) *scorer {
	s := &scorer{engine: e, tables: tables, coef: make([][]float64, len(tables))}
	kept := func(place int) bool {
		for _, table := range tables {
			if table[place] != 0 {
				code := e.coder.packed(place)
				return e.canonical(code) == code
			}
		}
		return false
	}
	count := 0
	for place := range e.coder.size {
		if kept(place) {
			count++
		}
	}
	s.codes = make([]uint64, 0, count)
	for m := range s.coef {
		s.coef[m] = make([]float64, 0, count)
	}
	for place := range e.coder.size {
		if kept(place) {
			s.codes = append(s.codes, e.coder.packed(place))
			for m, table := range tables {
				s.coef[m] = append(s.coef[m], table[place])
			}
		}
	}
	s.finish(ctx)
	return s
}

// newScorer returns the scorer of k-mers, ascending, and their coefficients per output.
func newScorer(ctx context.Context, e *engine, codes []uint64, coef [][]float64) (*scorer, error) {
	s := &scorer{engine: e, codes: codes, coef: coef}
	if !e.tablesFit(len(coef)) {
		kmers, err := e.kmerScores(ctx, codes, coef)
		s.kmers = kmers
		return s, err
	}
	for m := range coef {
		table := make([]float64, e.coder.size)
		s.fill(table, m)
		s.tables = append(s.tables, table)
	}
	s.finish(ctx)
	return s, nil
}

// fill writes the coefficients of an output to a table.
func (s *scorer) fill(table []float64, m int) {
	for i, code := range s.codes {
		table[s.coder.place(code)] = s.coef[m][i]
		if s.rc {
			table[s.coder.reverseComplement(code)] = s.coef[m][i]
		}
	}
}

// finish turns tables of coefficients into tables of scores.
func (s *scorer) finish(ctx context.Context) {
	for _, table := range s.tables {
		s.convolve(ctx, table)
		s.foldStrands(table)
	}
	s.explained = make([]shares, len(s.tables))
}

// foldStrands adds the values of a k-mer and its reverse complement, if both strands count.
func (e *engine) foldStrands(table []float64) {
	if e.rc {
		compose.AddOpposites(table, e.coder.length)
	}
}

// collectKmers collects the k-mers of the support vectors, ascending, and their coefficients per output.
func collectKmers(
	ctx context.Context, e *engine, sv *stringkernel.Corpus, coef [][]float64,
) (codes []uint64, sums [][]float64) {
	var numbers hash.Table
	numbers.Reset(sv.Letters() + sv.Letters()/2)
	sums = make([][]float64, len(coef))
	for i := range sv.Len() {
		cancel.Check(ctx)
		e.eachWeighed(sv.Seq(i), func(packed uint64, w weight) {
			value, code := e.weights.of(w), e.canonical(packed)
			if e.rc && e.coder.reverseComplement(packed) == packed {
				value *= 2 // it is on both strands
			}
			id := numbers.Number(code)
			if int(id) == len(codes) {
				codes = append(codes, code)
				for m := range sums {
					sums[m] = append(sums[m], 0)
				}
			}
			for m := range sums {
				sums[m][id] += float64(coef[m][i] * value)
			}
		})
	}
	sorted, ordered := slices.Sorted(slices.Values(codes)), make([][]float64, len(coef))
	for m := range ordered {
		for _, code := range sorted {
			ordered[m] = append(ordered[m], sums[m][numbers.Number(code)])
		}
	}
	return sorted, ordered
}

// withOpposites returns k-mers and their coefficients, followed by those of the other strand if both count.
func (e *engine) withOpposites(codes []uint64, coef [][]float64) ([]uint64, [][]float64) {
	if !e.rc {
		return codes, coef
	}
	both, sums := slices.Clone(codes), make([][]float64, len(coef))
	for m := range sums {
		sums[m] = slices.Clone(coef[m])
	}
	for i, code := range codes {
		if other := e.coder.reverseComplement(code); other != code {
			both = append(both, other)
			for m := range sums {
				sums[m] = append(sums[m], coef[m][i])
			}
		}
	}
	return both, sums
}
