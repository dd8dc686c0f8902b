package compose

import (
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// lowRankGram is ΦΦᵀ. Its table of features has a number for each pivot.
type lowRankGram struct {
	*pivoted
	n    int
	rows []float64 // n × rank, of the corpus of the matrix
}

func (g *lowRankGram) row(i int) []float64 { return g.rows[i*g.rank : (i+1)*g.rank] }

func (g *lowRankGram) Len() int { return g.n }

func (g *lowRankGram) Diag(dst []float64) {
	parallel.Each(g.n, func(i int) { dst[i] = vectors.Dot(g.row(i), g.row(i)) })
}

func (g *lowRankGram) Row(dst []float64, i int) { g.gatherAll(dst, g.row(i)) }

// gatherAll writes Φw.
func (g *lowRankGram) gatherAll(dst, w []float64) {
	parallel.Each(g.n, func(j int) { dst[j] = vectors.Dot(g.row(j), w) })
}

func (g *lowRankGram) MulVecTo(dst, v []float64) { g.MulBlockTo([][]float64{dst}, [][]float64{v}) }

// sumBlocks is the number of partial sums of a product, which are added in order.
const sumBlocks = 16

// MulBlockTo writes Φ(Φᵀv) for every v, and reads the rows twice in all.
func (g *lowRankGram) MulBlockTo(dst, v [][]float64) {
	parts := scratch.Vectors(sumBlocks*len(v), g.rank)
	parallel.Each(sumBlocks, func(b int) {
		part := parts[b*len(v) : (b+1)*len(v)]
		for i := b * g.n / sumBlocks; i < (b+1)*g.n/sumBlocks; i++ {
			for m := range v {
				if a := v[m][i]; a != 0 {
					vectors.AddScaled(part[m], a, g.row(i))
				}
			}
		}
	})
	weights := parts[:len(v)]
	for b := 1; b < sumBlocks; b++ {
		for m, w := range weights {
			vectors.AddScaled(w, 1, parts[b*len(v)+m])
		}
	}
	parallel.Each(g.n, func(j int) {
		for m, w := range weights {
			dst[m][j] = vectors.Dot(g.row(j), w)
		}
	})
}

// Width is the rank.
func (g *lowRankGram) Width() int { return g.rank }

func (g *lowRankGram) Scatter(t []float64, i int, a float64) { vectors.AddScaled(t, a, g.row(i)) }

func (g *lowRankGram) Gather(t []float64, i int) float64 { return vectors.Dot(g.row(i), t) }

// Own is 0: every feature is in the rows.
func (g *lowRankGram) Own(dst []float64) { clear(dst) }

func (g *lowRankGram) AppendRow(ids []uint32, values []float64, i int) ([]uint32, []float64) {
	for f, value := range g.row(i) {
		if value != 0 {
			ids, values = append(ids, uint32(f)), append(values, value)
		}
	}
	return ids, values
}

// Traits say how much of the kernel the pivots leave out.
func (g *lowRankGram) Traits() stringkernel.Traits {
	return stringkernel.Traits{Approximations: []stringkernel.Approximation{g.approximation}}
}
