package compose

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/cholesky"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/simd"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// The rules of pivoting.
const (
	// candidates is the number of records that may become pivots together: their rows are asked for at once, and the
	// rows of all records are read once for them, not once for each.
	candidates = 32
	// pivotSeed is that of the numbers that pivots are drawn by.
	pivotSeed = 1
	// leastResidual is the part of the greatest diagonal entry below which a residual is rounding: such a record is in
	// the span of the pivots, as far as numbers tell.
	leastResidual = 1e-10
)

// pivoted is a pivoted Cholesky factorisation K ≈ ΦΦᵀ of a matrix of n records.
type pivoted struct {
	kernel        stringkernel.Kernel // the wrapped one, fitted
	pivots        *stringkernel.Corpus
	rank          int
	rows          []float64       // Φ, n × rank
	triangle      cholesky.Factor // the rows of the pivots
	approximation stringkernel.Approximation

	comparison cancel.Once[pivotComparison]
}

type pivotComparison struct {
	stringkernel.Comparison
	err error
}

// newPivoted factors the matrix of the wrapped kernel for the corpus that k was fitted to.
func newPivoted(ctx context.Context, k LowRank, c *stringkernel.Corpus) (_ *pivoted, err error) {
	defer cancel.Catch(&err)
	g, err := k.Kernel.Gram(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("rank: %w", err)
	}
	f := &pivoted{kernel: k.Kernel}
	pivots, err := f.factorize(ctx, g, k.Rank, nil)
	if err != nil {
		return nil, err
	}
	f.pivots = c.Subset(pivots)
	f.comparison.Make = func(ctx context.Context) pivotComparison {
		compare, err := Compare(ctx, f.kernel, f.pivots)
		cancel.Check(ctx)
		return pivotComparison{compare, err}
	}
	return f, nil
}

// row returns φ of record i.
func (f *pivoted) row(i int) []float64 { return f.rows[i*f.rank : (i+1)*f.rank] }

// features returns the function that writes φ(x) = L⁻¹ k(P, x).
func (f *pivoted) features(ctx context.Context) (phi func(dst []float64, x []byte), err error) {
	defer cancel.Catch(&err)
	c := f.comparison.Get(ctx)
	if c.err != nil {
		return nil, fmt.Errorf("rank: %w", c.err)
	}
	return func(dst []float64, x []byte) {
		c.Comparison(dst, x)
		f.triangle.Forward(dst)
	}, nil
}

// block is the work on some candidates.
type block struct {
	records []int     // the candidates
	width   int       // their number, rounded up to a multiple of simd.RowWidth
	left    []float64 // K − ΦΦᵀ in their columns, n × width, with Φ as it was before them

	accepted []int       // of the candidates, those that have become pivots, in order
	columns  [][]float64 // of each of these, its column of Φ in the rows of the candidates
}

// factorize chooses pivots among some records (nil: all), whose numbers it returns, and finds the rows of all: r rows
// of g and O(n·r²). The bits do not depend on the number of processors.
func (f *pivoted) factorize(
	ctx context.Context, g stringkernel.Gram, rank int, among []int,
) (pivots []int, err error) {
	n := g.Len()
	if among == nil {
		among = make([]int, n)
		for i := range among {
			among[i] = i
		}
	}
	residual := make([]float64, n)
	g.Diag(residual)
	trace, most := 0.0, 0.0
	for _, i := range among {
		trace, most = trace+residual[i], max(most, residual[i])
	}
	rank = min(rank, len(among))
	rows := make([]float64, n*rank)
	ofRecords, err := rowsOf(ctx, g, rank)
	if err != nil {
		return nil, err
	}
	random := rand.New(rand.NewPCG(pivotSeed, 0))
	for len(pivots) < rank {
		k := len(pivots)
		records := drawn(residual, among, min(candidates, rank-k), leastResidual*most, random)
		if len(records) == 0 {
			break
		}
		b := block{records: records, width: (len(records) + simd.RowWidth - 1) / simd.RowWidth * simd.RowWidth}
		b.subtract(ctx, ofRecords, rows, rank, k)
		b.choose(residual, leastResidual*most, random)
		if len(b.accepted) == 0 { // the residuals were rounding
			for _, i := range records {
				residual[i] = 0
			}
			continue
		}
		b.extend(ctx, rows, rank, k, residual)
		for _, a := range b.accepted {
			pivots = append(pivots, records[a])
		}
	}
	f.rank, f.rows = len(pivots), compacted(rows, n, rank, len(pivots))
	left := 0.0
	for _, i := range among {
		left += max(0, residual[i])
	}
	for q, p := range pivots {
		f.triangle.Append(f.row(p)[:q+1])
	}
	f.approximation = stringkernel.Approximation{Rank: f.rank, Records: len(among)}
	if trace > 0 {
		f.approximation.TraceError = min(1, left/trace)
	}
	return pivots, nil
}

// wholeRecords is the greatest number of records per pivot for which the whole matrix may be held.
const wholeRecords = 4

// rowsOf returns the function that writes rows of g: of the whole matrix in memory where there are few more records
// than pivots, and computing it takes less time than the pivots' rows.
func rowsOf(ctx context.Context, g stringkernel.Gram, rank int) (func(dst [][]float64, records []int), error) {
	n, dense := g.Len(), stringkernel.DenseOf(g)
	each := func(dst [][]float64, records []int) { rowsTo(ctx, g, dst, records) }
	if dense == nil || n > wholeRecords*rank || memory.Check(8*float64(n)*float64(n)) != nil {
		return each, nil
	}
	rows := 1.0 // per product
	if stringkernel.IsRowBased(g) {
		rows = float64(n)
	}
	products := float64(rank) / rows
	matrix, product, err := dense.DenseCost(ctx, products)
	if err != nil || !(matrix < float64(products*product)) {
		return each, err
	}
	whole := make([]float64, n*n)
	err = dense.DenseTo(ctx, whole)
	return func(dst [][]float64, records []int) {
		for c, i := range records {
			copy(dst[c], whole[i*n:(i+1)*n])
		}
	}, err
}

// drawn returns at most m records with residuals above least, each drawn with a probability that is proportional to its
// residual, in the order in which they are drawn first; none if there are none.
func drawn(residual []float64, among []int, m int, least float64, random *rand.Rand) (records []int) {
	sums, total := make([]float64, len(among)), 0.0
	for s, i := range among {
		if residual[i] > least {
			total += residual[i]
		}
		sums[s] = total
	}
	if total == 0 {
		return nil
	}
	for range m {
		at := random.Float64() * total
		s := sort.Search(len(sums), func(s int) bool { return sums[s] > at })
		if i := among[min(s, len(sums)-1)]; residual[i] > least && !slices.Contains(records, i) {
			records = append(records, i)
		}
	}
	return records
}

// subtract computes what the first k columns of rows leave of the candidates' columns of the matrix.
func (b *block) subtract(
	ctx context.Context, ofRecords func(dst [][]float64, records []int), rows []float64, rank, k int,
) {
	n, m := len(rows)/rank, len(b.records)
	columns := scratch.Vectors(m, n)
	ofRecords(columns, b.records)
	table, ids := make([]float64, k*b.width), make([]uint32, k)
	for t := range ids {
		ids[t] = uint32(t)
		for c, i := range b.records {
			table[t*b.width+c] = rows[i*rank+t]
		}
	}
	b.left = make([]float64, n*b.width)
	parallel.EachContext(ctx, n, func(i int) {
		row := b.left[i*b.width : (i+1)*b.width]
		simd.GatherRows(row, table, ids, rows[i*rank:i*rank+k])
		for c := range columns {
			row[c] = columns[c][i] - row[c]
		}
	})
}

// choose takes each candidate with the probability that those taken before it leave of its residual, at least least.
func (b *block) choose(before []float64, least float64, random *rand.Rand) {
	m := len(b.records)
	residual := make([]float64, m)
	for c, i := range b.records {
		residual[c] = b.left[i*b.width+c]
	}
	for next, i := range b.records {
		wanted := least
		if len(b.accepted) > 0 {
			wanted = max(least, float64(random.Float64()*before[i]))
		}
		if !(residual[next] > wanted) {
			continue
		}
		column, root := make([]float64, m), math.Sqrt(residual[next])
		for c, i := range b.records {
			value := b.left[i*b.width+next]
			for _, earlier := range b.columns {
				value -= float64(earlier[c] * earlier[next])
			}
			column[c] = value / root
			residual[c] -= float64(column[c] * column[c])
		}
		for _, a := range b.accepted {
			column[a] = 0
		}
		column[next], residual[next] = root, 0
		b.accepted, b.columns = append(b.accepted, next), append(b.columns, column)
	}
}

// extend writes the columns of the new pivots, from column k on, and takes their squares from the residuals.
func (b *block) extend(ctx context.Context, rows []float64, rank, k int, residual []float64) {
	parallel.EachContext(ctx, len(residual), func(i int) {
		row := rows[i*rank+k:][:len(b.accepted)]
		for q, a := range b.accepted {
			value := b.left[i*b.width+a]
			for p, earlier := range b.columns[:q] {
				value -= float64(row[p] * earlier[a])
			}
			row[q] = value / b.columns[q][a]
			residual[i] -= float64(row[q] * row[q])
		}
	})
	for q, a := range b.accepted {
		i := b.records[a]
		clear(rows[i*rank+k+q+1 : i*rank+k+len(b.accepted)])
		rows[i*rank+k+q], residual[i] = b.columns[q][a], 0
	}
}

// compacted keeps the first r of rank columns.
func compacted(rows []float64, n, rank, r int) []float64 {
	if r == rank {
		return rows
	}
	short := make([]float64, n*r)
	for i := range n {
		copy(short[i*r:(i+1)*r], rows[i*rank:])
	}
	return short
}
