package gapped

import (
	"context"
	"fmt"
	"slices"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/hash"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

const (
	maxOutputs    = 256          // of a scorer
	maxTables     = 4 * maxTable // k-mers of all tables of a scorer, 3.2 GB
	mergedLetters = 1 << 22      // of support vectors that are listed at a time
)

// merge folds support vectors for the engine that restore will choose.
func (e *engine) merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	if err := c.Check(sv); err != nil {
		return nil, fmt.Errorf("%s: %w", e.name, err)
	}
	if e.wide() {
		return stringkernel.NewComparisonScorer(stringkernel.DirectComparison(wideKernel{e}, sv), c), nil
	}
	coef := c.Dense()
	if err := e.checkOutputs(len(coef)); err != nil {
		return nil, err
	}
	perLetter, tables := e.mergeCosts(len(coef))
	if err := e.checkIndex(sv, perLetter, tables); err != nil {
		return nil, err
	}
	if e.tablesFit(len(coef)) {
		return e.mergeTables(ctx, sv, coef), nil
	}
	codes, sums := collectKmers(ctx, e, sv, coef)
	return newScorer(ctx, e, codes, sums)
}

// checkOutputs returns an error unless a scorer may have that many outputs.
func (e *engine) checkOutputs(outputs int) error {
	most := maxOutputs
	if e.alike != nil {
		most = min(most, maxTables/e.coder.size)
	}
	if outputs > most {
		return fmt.Errorf("%s: %d outputs, want at most %d", e.name, outputs, most)
	}
	return nil
}

// tablesFit reports whether a scorer of that many outputs has tables: one look-up per k-mer, if there is room.
func (e *engine) tablesFit(outputs int) bool { return e.tabular() && outputs*e.coder.size <= maxTables }

// mergeCosts returns what merge takes for each letter of the support vectors on a strand, and for tables.
func (e *engine) mergeCosts(outputs int) (perLetter, tables float64) {
	if e.tablesFit(outputs) {
		return 10 + float64(8*outputs), float64((8*(outputs+1+e.layers()) + 1) * e.coder.size)
	}
	return 48 + float64(16*outputs), 0
}

// mergeBytes estimates what merge takes for support vectors of the same length.
func (e *engine) mergeBytes(sequences, letters, outputs int) float64 {
	if e.wide() {
		return 0
	}
	perLetter, tables := e.mergeCosts(outputs)
	return e.indexBytes(letters, letters/max(1, sequences), perLetter, tables)
}

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

// placesPerPart is how many places of a table one goroutine looks at; results do not depend on it.
const placesPerPart = 1 << 14

// scorerOf returns the scorer of tables of coefficients, one per output, which it overwrites.
func (e *engine) scorerOf(ctx context.Context, tables [][]float64) *scorer {
	s := &scorer{engine: e, tables: tables, coef: make([][]float64, len(tables))}
	parts := make([][]uint64, (e.coder.size+placesPerPart-1)/placesPerPart)
	parallel.Each(len(parts), func(p int) {
		for place := p * placesPerPart; place < min(e.coder.size, (p+1)*placesPerPart); place++ {
			used := slices.ContainsFunc(tables, func(table []float64) bool { return table[place] != 0 })
			if code := e.coder.packed(place); used && e.canonical(code) == code {
				parts[p] = append(parts[p], code)
			}
		}
	})
	s.codes = slices.Concat(parts...)
	for m, table := range tables {
		s.coef[m] = make([]float64, len(s.codes))
		parallel.Each(len(s.codes), func(i int) { s.coef[m][i] = table[e.coder.place(s.codes[i])] })
	}
	s.finish(ctx)
	return s
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

// finish turns tables of coefficients into tables of scores.
func (s *scorer) finish(ctx context.Context) {
	for _, table := range s.tables {
		s.convolve(ctx, table)
		s.foldStrands(table)
	}
	s.explained, s.byPair = make([]shares, len(s.tables)), make([]pairTables[float64], len(s.tables))
	s.byShortPair = make([]pairTables[float32], len(s.tables))
	s.byLetter = make([]letterTables, letterKinds*len(s.tables))
}

// foldStrands adds the values of a k-mer and its reverse complement, if both strands count.
func (e *engine) foldStrands(table []float64) {
	if e.rc {
		compose.AddOpposites(table, e.coder.length)
	}
}
