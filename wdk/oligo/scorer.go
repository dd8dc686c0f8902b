package oligo

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// scorer is, for every k-mer, a function of position: the coefficients of the support vectors that have the k-mer,
// spread by the Gaussian. For most k-mers it is a table of all positions that support vectors may have; the others add
// up their few cells at each look-up. It is safe for concurrent use.
type scorer struct {
	kernel  Kernel
	cells   cells
	outputs int
	coef    []float64 // outputs values per cell
	bells   []float64
	rows    []int     // of a k-mer: where its table begins in tables, or −1
	tables  []float64 // cells.length rows of outputs values per k-mer that has a table
	pool    sync.Pool // *query
}

// query is scratch space for scoring one sequence.
type query struct {
	kmers []occurrence
	value []float64 // an entry per output
}

// Every k-mer has a table if these hold at most alwaysTables values; otherwise a k-mer has one if at least one position
// in perCell is a cell of it.
const (
	alwaysTables = 1 << 22 // 32 MB
	perCell      = 16
)

// Merge folds the support vectors into a function of position per k-mer: O(N + D·R) for each output, in the terms of
// [Kernel]. If every k-mer has a table of every position (up to 32 MB always, and beyond that up to 16 values per
// cell), a score costs one look-up per k-mer of the query, up to the length of the longest support vector. Past that,
// and for rare k-mers, it costs one step per cell of the k-mer within reach.
func (k Kernel) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (merged stringkernel.Scorer, err error) {
	defer cancel.Catch(&err)
	if err := k.checkCorpus(sv); err != nil {
		return nil, err
	}
	if err := c.Check(sv); err != nil {
		return nil, fmt.Errorf("oligo: %w", err)
	}
	if k.resembling() {
		k, err := k.Compile()
		return stringkernel.NewComparisonScorer(stringkernel.DirectComparison(k, sv), c), err
	}
	coef := c.Dense()
	s := &scorer{kernel: k, cells: newCells(ctx, k, sv), outputs: len(coef), bells: k.bells(k.reach() + 1)}
	if err := memory.Check(8 * float64(len(s.cells.at)) * float64(len(coef))); err != nil {
		return nil, fmt.Errorf("oligo: weights of %d k-mers at positions for %d outputs need %w",
			len(s.cells.at), len(coef), err)
	}
	s.coef = make([]float64, len(s.cells.at)*s.outputs)
	for i := range sv.Len() {
		cancel.Check(ctx)
		for _, cell := range s.cells.of(i) {
			for m := range coef {
				s.coef[int(cell)*s.outputs+m] += coef[m][i]
			}
		}
	}
	s.cells.places, s.cells.ends = nil, nil // the sequences have been folded in
	if err := s.tabulate(ctx); err != nil {
		return nil, fmt.Errorf("oligo: %w", err)
	}
	return s, nil
}

// tabulate builds the tables of the k-mers that should have one, if there is room.
func (s *scorer) tabulate(ctx context.Context) error {
	t := &s.cells
	always := len(t.kmers.codes)*t.length <= alwaysTables/s.outputs
	s.rows = make([]int, len(t.kmers.codes))
	size := 0
	for w := range s.rows {
		s.rows[w] = -1
		if count := int(t.starts[w+1] - t.starts[w]); always || count*perCell >= t.length {
			s.rows[w] = size
			size += t.length * s.outputs
		}
	}
	if err := memory.Check(8 * float64(size)); err != nil {
		return fmt.Errorf("tables of %d k-mers for %d outputs need %w", len(t.kmers.codes), s.outputs, err)
	}
	s.tables = make([]float64, size)
	parallel.EachContext(ctx, len(t.kmers.codes), func(w int) {
		if s.rows[w] < 0 {
			return
		}
		for p := range t.length {
			start := s.rows[w] + p*s.outputs
			s.addCells(s.tables[start:start+s.outputs], uint32(w), p)
		}
	})
	return nil
}

// addCells adds to dst the functions of k-mer w at position p, cell by cell.
func (s *scorer) addCells(dst []float64, w uint32, p int) {
	t, reach := &s.cells, len(s.bells)-1
	first, end := t.starts[w], t.starts[w+1]
	skipped, _ := slices.BinarySearch(t.at[first:end], uint32(max(0, p-reach)))
	for cell := first + uint32(skipped); cell < end; cell++ {
		d := int(t.at[cell]) - p
		if d > reach {
			break
		}
		bell := s.bells[max(d, -d)]
		for m := range dst {
			dst[m] += float64(bell * s.coef[int(cell)*s.outputs+m])
		}
	}
}

// add adds to dst the functions of k-mer w at position p.
func (s *scorer) add(dst []float64, w uint32, p int) {
	row := s.rows[w]
	if row < 0 || p >= s.cells.length {
		s.addCells(dst, w, p)
		return
	}
	vectors.Add(dst, s.tables[row+p*s.outputs:row+(p+1)*s.outputs])
}

// Outputs returns the number of coefficient vectors.
func (s *scorer) Outputs() int { return s.outputs }

// ScoreTo adds up the functions of the k-mers of x at their positions.
func (s *scorer) ScoreTo(dst []float64, x []byte) {
	q := s.query(x)
	defer s.pool.Put(q)
	dst = dst[:s.outputs]
	clear(dst)
	for _, w := range q.kmers {
		if number, known := s.cells.kmers.find(w.code); known {
			s.add(dst, number, int(w.at))
		}
	}
}

// ExplainTo spreads the value of every k-mer of x over its K letters.
func (s *scorer) ExplainTo(dst []float64, m int, x []byte) {
	q := s.query(x)
	defer s.pool.Put(q)
	dst = dst[:len(x)]
	clear(dst)
	for _, w := range q.kmers {
		number, known := s.cells.kmers.find(w.code)
		if !known {
			continue
		}
		clear(q.value)
		s.add(q.value, number, int(w.at))
		share := q.value[m] / float64(s.kernel.K)
		for i := range s.kernel.K {
			dst[int(w.at)+i] += share
		}
	}
}

// query borrows the k-mers of x.
func (s *scorer) query(x []byte) *query {
	q, ok := s.pool.Get().(*query)
	if !ok {
		q = &query{value: make([]float64, s.outputs)}
	}
	q.kmers = s.kernel.appendKmers(q.kmers[:0], x)
	return q
}
