package chain

import (
	"math"

	"github.com/seqsvm/seqsvm/internal/ends"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/vectors"
)

// Rows are the features of tokens, which a token has or has not. Their values are 1/√m for a token of m features, so
// that every token has the norm 1. Methods may be called from several goroutines.
type Rows interface {
	// Len returns the number of tokens.
	Len() int
	// Features returns the number of features, which are numbered from 0.
	Features() int
	// Row returns the features of token t, in buf, which it may grow, or in memory of its own.
	Row(t int, buf []int32) []int32
}

// Lists are rows in memory: token t has the features List[Ends[t−1]:Ends[t]].
type Lists struct {
	List []int32
	Ends []int
	Size int // number of features
}

// Len returns the number of tokens.
func (l *Lists) Len() int { return len(l.Ends) }

// Features returns Size.
func (l *Lists) Features() int { return l.Size }

// Row returns the features of token t.
func (l *Lists) Row(t int, _ []int32) []int32 {
	lo, hi := ends.Bounds(l.Ends, t)
	return l.List[lo:hi]
}

// rowScale returns the value of the features of a row.
func rowScale(row []int32) float64 {
	if len(row) == 0 {
		return 0
	}
	return 1 / math.Sqrt(float64(len(row)))
}

// scoreRow writes Σ_j value·w_j, an entry per state.
func scoreRow(dst, table []float64, row []int32) {
	clear(dst)
	s := len(dst)
	if s == 3 { // sums in registers: BIO tags, helix and strand and coil
		var s0, s1, s2 float64
		for _, j := range row {
			w := table[int(j)*3 : int(j)*3+3]
			s0 += w[0]
			s1 += w[1]
			s2 += w[2]
		}
		dst[0], dst[1], dst[2] = s0, s1, s2
	} else if s == 5 { // names of one kind
		var s0, s1, s2, s3, s4 float64
		for _, j := range row {
			w := table[int(j)*5 : int(j)*5+5]
			s0 += w[0]
			s1 += w[1]
			s2 += w[2]
			s3 += w[3]
			s4 += w[4]
		}
		dst[0], dst[1], dst[2], dst[3], dst[4] = s0, s1, s2, s3, s4
	} else {
		for _, j := range row {
			vectors.Add(dst, table[int(j)*s:int(j)*s+s])
		}
	}
	vectors.Scale(dst, rowScale(row))
}

// addRow adds coefficients, an entry per state, to those of the features of a row.
func addRow(table []float64, row []int32, coef []float64) {
	s := len(coef)
	for _, j := range row {
		vectors.Add(table[int(j)*s:int(j)*s+s], coef)
	}
}

// records are the tokens with every state, and the links: what the risks have scores of. The table of features has an
// entry per feature and state, and then one per link.
type records struct {
	rows  Rows
	links Links
}

// Len returns the number of scores.
func (r records) Len() int { return r.rows.Len()*r.links.States + r.links.size() }

// Size returns the number of entries of a table.
func (r records) Size() int { return r.rows.Features()*r.links.States + r.links.size() }

// score writes the scores of all tokens, and of the links.
func (r records) score(dst, table []float64) {
	s, n := r.links.States, r.rows.Len()
	parallel.For(n, func(lo, hi int) {
		var buf []int32
		for t := lo; t < hi; t++ {
			buf = r.rows.Row(t, buf[:0])
			scoreRow(dst[t*s:(t+1)*s], table, buf)
		}
	})
	copy(dst[n*s:], table[r.rows.Features()*s:])
}

// addParts is the number of parts that tokens are added in, each to a table of its own, where tables are small.
const (
	addParts   = 8
	smallTable = 1 << 20 // entries
)

// add adds the features of the tokens, each times its coefficients, to a table. The number of parts, and so the bits,
// depend on the sizes alone.
func (r records) add(table, v []float64) {
	s, n := r.links.States, r.rows.Len()
	parts := 2
	if len(table) <= smallTable {
		parts = addParts
	}
	sums := make([][]float64, parts)
	parallel.Each(parts, func(p int) {
		sums[p] = table
		if p > 0 {
			sums[p] = make([]float64, len(table))
		}
		var buf []int32
		coef := make([]float64, s)
		for t := p * n / parts; t < (p+1)*n/parts; t++ {
			some := v[t*s : (t+1)*s]
			if vectors.Zero(some) {
				continue
			}
			buf = r.rows.Row(t, buf[:0])
			scale := rowScale(buf)
			for b, c := range some {
				coef[b] = float64(c * scale)
			}
			addRow(sums[p], buf, coef)
		}
	})
	parallel.For(len(table), func(lo, hi int) {
		for _, sum := range sums[1:] {
			for i := lo; i < hi; i++ {
				table[i] += sum[i]
			}
		}
	})
	vectors.Add(table[r.rows.Features()*s:], v[n*s:])
}
