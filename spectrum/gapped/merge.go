package gapped

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/hash"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
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
		return e.mergeTables(ctx, sv, coef)
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

// tablePool lends tables of k-mers that are of no use after a product or a merge.
var tablePool sync.Pool // *[]float64

// mergeTables scatters the support vectors, some at a time. Of both strands a table of one is enough, where that is
// smaller.
func (e *engine) mergeTables(ctx context.Context, sv *stringkernel.Corpus, coef [][]float64) (*scorer, error) {
	entries, list, at := e.coder.size, e.listUnfolded, e.placeOf
	if strands, one := e.strands(); one && strands.Size() < entries {
		entries, list, at = strands.Size(), e.listPlaces, strands.Place
	}
	tables := make([][]float64, len(coef))
	for m := range tables {
		space := scratch.Borrow(&tablePool, room(entries))
		defer tablePool.Put(space)
		tables[m] = (*space)[:entries]
		parallel.For(entries, func(lo, hi int) { clear(tables[m][lo:hi]) })
	}
	for lo, hi := 0, 0; lo < sv.Len(); lo = hi {
		for letters := 0; hi < sv.Len() && letters < mergedLetters; hi++ {
			letters += len(sv.Seq(hi))
		}
		index := newRegions(ctx, e, sv.Slice(lo, hi), entries, list)
		parallel.EachContext(ctx, len(index.lists), func(r int) {
			for m, table := range tables {
				index.scatter(table, coef[m][lo:hi], r)
			}
		})
	}
	return e.scorerOf(ctx, tables, at)
}

// placeOf returns the place of a k-mer in a table of all.
func (e *engine) placeOf(code, _ uint64) uint32 { return uint32(e.coder.place(code)) }

// placesPerPart is how many places of a table one goroutine looks at; results do not depend on it.
const placesPerPart = 1 << 14

var codePool, placePool sync.Pool // *[]uint64 and *[]uint32 of placesPerPart

// scorerOf returns the scorer of tables of coefficients, one per output, in which at is the place of a k-mer, given its
// code and that of its reverse complement.
func (e *engine) scorerOf(
	ctx context.Context, tables [][]float64, at func(code, opposite uint64) uint32,
) (*scorer, error) {
	parts := make([][]uint64, (e.coder.size+placesPerPart-1)/placesPerPart)
	coefs := make([][][]float64, len(tables)) // by output and part
	for m := range coefs {
		coefs[m] = make([][]float64, len(parts))
	}
	parallel.EachContext(ctx, len(parts), func(p int) {
		codes := scratch.BorrowOf[uint64](&codePool, placesPerPart)
		defer codePool.Put(codes)
		places := scratch.BorrowOf[uint32](&placePool, placesPerPart)
		defer placePool.Put(places)
		n := 0
		for place := p * placesPerPart; place < min(e.coder.size, (p+1)*placesPerPart); place++ {
			code := e.coder.packed(place)
			opposite := e.opposite(code)
			if code > opposite {
				continue // listed under the other
			}
			from := at(code, opposite)
			for _, table := range tables {
				if table[from] != 0 {
					(*codes)[n], (*places)[n] = code, from
					n++
					break
				}
			}
		}
		parts[p] = slices.Clone((*codes)[:n])
		for m, table := range tables {
			coefs[m][p] = make([]float64, n)
			for i, from := range (*places)[:n] {
				coefs[m][p][i] = table[from]
			}
		}
	})
	coef := make([][]float64, len(tables))
	for m := range coef {
		coef[m] = slices.Concat(coefs[m]...)
	}
	return newScorer(ctx, e, slices.Concat(parts...), coef)
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

// quickTable is the size of tables that are made in a moment: of so many entries they wait until a score is asked for,
// which a model to be stored has no need of.
const quickTable = 1 << 23

// newScorer returns the scorer of k-mers, ascending, and their coefficients per output.
func newScorer(ctx context.Context, e *engine, codes []uint64, coef [][]float64) (*scorer, error) {
	s := &scorer{engine: e, codes: codes, coef: coef}
	if !e.tablesFit(len(coef)) {
		kmers, err := e.kmerScores(ctx, codes, coef)
		s.kmers = kmers
		return s, err
	}
	s.tables = sync.OnceValue(func() [][]float64 { return s.makeTables(context.WithoutCancel(ctx)) })
	if len(coef)*e.coder.size > quickTable {
		tables := s.makeTables(ctx)
		s.tables = func() [][]float64 { return tables }
	}
	s.explained, s.byPair = make([]shares, len(coef)), make([]pairTables[float64], len(coef))
	s.byShortPair = make([]pairTables[float32], len(coef))
	s.byLetter = make([]letterTables, letterKinds*len(coef))
	return s, nil
}

// makeTables returns the scores of all k-mers, per output.
func (s *scorer) makeTables(ctx context.Context) [][]float64 {
	tables := make([][]float64, len(s.coef))
	for m := range tables {
		tables[m] = memory.InLargePages[float64](s.coder.size)
		s.fill(tables[m], m)
		s.convolve(ctx, tables[m])
		s.foldStrands(tables[m])
	}
	return tables
}

// foldStrands adds the values of a k-mer and its reverse complement, if both strands count.
func (e *engine) foldStrands(table []float64) {
	if e.rc {
		compose.AddOpposites(table, e.coder.length)
	}
}
