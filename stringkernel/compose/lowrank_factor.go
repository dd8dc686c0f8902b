package compose

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"github.com/seqsvm/seqsvm/internal/cholesky"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/simd"
	"github.com/seqsvm/seqsvm/internal/subset"
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
	pivots        []int // numbers of records
	rank          int
	rows          []float64       // Φ, n × rank
	triangle      cholesky.Factor // the rows of the pivots
	approximation stringkernel.Approximation
}

// row returns φ of record i.
func (f *pivoted) row(i int) []float64 { return f.rows[i*f.rank : (i+1)*f.rank] }

// block is the work on some candidates.
type block struct {
	records []int     // the candidates
	width   int       // their number, rounded up to a multiple of simd.RowWidth
	left    []float64 // K − ΦΦᵀ in their columns, n × width, with Φ as it was before them

	accepted []int       // of the candidates, those that have become pivots, in order
	columns  [][]float64 // of each of these, its column of Φ in the rows of the candidates
}

// pivoting is a factorisation under way, of n records.
type pivoting struct {
	rank      int // the greatest number of pivots
	among     []int
	rows      []float64 // n × rank
	ofRecords func(dst [][]float64, records []int)

	pivots      []int     // so far
	residual    []float64 // of all records
	trace, most float64   // of the diagonal of those among which pivots are chosen: its sum and its greatest entry
	random      *rand.Rand
}

// newPivoting begins to choose pivots among some records (nil: all) of a matrix.
func newPivoting(ctx context.Context, g stringkernel.Gram, rank int, among []int) (*pivoting, error) {
	n := g.Len()
	if among == nil {
		among = subset.Whole(n)
	}
	p := &pivoting{rank: min(rank, len(among)), among: among}
	p.rows = make([]float64, n*p.rank)
	return p.of(ctx, g)
}

// of begins anew with a matrix of the same records, in the memory of p.
func (p *pivoting) of(ctx context.Context, g stringkernel.Gram) (*pivoting, error) {
	ofRecords, err := rowsOf(ctx, g, p.rank)
	if err != nil {
		return nil, err
	}
	other := &pivoting{
		rank: p.rank, among: p.among, rows: p.rows, ofRecords: ofRecords, residual: make([]float64, g.Len()),
		random: rand.New(rand.NewPCG(pivotSeed, 0)),
	}
	g.Diag(other.residual)
	for _, i := range p.among {
		other.trace, other.most = other.trace+other.residual[i], max(other.most, other.residual[i])
	}
	return other, nil
}

// extend chooses records until there are the given number r of pivots, or none is left to choose, and finds the rows of
// all records. It asks for r rows of the matrix and takes O(n·r²). The bits do not depend on the number of processors.
func (p *pivoting) extend(ctx context.Context, pivots int) {
	least := leastResidual * p.most
	for len(p.pivots) < pivots {
		k := len(p.pivots)
		records := drawn(p.residual, p.among, min(candidates, p.rank-k), least, p.random)
		if len(records) == 0 {
			break
		}
		b := block{records: records, width: (len(records) + simd.RowWidth - 1) / simd.RowWidth * simd.RowWidth}
		b.subtract(ctx, p.ofRecords, p.rows, p.rank, k)
		b.choose(p.residual, least, p.random)
		if len(b.accepted) == 0 { // the residuals were rounding
			for _, i := range records {
				p.residual[i] = 0
			}
			continue
		}
		b.extend(ctx, p.rows, p.rank, k, p.residual)
		for _, a := range b.accepted {
			p.pivots = append(p.pivots, records[a])
		}
	}
}

// traceError returns the part of the trace that the pivots leave.
func (p *pivoting) traceError() float64 {
	if p.trace == 0 {
		return 0
	}
	left := 0.0
	for _, i := range p.among {
		left += max(0, p.residual[i])
	}
	return min(1, left/p.trace)
}

// factor returns the factorisation that was found.
func (p *pivoting) factor() *pivoted {
	n, rank := len(p.residual), len(p.pivots)
	f := &pivoted{pivots: p.pivots, rank: rank, rows: compacted(p.rows, n, p.rank, rank)}
	for q, i := range p.pivots {
		f.triangle.Append(f.row(i)[:q+1])
	}
	f.approximation = stringkernel.Approximation{Rank: rank, Records: len(p.among), TraceError: p.traceError()}
	return f
}

// wholeRecords is the greatest number of records per pivot for which the whole matrix may be held.
const wholeRecords = 4

// rowsOf returns the function that writes rows of g: of the whole matrix in memory where there are few more records
// than pivots, and computing it takes less time than the pivots' rows.
func rowsOf(ctx context.Context, g stringkernel.Gram, rank int) (func(dst [][]float64, records []int), error) {
	n, dense := g.Len(), stringkernel.DenseOf(g)
	each := func(dst [][]float64, records []int) {
		parallel.EachContext(ctx, len(records), func(c int) { g.Row(dst[c], records[c]) })
	}
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
	err = dense.DenseTo(ctx, whole, 0, n)
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
