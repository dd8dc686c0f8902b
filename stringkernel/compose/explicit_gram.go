package compose

import (
	"errors"
	"fmt"

	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// explicitGram is ΦΦᵀ of n rows of numbers.
type explicitGram struct {
	n, rank       int
	rows          []float64 // n × rank
	approximation stringkernel.Approximation
}

// newExplicitGram returns the matrix of n records with rows found by pivots.
func newExplicitGram(f *pivoted, n int, rows []float64) *explicitGram {
	return &explicitGram{n, f.rank, rows, f.approximation}
}

func (g *explicitGram) row(i int) []float64 { return g.rows[i*g.rank : (i+1)*g.rank] }

func (g *explicitGram) Len() int { return g.n }

func (g *explicitGram) Diag(dst []float64) {
	parallel.Each(g.n, func(i int) { dst[i] = vectors.Dot(g.row(i), g.row(i)) })
}

func (g *explicitGram) Row(dst []float64, i int) { g.gatherAll(dst, g.row(i)) }

// gatherAll writes Φw.
func (g *explicitGram) gatherAll(dst, w []float64) {
	parallel.Each(g.n, func(j int) { dst[j] = vectors.Dot(g.row(j), w) })
}

// sumBlocks is the number of partial sums of a product, which are added in order.
const sumBlocks = 16

// MulVecTo writes Φ(Φᵀv).
func (g *explicitGram) MulVecTo(dst, v []float64) {
	parts := scratch.Vectors(sumBlocks, g.rank)
	parallel.Each(sumBlocks, func(b int) {
		for i := b * g.n / sumBlocks; i < (b+1)*g.n/sumBlocks; i++ {
			if v[i] != 0 {
				vectors.AddScaled(parts[b], v[i], g.row(i))
			}
		}
	})
	for _, part := range parts[1:] {
		vectors.AddScaled(parts[0], 1, part)
	}
	g.gatherAll(dst, parts[0])
}

// Width is the rank.
func (g *explicitGram) Width() int { return g.rank }

func (g *explicitGram) Scatter(t []float64, i int, a float64) { vectors.AddScaled(t, a, g.row(i)) }

func (g *explicitGram) Gather(t []float64, i int) float64 { return vectors.Dot(g.row(i), t) }

// Own is 0: every feature is in the rows.
func (g *explicitGram) Own(dst []float64) { clear(dst) }

func (g *explicitGram) AppendRow(ids []uint32, values []float64, i int) ([]uint32, []float64) {
	for f, value := range g.row(i) {
		if value != 0 {
			ids, values = append(ids, uint32(f)), append(values, value)
		}
	}
	return ids, values
}

// Traits say how well the rows stand for the kernel.
func (g *explicitGram) Traits() stringkernel.Traits {
	return stringkernel.Traits{Approximations: []stringkernel.Approximation{g.approximation}}
}

// checkRows returns an error if the rows of n records, and the values they are made of, take too much memory.
func checkRows(wrapper string, n, rank int) error {
	err := memory.Check(8 * float64(n) * float64(rank+rank/firstPart+2*candidates))
	var much *memory.Error
	if errors.As(err, &much) {
		return fmt.Errorf("%s: rows of %d numbers for %d records take %w", wrapper, rank, n, much)
	}
	return err
}
